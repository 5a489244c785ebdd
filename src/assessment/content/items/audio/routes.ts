// Serves recordings as public files, since they measure no person and players send no token. URLs contain the hash of the
// bytes, so that responses can be cached permanently.
import fs from 'node:fs/promises';
import Type from 'typebox';
import { Nothing, object } from '#core/http/schemas.ts';
import { publicRoute } from '#core/module/route.ts';
import { notFound } from '#core/platform/errors.ts';
import { type ByteRange, byteRange } from './byte-range.ts';
import type { Recording } from './pack.ts';

const Audio = Type.Unsafe<Uint8Array>({ type: 'string', contentMediaType: 'audio/mpeg' });
const yearSeconds = 31_536_000;

export const audioRoutes = [
  publicRoute({
    method: 'get',
    path: '/api/content/audio/:hash',
    operation: 'getContentAudio',
    summary: 'A recording of what an item says; answers ranges, and may be kept for good',
    tag: 'content',
    demo: 'read',
    // A class behind one address requests hundreds of files within a minute, and caches in front serve them.
    limit: 'none',
    params: object({ hash: Type.String({ maxLength: 64, pattern: '^[0-9a-f]{64}$' }) }),
    answers: { 200: Audio, 206: Audio, 304: Nothing, 416: Nothing },
    run: async ({ services, params, header }) => {
      const recording = services.audio.find(params.hash);
      if (!recording) throw notFound();
      if (header('if-none-match')?.includes(`"${recording.sha256}"`)) {
        return { status: 304, body: undefined, headers: kept(recording) } as const;
      }
      const same = (header('if-range') ?? `"${recording.sha256}"`) === `"${recording.sha256}"`;
      return part(recording, same ? header('range') : undefined);
    },
  }),
];

const kept = ({ sha256 }: Recording) => ({
  'cache-control': `public, max-age=${yearSeconds}, immutable`,
  etag: `"${sha256}"`,
  'accept-ranges': 'bytes',
  // Pages of other origins may embed recordings, since a separate client plays them.
  'cross-origin-resource-policy': 'cross-origin',
});

async function part(recording: Recording, asked: string | undefined) {
  const size = recording.bytes;
  const range = byteRange(asked, size);
  if (range === 'unsatisfiable') {
    return { status: 416, body: undefined, headers: { 'content-range': `bytes */${size}` } } as const;
  }
  const body = await read(recording, range ?? { first: 0, last: size - 1 });
  const headers = { ...kept(recording), 'content-type': recording.mediaType };
  if (!range) return { status: 200, body, headers } as const;
  const contentRange = { 'content-range': `bytes ${range.first}-${range.last}/${size}` };
  return { status: 206, body, headers: { ...headers, ...contentRange } } as const;
}

async function read({ file }: Recording, { first, last }: ByteRange): Promise<Uint8Array> {
  const handle = await fs.open(file);
  try {
    const bytes = Buffer.alloc(last - first + 1);
    await handle.read(bytes, 0, bytes.length, first);
    return bytes;
  } finally {
    await handle.close();
  }
}
