// What a provider's answer holds: at most a page, which is made into values in a thread where it is not small.
import type http from 'node:http';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { type ParsedJson, parseJson } from '#core/platform/parsing/parse-json.ts';
import { startParsing } from '#core/platform/parsing/parsing.ts';
import { ReachFailure } from './failures.ts';

const maxPageBytes = 2 * 1024 * 1024;
/** Read at once: a token, or a page of a few rows. */
const smallBytes = 16 * 1024;
/** Of a page of five hundred rows with forty members each there are twenty thousand; building them takes some 30 ms. */
const bounds = { values: 100_000, members: 100_000, depth: 64 };

/** Threads of their own: no platform keeps the uploads of others waiting. */
const pages = startParsing();
const inflate = promisify(gunzip);

/**
 * Undefined where the answer is no JSON, which only refusals may be. Throws ReachFailure `protocol` for a redirect, for more
 * than a page and for what a page cannot be, saying what was seen.
 */
export async function bodyOf(response: http.IncomingMessage, url: URL): Promise<unknown> {
  const { statusCode: status = 0, headers } = response;
  if (status >= 300 && status < 400) {
    throw drop(response, 'The provider answers with a redirect, which is not followed.', 'a redirect');
  }
  const bytes = await bytesOf(response, url);
  const type = headers['content-type'];
  const read = isJson(type) ? await parsed(bytes) : undefined;
  if (read && 'value' in read) return read.value;
  if (status >= 300) return undefined;
  throw new ReachFailure('protocol', 'The provider answers with something else than a page of JSON.', {
    seen: read ? faults[read.fault] : typeSeen(type),
  });
}

const faults: Readonly<Record<Extract<ParsedJson, { fault: string }>['fault'], string>> = {
  no_json: 'an answer that is called JSON and is none',
  too_complex: 'a page with far more in it than a page of rows has',
};

/** The bytes are their holder's no more. */
const parsed = (bytes: Buffer): Promise<ParsedJson> =>
  bytes.length <= smallBytes ? parseJson({ bytes, bounds }) : pages.json(bytes, bounds);

/** As they were before the server compressed them, which only encrypted answers may be. */
async function bytesOf(response: http.IncomingMessage, url: URL): Promise<Buffer> {
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
  const sent = await sentBytes(response);
  if (!isCompressed) return sent;
  try {
    return await inflate(sent, { maxOutputLength: maxPageBytes });
  } catch (error) {
    const isTooLarge = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
    throw isTooLarge
      ? tooLarge()
      : new ReachFailure('protocol', 'The provider sends a compressed answer that cannot be read.', {
          seen: 'content coding gzip that cannot be read',
        });
  }
}

async function sentBytes(response: http.IncomingMessage): Promise<Buffer> {
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
  new ReachFailure('protocol', 'The provider sends a page of more than 2 MiB.', { seen: 'a page of more than 2 MiB' });

/** What has not been read of the answer never is. */
function dropTooLarge(response: http.IncomingMessage): ReachFailure {
  response.destroy();
  return tooLarge();
}

function drop(response: http.IncomingMessage, message: string, seen: string): ReachFailure {
  response.destroy();
  return new ReachFailure('protocol', message, { seen });
}

const isJson = (type = '') => /^application\/([a-z0-9.+-]{1,80}\+)?json\s{0,8}(;|$)/i.test(type.trim());

function typeSeen(header = ''): string {
  const [type = ''] = header.split(';', 1);
  if (/^\s*(text\/html|application\/xhtml\+xml)\s*$/i.test(type)) return 'HTML';
  return type.trim() === '' ? 'no content type' : `content type ${plain(type)}`;
}

/** Of what a server writes nothing but the letters of such a name. */
const plain = (text: string): string => text.slice(0, 64).replace(/[^A-Za-z0-9.+/_-]/g, '');
