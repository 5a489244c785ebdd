// Reads the body of a provider's response: at most one page, parsed in a thread when it is not small.
import type http from 'node:http';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { type ParsedJson, parseJson } from '#core/platform/parsing/parse-json.ts';
import { startParsing } from '#core/platform/parsing/parsing.ts';
import { HttpFailure } from './failures.ts';

const maxPageBytes = 2 * 1024 * 1024;
/** Parsed in place: a token, or a page of a few rows. */
const smallBytes = 16 * 1024;
/** A page of five hundred rows with forty members each has twenty thousand values; building them takes some 30 ms. */
const bounds = { values: 100_000, members: 100_000, depth: 64 };

/** These threads parse pages only, so that no platform delays the uploads of others. */
const pageParsing = startParsing();
const inflate = promisify(gunzip);

/**
 * Returns the parsed body, or undefined when it is not JSON, which is accepted for statuses from 300 on only. Throws
 * HttpFailure `protocol`, with what was seen, for a redirect, for more than a page and for what cannot be a page.
 */
export async function readBody(response: http.IncomingMessage, url: URL): Promise<unknown> {
  const { statusCode: status = 0, headers } = response;
  if (status >= 300 && status < 400) {
    throw drop(response, 'The provider answers with a redirect, which is not followed.', 'a redirect');
  }
  const bytes = await readBytes(response, url);
  const type = headers['content-type'];
  const parsed = isJson(type) ? await parse(bytes) : undefined;
  if (parsed && 'value' in parsed) return parsed.value;
  if (status >= 300) return undefined;
  throw new HttpFailure('protocol', 'The provider answers with something else than a page of JSON.', {
    seen: parsed ? faults[parsed.fault] : describeType(type),
  });
}

const faults: Readonly<Record<Extract<ParsedJson, { fault: string }>['fault'], string>> = {
  no_json: 'an answer that is called JSON and is none',
  too_complex: 'a page with far more in it than a page of rows has',
};

/** The buffer is transferred to the thread: the caller must not use it afterwards. */
const parse = (bytes: Buffer): Promise<ParsedJson> =>
  bytes.length <= smallBytes ? parseJson({ bytes, bounds }) : pageParsing.json(bytes, bounds);

/** Returns the decompressed bytes. Only encrypted responses may be compressed. */
async function readBytes(response: http.IncomingMessage, url: URL): Promise<Buffer> {
  const { headers } = response;
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  const isCompressed = encoding === 'gzip' && url.protocol === 'https:';
  if (encoding !== 'identity' && encoding !== '' && !isCompressed) {
    throw drop(
      response,
      'The provider compresses an answer that was asked for as it is.',
      `content coding ${plain(encoding)}`,
    );
  }
  const sent = await readSentBytes(response);
  if (!isCompressed) return sent;
  try {
    return await inflate(sent, { maxOutputLength: maxPageBytes });
  } catch (error) {
    const isTooLarge = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
    throw isTooLarge
      ? tooLarge()
      : new HttpFailure('protocol', 'The provider sends a compressed answer that cannot be read.', {
          seen: 'content coding gzip that cannot be read',
        });
  }
}

async function readSentBytes(response: http.IncomingMessage): Promise<Buffer> {
  if (Number(response.headers['content-length'] ?? 0) > maxPageBytes) throw dropTooLarge(response);
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxPageBytes) throw dropTooLarge(response);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const tooLarge = () =>
  new HttpFailure('protocol', 'The provider sends a page of more than 2 MiB.', { seen: 'a page of more than 2 MiB' });

/** Closes the connection; the rest of the response is not read. */
function dropTooLarge(response: http.IncomingMessage): HttpFailure {
  response.destroy();
  return tooLarge();
}

function drop(response: http.IncomingMessage, message: string, seen: string): HttpFailure {
  response.destroy();
  return new HttpFailure('protocol', message, { seen });
}

const isJson = (type = '') => /^application\/([a-z0-9.+-]{1,80}\+)?json\s{0,8}(;|$)/i.test(type.trim());

function describeType(header = ''): string {
  const [type = ''] = header.split(';', 1);
  if (/^\s*(text\/html|application\/xhtml\+xml)\s*$/i.test(type)) return 'HTML';
  return type.trim() === '' ? 'no content type' : `content type ${plain(type)}`;
}

/** Keeps only the characters that such a name may have: a server may send any text. */
const plain = (text: string): string => text.slice(0, 64).replace(/[^A-Za-z0-9.+/_-]/g, '');
