// A form with files as the value that JSON would have been: `{type, files: [{name, contentBase64}]}`. Fields that are files are
// lists, all others stand once.
import type { IncomingMessage } from 'node:http';
import { invalid } from '../../platform/errors.ts';
import type { RawBody } from './body.ts';

/** A form of more parts than that says nothing that any operation asks for. */
const mostParts = 100;

export const isForm = (request: IncomingMessage): boolean =>
  /^multipart\/form-data\s*;/i.test(request.headers['content-type'] ?? '');

/** The form's value in the place of its bytes. A refusal is kept until the checks that come first have passed. */
export async function formRead(request: IncomingMessage, raw: RawBody): Promise<RawBody> {
  const { content } = raw;
  if (!('bytes' in content)) return raw;
  const contentType = request.headers['content-type'] ?? '';
  if (countParts(content.bytes, contentType) > mostParts)
    return { content: { refusal: invalid('', `has more than ${mostParts} parts`) } };
  try {
    const { buffer, byteOffset, length } = content.bytes;
    const bytes = new Uint8Array(buffer as ArrayBuffer, byteOffset, length);
    const form = await new Response(bytes, { headers: { 'content-type': contentType } }).formData();
    return { content: { value: await formValue(form) } };
  } catch {
    return { content: { refusal: invalid('', 'is not multipart/form-data', 'The body is not a valid form.') } };
  }
}

function countParts(bytes: Buffer, contentType: string): number {
  const boundary = /;\s*boundary="?([^";]{1,70})/i.exec(contentType)?.[1];
  if (boundary === undefined) return 0;
  let count = 0;
  for (let at = bytes.indexOf(`--${boundary}`); at !== -1 && count <= mostParts + 1; count++) {
    at = bytes.indexOf(`--${boundary}`, at + 1);
  }
  return count - 1;
}

async function formValue(form: FormData): Promise<unknown> {
  const fields = new Map<string, unknown>();
  for (const name of new Set(form.keys())) {
    const parts = form.getAll(name);
    const files = parts.filter((part) => typeof part !== 'string');
    if (files.length === 0 && parts.length === 1) fields.set(name, parts[0]);
    else fields.set(name, await Promise.all(parts.map(fileOf)));
  }
  return Object.fromEntries(fields);
}

/** Among files a text is none: the form's check refuses it. */
async function fileOf(part: FormDataEntryValue): Promise<unknown> {
  if (typeof part === 'string') return part;
  return { name: part.name, contentBase64: Buffer.from(await part.arrayBuffer()).toString('base64') };
}
