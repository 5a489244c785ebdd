// Archives that are none, and archives that mean harm, are refused as a whole.
import { test } from 'uvu';
import { smallSet } from '../sets.ts';
import { bytesOf, type Faulty, useUploads, zipped } from './uploads.ts';

const uploads = useUploads(test);
const set = smallSet();

const faulty: Faulty = [
  ['an archive that is none', { 'a.zip': Buffer.from('no archive') }, 'files', 'not_an_archive'],
  ['a cut archive', { 'a.zip': zipped(set).subarray(0, 200) }, 'files', 'broken_archive'],
  ['a path', { 'a.zip': zipped(set, { '../users.csv': new Uint8Array(3) }) }, 'files:5', 'unsafe_entry'],
  ['a folder', { 'a.zip': zipped(set, { 'in/orgs.csv': new Uint8Array(3) }) }, 'files:5', 'unsafe_entry'],
  ['an absolute path', { 'a.zip': zipped(set, { '/etc/passwd': new Uint8Array(3) }) }, 'files:5', 'unsafe_entry'],
  ['an archive within', { 'a.zip': zipped(set, { 'b.zip': zipped(set) }) }, 'files:5', 'unsafe_entry'],
  ['an archive beside files', { ...bytesOf(set), 'b.zip': zipped(set) }, 'files:5', 'unsafe_entry'],
  [
    'a name twice, but for capitals',
    { 'a.zip': zipped(set, { 'USERS.csv': new Uint8Array(3) }) },
    'files:5',
    'unsafe_entry',
  ],
  ['a sent path', { ...set, '../orgs.csv': '' }, 'files:5', 'unsafe_entry'],
  [
    'too many entries',
    {
      'a.zip': zipped({}, Object.fromEntries(Array.from({ length: 41 }, (_, at) => [`f${at}.csv`, new Uint8Array(1)]))),
    },
    'files',
    'too_many_entries',
  ],
  ['a bomb', { 'a.zip': zipped({}, { 'users.csv': new Uint8Array(62 * 1024 * 1024) }) }, 'files', 'too_large'],
  ['rows without end', { 'a.zip': zipped(set, { 'users.csv': rowsOf(500_001) }) }, 'users.csv', 'too_large'],
  ['a bomb that lies about its size', { 'a.zip': lying() }, 'files', 'broken_archive'],
  ['an encrypted entry', { 'a.zip': patched({ flags: 1 }) }, 'files:1', 'unsafe_entry'],
  ['a link', { 'a.zip': patched({ attributes: 0xa1ff0000 }) }, 'files:1', 'unsafe_entry'],
  ['a wrong checksum', { 'a.zip': patched({ checksum: 1 }) }, 'files', 'broken_archive'],
  [
    'a wrong checksum of a file that no one reads',
    { 'a.zip': unreadEntry({ checksum: 1 }) },
    'files',
    'broken_archive',
  ],
  ['a wrong size of a file that no one reads', { 'a.zip': unreadEntry({ size: 4 }) }, 'files', 'broken_archive'],
  ['entries that share bytes', { 'a.zip': overlapping() }, 'files:2', 'unsafe_entry'],
];

interface Change {
  readonly flags?: number;
  readonly attributes?: number;
  readonly checksum?: number;
  readonly size?: number;
}

/** Nothing is wrong with any of them. */
function rowsOf(count: number): Uint8Array {
  const rows = Array.from({ length: count }, (_, at) => `${at},student,x,y`);
  return new TextEncoder().encode(['sourcedId,role,givenName,familyName', ...rows].join('\n'));
}

/** The first entry of the directory, changed there. */
function patched(change: Change): Buffer {
  const bytes = zipped(set);
  return patchedAt(bytes, bytes.indexOf('PK\u0001\u0002'), change);
}

/** The last one, whose file no import reads. */
function unreadEntry(change: Change): Buffer {
  const bytes = zipped(set, { 'notes.csv': new TextEncoder().encode('a,b,c') });
  return patchedAt(bytes, bytes.lastIndexOf('PK\u0001\u0002'), change);
}

function patchedAt(bytes: Buffer, at: number, change: Change): Buffer {
  if (change.flags !== undefined) bytes.writeUInt16LE(change.flags, at + 8);
  if (change.checksum !== undefined) bytes.writeUInt32LE(change.checksum, at + 16);
  if (change.size !== undefined) bytes.writeUInt32LE(change.size, at + 24);
  if (change.attributes !== undefined) {
    bytes.writeUInt16LE(0x0314, at + 4);
    bytes.writeUInt32LE(change.attributes, at + 38);
  }
  return bytes;
}

function lying(): Buffer {
  return patched({ size: 3 });
}

/** The second entry begins where the first one does. */
function overlapping(): Buffer {
  const bytes = zipped(set);
  const first = bytes.indexOf('PK\u0001\u0002');
  const second = bytes.indexOf('PK\u0001\u0002', first + 1);
  bytes.writeUInt32LE(bytes.readUInt32LE(first + 42), second + 42);
  return bytes;
}

uploads.refuses(faulty);

test.run();
