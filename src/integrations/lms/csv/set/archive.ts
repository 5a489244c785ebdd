// Returns the files of an upload, as they were sent or from one archive. All entries of an archive are checked before any of
// them is decompressed.
import { crc32 } from 'node:zlib';
import { type Entry, fromBuffer, type ZipFile } from 'yauzl';
import { refuseArchive, type StructureIssue } from './faults.ts';

const mostEntries = 40;
const mostExpandedBytes = 60 * 1024 * 1024;
/** A multiple of four, because four characters of base64 are three bytes. */
const sentPieceLetters = 64 * 1024;
/** The size of a local header without its name and extra fields. */
const localHeaderBytes = 30;
const safeName = /^[A-Za-z0-9_.-]{1,64}$/;

/** A file as JSON sends it. It is decoded piece by piece and never held decoded as a whole. */
export interface SentFile {
  readonly name: string;
  readonly contentBase64: string;
}

/** The files by their names in lower case. Each can be read once. */
export type SetFiles = ReadonlyMap<string, () => AsyncIterable<Buffer>>;

/** Throws VALIDATION_ERROR with one issue for an upload that cannot be a set, at `files` or at the number of an entry. */
export async function filesOf(sent: readonly SentFile[]): Promise<SetFiles> {
  if (sent.length > mostEntries) refuseArchive('too_many_entries');
  const [only] = sent;
  // An archive is recognized by its content too.
  if (sent.length === 1 && only && (isArchive(only.name) || beginsAsArchive(only))) {
    return entriesOf(Buffer.from(only.contentBase64, 'base64'));
  }
  refuseNames(sent.map(({ name }) => name));
  return new Map(sent.map(({ name, contentBase64 }) => [name.toLowerCase(), () => piecesOf(contentBase64)]));
}

const isArchive = (name: string) => /\.zip$/i.test(name);

/** The signatures of a local header, and of the directory of an archive without entries. */
const signatures = [0x504b0304, 0x504b0506];
const beginsAsArchive = ({ contentBase64 }: SentFile): boolean => {
  const bytes = Buffer.from(contentBase64.slice(0, 8), 'base64');
  return bytes.length >= 4 && signatures.includes(bytes.readUInt32BE());
};

/**
 * Refuses an archive within the upload, and two files whose names differ only in capitals. `numberOf`: returns the entry
 * number of a name.
 */
function refuseNames(names: readonly string[], numberOf = (at: number): number => at + 1): void {
  const folded = names.map((name) => name.toLowerCase());
  const unsafe = names.findIndex(
    (name, at) => !safeName.test(name) || isArchive(name) || folded.indexOf(folded[at] ?? '') < at,
  );
  if (unsafe !== -1) refuseArchive('unsafe_entry', numberOf(unsafe));
}

async function* piecesOf(contentBase64: string): AsyncIterable<Buffer> {
  for (let at = 0; at < contentBase64.length; at += sentPieceLetters) {
    yield Buffer.from(contentBase64.slice(at, at + sentPieceLetters), 'base64');
    await new Promise(setImmediate);
  }
}

async function entriesOf(bytes: Buffer): Promise<SetFiles> {
  const archive = await opened(bytes);
  const listing = await listed(archive);
  refuseListing(listing);
  const entries = filesAmong(listing);
  refuseNames(
    entries.map(({ name }) => name),
    (at) => entries[at]?.number ?? 0,
  );
  for (const entry of listing) await checkBytes(archive, entry);
  return new Map(entries.map(({ name, entry }) => [name.toLowerCase(), () => expanded(archive, entry)]));
}

interface NamedEntry {
  /** The name without the folder that all files are in. */
  readonly name: string;
  /** The number of the entry in the archive, from 1. */
  readonly number: number;
  readonly entry: Entry;
}

/** Leaves out folders and files of operating systems: `__MACOSX/` and names that begin with a dot. */
function filesAmong(listing: readonly Entry[]): NamedEntry[] {
  const named = listing.map((entry, at) => ({ name: entry.fileName, number: at + 1, entry }));
  const files = named.filter(
    ({ name }) =>
      !name.endsWith('/') && !name.startsWith('__MACOSX/') && !(name.split('/').at(-1) ?? '').startsWith('.'),
  );
  const [folder = ''] = /^[^/]+\//.exec(files[0]?.name ?? '') ?? [];
  const isCommon = files.every(({ name }) => name.startsWith(folder));
  return isCommon ? files.map((file) => ({ ...file, name: file.name.slice(folder.length) })) : files;
}

function opened(bytes: Buffer): Promise<ZipFile> {
  return new Promise((resolve, reject) => {
    fromBuffer(bytes, { lazyEntries: true, strictFileNames: true, autoClose: false }, (error, archive) => {
      if (archive) resolve(archive);
      else
        refused(
          () => refuseArchive(bytes.subarray(0, 2).toString() === 'PK' ? 'broken_archive' : 'not_an_archive'),
          reject,
          error,
        );
    });
  });
}

/** Reads the entries of the directory at the end of the archive, and stops when there are too many. */
function listed(archive: ZipFile): Promise<Entry[]> {
  return new Promise((resolve, reject) => {
    const entries: Entry[] = [];
    archive.on('error', (error: Error) => {
      const issue = issueOf(error);
      refused(() => refuseArchive(issue, issue === 'unsafe_entry' ? entries.length + 1 : undefined), reject, error);
    });
    archive.on('end', () => resolve(entries));
    archive.on('entry', (entry: Entry) => {
      entries.push(entry);
      if (entries.length > mostEntries) refused(() => refuseArchive('too_many_entries'), reject);
      else archive.readEntry();
    });
    archive.readEntry();
  });
}

/** Rejects the promise with the error that the function throws. */
function refused(refuse: () => never, reject: (error: unknown) => void, cause?: unknown): void {
  try {
    refuse();
  } catch (error) {
    reject(error ?? cause);
  }
}

const issueOf = ({ message }: Error): StructureIssue =>
  /absolute path|relative path|invalid characters/.test(message) ? 'unsafe_entry' : 'broken_archive';

function refuseListing(listing: readonly Entry[]): void {
  const unsafe = listing.findIndex((entry) => entry.isEncrypted() || isLink(entry));
  if (unsafe !== -1) refuseArchive('unsafe_entry', unsafe + 1);
  const shared = overlapping(listing);
  if (shared !== undefined) refuseArchive('unsafe_entry', listing.indexOf(shared) + 1);
  const total = listing.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0);
  if (total > mostExpandedBytes) refuseArchive('too_large');
}

/** Reads the file type of Unix, when the archive was made there. Returns true for anything but a plain file or a folder. */
function isLink({ externalFileAttributes }: Entry): boolean {
  const type = (externalFileAttributes >>> 16) & 0xf000;
  return type !== 0 && type !== 0x8000 && type !== 0x4000;
}

/** Returns an entry whose bytes belong to another entry too: such archives decompress to far more than was sent. */
function overlapping(entries: readonly Entry[]): Entry | undefined {
  const ranges = entries
    .map((entry) => {
      const { relativeOffsetOfLocalHeader: from, compressedSize, fileNameLength } = entry;
      return { entry, from, to: from + localHeaderBytes + fileNameLength + compressedSize };
    })
    .sort((one, other) => one.from - other.from);
  return ranges.find(({ from }, at) => from < (ranges[at - 1]?.to ?? 0))?.entry;
}

/** Reads an entry to its end, so that entries which are not imported are checked too. */
async function checkBytes(archive: ZipFile, entry: Entry): Promise<void> {
  const pieces = expanded(archive, entry);
  while (!(await pieces.next()).done);
}

/** Throws VALIDATION_ERROR when the bytes do not have the size and checksum of the directory. */
async function* expanded(archive: ZipFile, entry: Entry): AsyncGenerator<Buffer, void> {
  let checksum = 0;
  try {
    for await (const piece of await streamOf(archive, entry)) {
      checksum = crc32(piece as Buffer, checksum);
      yield piece as Buffer;
    }
  } catch (error) {
    if (isOfArchive(error)) refuseArchive('broken_archive');
    throw error;
  }
  if (checksum >>> 0 !== entry.crc32 >>> 0) refuseArchive('broken_archive');
}

/** Errors of the code that consumes the pieces arrive here too. */
const isOfArchive = (error: unknown): boolean => error instanceof Error && error.constructor === Error;

function streamOf(archive: ZipFile, entry: Entry): Promise<NodeJS.ReadableStream> {
  return new Promise((resolve, reject) => {
    archive.openReadStream(entry, (error, stream) => (stream ? resolve(stream) : reject(error)));
  });
}
