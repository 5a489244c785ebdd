// Content packs for tests: spoken text → the bytes of its recording.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

export interface Written {
  readonly sha256: string;
  readonly content: string;
}

/** Writes `content/audio` below `dir`; `name` replaces the name of the first file in the manifest. */
export function writePack(dir: string, sounds: Readonly<Record<string, string>>, name = 'words/0.mp3'): Written[] {
  const folder = path.join(dir, 'content/audio');
  fs.mkdirSync(path.join(folder, 'words'), { recursive: true });
  const recordings = Object.entries(sounds).map(([speech, content], at) => {
    fs.writeFileSync(path.join(folder, `words/${at}.mp3`), content);
    const file = at === 0 ? name : `words/${at}.mp3`;
    return [sha256(speech.normalize('NFC')), { file, sha256: sha256(content) }] as const;
  });
  const manifest = { version: 1, recordings: Object.fromEntries(recordings) };
  fs.writeFileSync(path.join(folder, 'manifest.json'), JSON.stringify(manifest));
  return Object.values(sounds).map((content) => ({ sha256: sha256(content), content }));
}
