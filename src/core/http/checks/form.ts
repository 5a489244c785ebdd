// Parses a form with files (RFC 7578) to the value of the equivalent JSON: `{type, files: [{name, contentBase64}]}`. Fields with
// files are lists, all others occur once. Parsing takes linear time: each byte is read once, and the head of a part is bounded.
import { invalid } from '../../platform/errors.ts';

/** No operation needs a form with more parts. */
const mostParts = 100;
/** The limit of the headers of a part. */
const longestHeadBytes = 2 * 1024;

const formType = /^multipart\/form-data\s{0,9};/i;
const boundaryIn = /;\s{0,9}boundary=(?:"([^"]{1,70})"|([^";\s]{1,70}))/i;

export const isForm = (contentType: string): boolean => formType.test(contentType);

interface Part {
  readonly name: string;
  /** Set for files. */
  readonly fileName: string | undefined;
  readonly content: Buffer;
}

/** Returns the value of a form. Throws VALIDATION_ERROR if the bytes are none. */
export function formValue(bytes: Uint8Array, contentType: string): unknown {
  const [, quoted, plain] = boundaryIn.exec(contentType) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) throw noForm();
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return fieldsOf(partsOf(whole, `--${boundary}`));
}

const noForm = () => invalid('', 'is not multipart/form-data', 'The body is not a valid form.');

function partsOf(bytes: Buffer, delimiter: string): Part[] {
  const parts: Part[] = [];
  if (bytes.indexOf(delimiter) !== 0) throw noForm();
  for (let at = delimiter.length; !isEnd(bytes, at); ) {
    if (parts.length === mostParts) throw invalid('', `has more than ${mostParts} parts`);
    const { head, begin } = headAt(bytes, at);
    const end = bytes.indexOf(`\r\n${delimiter}`, begin);
    if (end === -1) throw noForm();
    parts.push({ ...named(head), content: bytes.subarray(begin, end) });
    at = end + 2 + delimiter.length;
  }
  return parts;
}

const isEnd = (bytes: Buffer, at: number) => bytes.toString('latin1', at, at + 2) === '--';

/** Returns the header lines of the part that begins after `at`, and the position of its content, which follows an empty line. */
function headAt(bytes: Buffer, at: number): { readonly head: string[]; readonly begin: number } {
  const length = bytes.subarray(at, at + longestHeadBytes).indexOf('\r\n\r\n');
  if (length === -1 || bytes.toString('latin1', at, at + 2) !== '\r\n') throw noForm();
  return { head: textOf(bytes.subarray(at, at + length)).split('\r\n'), begin: at + length + 4 };
}

const disposition = /^content-disposition:\s{0,9}form-data\s{0,9};/i;
const parameters = {
  name: /;\s{0,9}name=(?:"([^"]{0,255})"|([^";\s]{1,255}))/i,
  fileName: /;\s{0,9}filename=(?:"([^"]{0,1000})"|([^";\s]{1,1000}))/i,
};

function named(head: readonly string[]): { readonly name: string; readonly fileName: string | undefined } {
  const line = head.find((one) => disposition.test(one));
  const read = (pattern: RegExp) => {
    const [, quoted, plain] = pattern.exec(line ?? '') ?? [];
    return (quoted ?? plain)?.replaceAll('%22', '"').replaceAll('%0D', '\r').replaceAll('%0A', '\n');
  };
  const name = read(parameters.name);
  if (name === undefined) throw noForm();
  return { name, fileName: read(parameters.fileName) };
}

/** Among files a text is none: the form's check refuses it. */
function fieldsOf(parts: readonly Part[]): unknown {
  const fields = new Map<string, Part[]>();
  for (const part of parts) fields.set(part.name, [...(fields.get(part.name) ?? []), part]);
  const values = [...fields].map(([name, sent]) => {
    const [only] = sent;
    return [name, sent.length === 1 && only?.fileName === undefined ? fieldOf(only as Part) : sent.map(fieldOf)];
  });
  return Object.fromEntries(values);
}

const fieldOf = ({ fileName, content }: Part): unknown =>
  fileName === undefined ? textOf(content) : { name: fileName, contentBase64: content.toString('base64') };

function textOf(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw noForm();
  }
}
