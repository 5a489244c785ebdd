// Recordings of spoken item texts: a content pack in `rules/content/audio`, which may be absent. Clients then use
// speech synthesis, and every `audioUrl` is null.
import fs from 'node:fs';
import path from 'node:path';
import Type, { type Static } from 'typebox';
import { sha256Hex } from '#core/platform/pure/canonical-json.ts';
import { shapeOf } from '#core/platform/pure/json-schema.ts';

const hash = '^[0-9a-f]{64}$';
const Manifest = Type.Object(
  {
    version: Type.Integer({ minimum: 1 }),
    /**
     * Hash of the spoken text → its recording. A recording's URL contains the hash of its bytes, so that it never
     * changes.
     */
    recordings: Type.Record(
      Type.String({ pattern: hash }),
      Type.Object(
        {
          file: Type.String({ pattern: '^(?:[a-z0-9_-]+/)*[a-z0-9_-]+\\.(?:mp3|m4a|ogg|wav)$', maxLength: 200 }),
          sha256: Type.String({ pattern: hash }),
        },
        { additionalProperties: false },
      ),
      { additionalProperties: false },
    ),
  },
  { additionalProperties: false },
);
type Manifest = Static<typeof Manifest>;

const mediaTypes: Readonly<Record<string, string>> = {
  '.mp3': 'audio/mpeg',
  '.m4a': 'audio/mp4',
  '.ogg': 'audio/ogg',
  '.wav': 'audio/wav',
};
/** Maximum file size: more than a minute of speech. */
const maxBytes = 2_097_152;

export interface Recording {
  readonly sha256: string;
  /** Absolute path inside the pack. */
  readonly file: string;
  readonly mediaType: string;
  readonly bytes: number;
}

export interface AudioPack {
  /** 0 when there is no pack. */
  readonly version: number;
  readonly recordings: readonly Recording[];
  /** Finds a recording by the hash of its bytes. */
  find(sha256: string): Recording | undefined;
  /** Returns null when the text is not recorded. */
  urlOf(speech: string | null): string | null;
}

const speechHash = (speech: string): string => sha256Hex(speech.normalize('NFC'));

/** Throws a one-line error for an incomplete pack, since a partial set of sounds would be worse than none. */
export function readAudioPack(rulesDir: string): AudioPack {
  const dir = path.join(rulesDir, 'content/audio');
  const manifest = readManifest(path.join(dir, 'manifest.json'));
  const entries = Object.entries(manifest.recordings).map(
    ([speech, { file, sha256 }]) => [speech, recordingOf(dir, file, sha256)] as const,
  );
  const bySpeech = new Map(entries);
  const bySha256 = new Map(entries.map(([, recording]) => [recording.sha256, recording]));
  return {
    version: manifest.version,
    recordings: [...bySha256.values()],
    find: (sha256) => bySha256.get(sha256),
    urlOf(speech) {
      const recording = speech === null ? undefined : bySpeech.get(speechHash(speech));
      return recording ? `/api/content/audio/${recording.sha256}` : null;
    },
  };
}

const manifestFile = shapeOf<Manifest>(Manifest);
const noPack: Manifest = { version: 0, recordings: {} };

function readManifest(file: string): Manifest {
  if (!fs.existsSync(file)) return noPack;
  return manifestFile(JSON.parse(fs.readFileSync(file, 'utf8')), file);
}

/** Resolves symbolic links first, so that a file outside the pack is rejected. */
function recordingOf(dir: string, name: string, sha256: string): Recording {
  const file = path.join(dir, name);
  if (!fs.existsSync(file)) throw new RangeError(`the audio pack has no file ${name}`);
  const real = fs.realpathSync(file);
  if (!real.startsWith(fs.realpathSync(dir) + path.sep)) throw new RangeError(`${name} is outside the audio pack`);
  const { size } = fs.statSync(real);
  if (size === 0 || size > maxBytes) throw new RangeError(`${name} has ${size} bytes; at most ${maxBytes} are served`);
  return { sha256, file: real, mediaType: mediaTypes[path.extname(name)] ?? '', bytes: size };
}
