// Recordings over HTTP: complete and by range, cacheable, and linked from served items.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readAudioPack } from '#assessment/content/items/audio/pack.ts';
import { itemBanks } from '#assessment/content/items/banks.ts';
import { useApp } from '../../../../harness/http.ts';
import { buildWorld } from '../../../../harness/world.ts';
import { child } from '../../../measurement/diagnostics/child.ts';
import { writePack } from './packs.ts';

const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'audio-api-'));
const bank = await itemBanks().version(1);
const speeches = [...new Set(bank.items.map(({ prompt }) => prompt.speech))];
const soundOf = (speech: string) => `sound ${speeches.indexOf(speech)}`;
const recordings = writePack(dir, Object.fromEntries(speeches.map((speech) => [speech, soundOf(speech)])));
const [first] = recordings;
assert.ok(first);

const test = suite('recordings over HTTP');
const app = useApp(test, { rules: true, content: { audio: readAudioPack(dir), bankVersion: 1 } });
test.after(() => fs.rmSync(dir, { recursive: true }));

const fetchAudio = (hash: string, headers: Record<string, string> = {}, method = 'GET') =>
  app.request<string | undefined>(method, `/api/content/audio/${hash}`, { headers });

test('a full response has its media type, is cached for a year and is named by its bytes', async () => {
  const answer = await fetchAudio(first.sha256);
  assert.is(answer.status, 200);
  assert.is(answer.body, first.content);
  assert.is(answer.headers.get('content-type'), 'audio/mpeg');
  assert.is(answer.headers.get('cache-control'), 'public, max-age=31536000, immutable');
  assert.is(answer.headers.get('etag'), `"${first.sha256}"`);
  assert.is(answer.headers.get('accept-ranges'), 'bytes');
});

test('byte ranges as players request them add up to the file', async () => {
  const size = Buffer.byteLength(first.content);
  const head = await fetchAudio(first.sha256, { range: 'bytes=0-3' });
  assert.is(head.status, 206);
  assert.is(head.headers.get('content-range'), `bytes 0-3/${size}`);
  const tail = await fetchAudio(first.sha256, { range: 'bytes=4-' });
  assert.is(tail.headers.get('content-range'), `bytes 4-${size - 1}/${size}`);
  assert.is(`${head.body}${tail.body}`, first.content);
});

test('a range outside the file: 416 with the size', async () => {
  const answer = await fetchAudio(first.sha256, { range: 'bytes=100000-' });
  assert.is(answer.status, 416);
  assert.is(answer.headers.get('content-range'), `bytes */${Buffer.byteLength(first.content)}`);
});

test('a cached file gives 304; a range of a changed file gives the full file', async () => {
  const again = await fetchAudio(first.sha256, { 'if-none-match': `"${first.sha256}"` });
  assert.is(again.status, 304);
  assert.is(again.body, undefined);
  assert.is((await fetchAudio(first.sha256, { range: 'bytes=0-3', 'if-range': '"other"' })).status, 200);
  assert.is((await fetchAudio(first.sha256, { range: 'bytes=0-3', 'if-range': `"${first.sha256}"` })).status, 206);
});

test('HEAD returns the headers without the body', async () => {
  const answer = await fetchAudio(first.sha256, {}, 'HEAD');
  assert.is(answer.status, 200);
  assert.is(answer.body, undefined);
});

test('unknown, malformed and path-traversing names are 404', async () => {
  const escalating = [
    '..%2Fmanifest.json',
    '..%2F..%2F..%2Fetc%2Fpasswd',
    'manifest.json',
    '%2e%2e%2fwords%2f0.mp3',
    '%00',
  ];
  for (const name of ['0'.repeat(64), first.sha256.toUpperCase(), `${first.sha256}.mp3`, ...escalating]) {
    assert.is((await fetchAudio(name)).status, 404, name);
  }
});

test('a served item has the URL of its recording, and the URL responds', async () => {
  const world = await buildWorld(app);
  const kid = child(app, world.own.people.STUDENT);
  const { body: session } = await kid.start();
  const { body } = await kid.next(session.sessionId);
  const prompt = body.served?.prompt;
  assert.ok(prompt?.audioUrl);
  const sound = await app.get<string>(prompt.audioUrl);
  assert.is(sound.body, soundOf(prompt.speech));
});

test.run();
