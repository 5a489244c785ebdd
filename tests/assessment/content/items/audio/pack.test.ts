// A content pack is served completely or not at all, and no file outside it is served.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { byteRange } from '#assessment/content/items/audio/byte-range.ts';
import { readAudioPack } from '#assessment/content/items/audio/pack.ts';
import { writePack } from './packs.ts';

const folders: string[] = [];
test.after(() => {
  for (const dir of folders) fs.rmSync(dir, { recursive: true });
});

function folder(): string {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'audio-'));
  folders.push(dir);
  return dir;
}

function refusal(dir: string): string {
  try {
    readAudioPack(dir);
    return 'read';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

test('without a pack every address is null', () => {
  const pack = readAudioPack(folder());
  assert.is(pack.version, 0);
  assert.is(pack.urlOf('بَابٌ'), null);
  assert.is(pack.find('0'.repeat(64)), undefined);
});

test('a recording is found by its spoken text in any normal form, and by the hash of its bytes', () => {
  const dir = folder();
  const [recording] = writePack(dir, { بَابٌ: 'sound of a door' });
  assert.ok(recording);
  const pack = readAudioPack(dir);
  assert.is(pack.urlOf('بَابٌ'.normalize('NFD')), `/api/content/audio/${recording.sha256}`);
  assert.is(pack.find(recording.sha256)?.bytes, 'sound of a door'.length);
  assert.is(pack.urlOf('بَابُ'), null, 'another ending is other speech');
  assert.is(pack.urlOf(null), null);
});

const broken: Readonly<Record<string, (dir: string) => void>> = {
  'a file that is not there': (dir) => fs.rmSync(path.join(dir, 'content/audio/words/0.mp3')),
  'an empty file': (dir) => fs.writeFileSync(path.join(dir, 'content/audio/words/0.mp3'), ''),
  'a file too large': (dir) => fs.writeFileSync(path.join(dir, 'content/audio/words/0.mp3'), Buffer.alloc(2_097_153)),
  'a link that leads out of the pack': (dir) => {
    fs.writeFileSync(path.join(dir, 'secret'), 'secret');
    fs.rmSync(path.join(dir, 'content/audio/words/0.mp3'));
    fs.symlinkSync(path.join(dir, 'secret'), path.join(dir, 'content/audio/words/0.mp3'));
  },
};
for (const [what, breakIt] of Object.entries(broken)) {
  test(`refused: ${what}`, () => {
    const dir = folder();
    writePack(dir, { بَابٌ: 'sound' });
    assert.is(refusal(dir), 'read');
    breakIt(dir);
    assert.match(refusal(dir), 'words/0.mp3');
  });
}

for (const name of ['../secret.mp3', '/etc/passwd', 'a/../../b.mp3', 'words/0.html', 'words\\0.mp3', 'WORDS/0.mp3']) {
  test(`refused: a file named ${name}`, () => {
    const dir = folder();
    writePack(dir, { بَابٌ: 'sound' }, name);
    assert.match(refusal(dir), 'manifest.json');
  });
}

/** Examples of RFC 9110, 14.1.2 and 14.2, for 10,000 bytes. */
const ranges = {
  'bytes=0-499': { first: 0, last: 499 },
  'bytes=500-999': { first: 500, last: 999 },
  'bytes=-500': { first: 9500, last: 9999 },
  'bytes=9500-': { first: 9500, last: 9999 },
  'bytes=0-': { first: 0, last: 9999 },
  'bytes=9999-20000': { first: 9999, last: 9999 },
  'bytes=-20000': { first: 0, last: 9999 },
  'bytes=10000-': 'unsatisfiable',
  'bytes=-0': 'unsatisfiable',
  'bytes=500-499': undefined,
  'bytes=0-0,-1': undefined,
  'bytes=-': undefined,
  'lines=0-1': undefined,
} as const;
for (const [header, range] of Object.entries(ranges)) {
  test(`range ${header}`, () => assert.equal(byteRange(header, 10_000), range));
}
test('no range', () => assert.is(byteRange(undefined, 10_000), undefined));

test.run();
