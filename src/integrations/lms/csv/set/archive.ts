// The files of an upload: as they were sent, or out of one archive, whose every entry is looked at before a byte is expanded.
import { crc32 } from 'node:zlib';
import { type Entry, fromBuffer, type ZipFile } from 'yauzl';
import { refuseArchive, type StructureIssue } from './faults.ts';

const mostEntries = 40;
const mostExpandedBytes = 60 * 1024 * 1024;
/** Four letters of base64 are three bytes: a piece is whole bytes. */
const sentPieceLetters = 64 * 1024;
/** Of a local header, without name and extra fields. */
const localHeaderBytes = 30;
const safeName = /^[A-Za-z0-9_.-]{1,64}$/;

/** As it is sent in JSON: its bytes are made as they are read, and never are all there. */
export interface SentFile {
  readonly name: string;
  readonly contentBase64: string;
}

/** By their names in lower case; each can be read once. */
export type SetFiles = ReadonlyMap<string, () => AsyncIterable<Buffer>>;

/** Throws VALIDATION_ERROR for what no set may be: `files`, or the number of an entry, with one issue. */
export async function filesOf(sent: readonly SentFile[]): Promise<SetFiles> {
  if (sent.length > mostEntries) refuseArchive('too_many_entries');
  const [only] = sent;
  // Whatever it is called.
  if (sent.length === 1 && only && (isArchive(only.name) || beginsAsArchive(only))) {
    return entriesOf(Buffer.from(only.contentBase64, 'base64'));
  }
  refuseNames(sent.map(({ name }) => name));
  return new Map(sent.map(({ name, contentBase64 }) => [name.toLowerCase(), () => piecesOf(contentBase64)]));
}

const isArchive = (name: string) => /\.zip$/i.test(name);

/** The signature of a local header, or of the directory of an archive without entries. */
const signatures = [0x504b0304, 0x504b0506];
const beginsAsArchive = ({ contentBase64 }: SentFile): boolean => {
  const bytes = Buffer.from(contentBase64.slice(0, 8), 'base64');
  return bytes.length >= 4 && signatures.includes(bytes.readUInt32BE());
};

/** No archive within, and none twice, whatever its capitals. `numberOf`: of the name at a place. */
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
  /** Without the folder that all of them lie in. */
  readonly name: string;
  /** Of all of the archive, the first being 1. */
  readonly number: number;
  readonly entry: Entry;
}

/** Without folders, and without what systems put beside the files: `__MACOSX/` and names that begin with a dot. */
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

/** Entries are named in the directory at the archive's end; no more are read than may be there. */
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

/** What the function throws is what the promise is refused with. */
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

/** By the file type of Unix, where an archive was made there: anything but a plain file or a folder. */
function isLink({ externalFileAttributes }: Entry): boolean {
  const type = (externalFileAttributes >>> 16) & 0xf000;
  return type !== 0 && type !== 0x8000 && type !== 0x4000;
}

/** One whose bytes another has too: such entries expand to far more than was sent. */
function overlapping(entries: readonly Entry[]): Entry | undefined {
  const ranges = entries
    .map((entry) => {
      const { relativeOffsetOfLocalHeader: from, compressedSize, fileNameLength } = entry;
      return { entry, from, to: from + localHeaderBytes + fileNameLength + compressedSize };
    })
    .sort((one, other) => one.from - other.from);
  return ranges.find(({ from }, at) => from < (ranges[at - 1]?.to ?? 0))?.entry;
}

/** Of every entry, also of one that nobody reads. */
async function checkBytes(archive: ZipFile, entry: Entry): Promise<void> {
  const pieces = expanded(archive, entry);
  while (!(await pieces.next()).done);
}

/** The directory's size and checksum are those of the bytes, or the archive is refused. */
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

/** What the reader of pieces throws comes through here too. */
const isOfArchive = (error: unknown): boolean => error instanceof Error && error.constructor === Error;

function streamOf(archive: ZipFile, entry: Entry): Promise<NodeJS.ReadableStream> {
  return new Promise((resolve, reject) => {
    archive.openReadStream(entry, (error, stream) => (stream ? resolve(stream) : reject(error)));
  });
}
