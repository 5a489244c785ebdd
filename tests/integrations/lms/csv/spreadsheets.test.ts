// Sets as spreadsheets and archivers of real schools make them.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type Files, manifest, smallSet } from '../sets.ts';
import { bytesOf, type Faulty, useUploads, zipped } from './uploads.ts';

const uploads = useUploads(test);

const changed = (set: Files, change: (text: string) => string): Files =>
  Object.fromEntries(Object.entries(set).map(([name, text]) => [name, change(text)]));
const set = smallSet();

const readable: Readonly<Record<string, Readonly<Record<string, Uint8Array | string>>>> = {
  semicolons: changed(set, (text) => text.replaceAll(',', ';')),
  tabs: changed(set, (text) => text.replaceAll(',', '\t')),
  'quoted headers with semicolons': changed(set, (text) =>
    text.replaceAll(',', ';').replace(/^.*$/m, (header) => header.replace(/[^;]+/g, '"$&"')),
  ),
  'columns without a name': changed(set, (text) => text.replaceAll('\n', ',,,\n')),
  'rows of separators alone': changed(set, (text) => `${text},,\n, ,\n,\n`),
  'a byte order mark and CRLF': changed(set, (text) => `\ufeff${text.replaceAll('\n', '\r\n')}`),
  'blank rows in the tree of schools': {
    ...set,
    'manifest.csv': manifest({ classes: 'bulk', users: 'bulk', enrollments: 'bulk', orgs: 'bulk' }),
    'orgs.csv': 'sourcedId,name,parentSourcedId\no1,x,\n,,\n,,\n',
  },
  'an archive of a Mac': {
    'a.zip': zipped(inFolder(set, 'roster/'), {
      ...{ 'roster/': new Uint8Array(), '__MACOSX/roster/._users.csv': new Uint8Array(7) },
      'roster/.DS_Store': new Uint8Array(9),
    }),
  },
  'an archive with dot files beside': { 'a.zip': zipped(set, { '.DS_Store': new Uint8Array(9) }) },
  'an archive whose name is free': { 'تصدير 12 (1).zip': zipped(set) },
  'an archive that is not called one': { 'export from the school': zipped(set) },
};

function inFolder(files: Files, folder: string): Files {
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [folder + name, text]));
}

for (const [what, files] of Object.entries(readable)) {
  test(`is read: ${what}`, async () => {
    const { status, body } = await uploads.send(files as Files);
    assert.is(status, 201, JSON.stringify(body));
    assert.is(await uploads.stored(), 3);
  });
}

const text = (bytes: readonly number[]) => Uint8Array.from(bytes);
const faulty: Faulty = [
  ['a header with commas over rows with semicolons', headerOfCommas(), 'users.csv:2', 'wrong_separator'],
  [
    'UTF-16, as spreadsheets save it',
    { ...bytesOf(set), 'users.csv': new Uint8Array(Buffer.from(`\ufeff${set['users.csv']}`, 'utf16le')) },
    'users.csv',
    'encoding_not_utf8',
  ],
  [
    'Arabic in the code page 1256',
    { ...bytesOf(set), 'classes.csv': text([...Buffer.from('sourcedId,title\nclass-1,'), 0xdd, 0xd5, 0xe1]) },
    'classes.csv',
    'encoding_not_utf8',
  ],
  [
    'two folders',
    { 'a.zip': zipped(set, { 'one/x.csv': text([1]), 'two/y.csv': text([1]) }) },
    'files:5',
    'unsafe_entry',
  ],
  [
    'a file beside the common folder',
    { 'a.zip': zipped(inFolder(set, 'roster/'), { 'x.csv': text([1]) }) },
    'files:1',
    'unsafe_entry',
  ],
  ['a folder in the common folder', { 'a.zip': zipped(inFolder(set, 'a/b/')) }, 'files:1', 'unsafe_entry'],
];

function headerOfCommas(): Files {
  const [header, ...rows] = (set['users.csv'] ?? '').split('\n');
  return { ...set, 'users.csv': [header, ...rows.map((row) => row.replaceAll(',', ';'))].join('\n') };
}

uploads.refuses(faulty);

test('after a missing column a file adds no further details, and the others are looked at', async () => {
  const rows = Array.from({ length: 200 }, () => 'active,x,,').join('\n');
  const { status, body } = await uploads.send({
    ...set,
    'users.csv': `status,givenName,familyName,role\n${rows}\n"unclosed`,
    'enrollments.csv': 'sourcedId,classSourcedId,role\nx,y,z\n',
    'classes.csv': 'sourcedId,title\nclass-1,x\nclass-1,x\n',
  });
  assert.is(status, 422);
  assert.equal(body.details, [
    { field: 'classes.csv:3:sourcedId', issue: 'duplicate_id' },
    { field: 'users.csv:1:sourcedId', issue: 'missing_column' },
    { field: 'enrollments.csv:1:userSourcedId', issue: 'missing_column' },
  ]);
});

test.run();
