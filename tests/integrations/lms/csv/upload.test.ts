// Uploaded sets: what is a set is kept, as JSON or as a form; what is none is refused with the place of each fault, and nothing
// of it is kept.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { csv, type Files, manifest, rosterSet, smallSet } from '../sets.ts';
import { bytesOf, type Faulty, useUploads, zipped } from './uploads.ts';

const { app, token, send, stored, refuses } = useUploads(test);
const { owner } = app.database;

const ofWindows = (files: Files): Files =>
  Object.fromEntries(Object.entries(files).map(([name, text]) => [name, text.replaceAll('\n', '\r\n')]));

test('a set makes a connection; another one takes its place under the same id', async () => {
  const first = await send(smallSet());
  assert.is(first.status, 201, JSON.stringify(first.body));
  assert.is(await stored(), 3);
  const again = await send(rosterSet({ classes: [], people: [], enrolled: [] }));
  assert.equal([again.status, again.body.id], [200, first.body.id]);
  assert.is(await stored(), 0);
});

test('a set may come as an archive, with a byte order mark, and with lines that end in CRLF', async () => {
  assert.is((await send({ 'roster.zip': zipped(smallSet()) })).status, 201);
  assert.is(await stored(), 3);
  const marked = Object.entries(ofWindows(smallSet())).map(([name, text]) => [name, `\uFEFF${text}`]);
  assert.is((await send(Object.fromEntries(marked))).status, 200);
  assert.is(await stored(), 3);
});

test('a set may come as a form', async () => {
  const form = new FormData();
  form.set('type', 'csv');
  for (const [name, text] of Object.entries(smallSet())) form.append('files', new Blob([text]), name);
  const request = new Request('http://localhost', { method: 'POST', body: form });
  const { status } = await app.request('POST', '/api/lms/connections/oneroster/token', {
    token: token(),
    bytes: Buffer.from(await request.arrayBuffer()),
    headers: { 'content-type': request.headers.get('content-type') ?? '' },
  });
  assert.is(status, 201);
  assert.is(await stored(), 3);
});

test('a delta is laid over what is stored, and over nothing it is refused', async () => {
  const delta = rosterSet({ mode: 'delta', people: [{ id: 'student-1', status: 'tobedeleted' }, { id: 'student-2' }] });
  assert.equal((await send(delta)).body.details, [{ field: 'files', issue: 'no_bulk_set' }]);
  await send(smallSet());
  assert.is((await send(delta)).status, 200);
  const users = await owner('lms_source_row').where({ file: 'users' }).orderBy('externalId');
  assert.equal(
    users.map(({ externalId, content }) => [externalId, content.active]),
    [
      ['student-1', false],
      ['student-2', true],
    ],
  );
});

test('nothing is kept of passwords, phones, identifiers and columns that no one knows', async () => {
  await send(smallSet());
  const texts = JSON.stringify(await owner('lms_source_row').select('content'));
  assert.not.match(texts, /never read|username|org/);
});

const set = smallSet();
const users = (...lines: string[]): Files => ({
  ...set,
  'users.csv': ['sourcedId,role,givenName,familyName,email', ...lines].join('\n'),
});
const without = (name: string): Files => Object.fromEntries(Object.entries(set).filter(([one]) => one !== name));
const withManifest = (text: string): Files => ({ ...set, 'manifest.csv': text });
const good = 'a,student,نورة,س,';

const faulty: Faulty = [
  ['no manifest', { 'users.csv': 'sourcedId' }, 'manifest.csv', 'missing_file'],
  ['no file that the manifest names', without('users.csv'), 'users.csv', 'missing_file'],
  ['a version that no one knows', withManifest(manifest({}, '2.0')), 'manifest.csv:3:value', 'unknown_version'],
  ['a mode that no one knows', withManifest(manifest({ users: 'some' })), 'manifest.csv:10:value', 'unknown_mode'],
  [
    'a property twice',
    withManifest(`${manifest({ classes: 'bulk', users: 'bulk', enrollments: 'bulk' })}file.users,bulk\n`),
    'manifest.csv:11:propertyName',
    'duplicate_property',
  ],
  ['an empty file', { ...set, 'users.csv': '' }, 'users.csv', 'empty_file'],
  ['no UTF-8', { ...bytesOf(set), 'users.csv': Buffer.from([0xff, 0xfe, 0x41]) }, 'users.csv', 'encoding_not_utf8'],
  ['a zero byte', users(good, 'b,stu\0dent,x,y,'), 'users.csv:3', 'nul_byte'],
  ['a quote that is never closed', users(good, 'b,student,"نورة', 'c,student,x,y,'), 'users.csv:3', 'unclosed_quote'],
  ['text after a quote', users(good, 'b,student,"نورة"x,y,'), 'users.csv:3', 'text_after_quote'],
  ['a quote inside a cell without quotes', users('b,student,نو"رة,y,'), 'users.csv:2', 'text_after_quote'],
  [
    'a column missing',
    { ...set, 'users.csv': 'sourcedId,role,givenName\n' },
    'users.csv:1:familyName',
    'missing_column',
  ],
  [
    'a column twice',
    { ...set, 'users.csv': 'sourcedId,role,givenName,familyName,role\n' },
    'users.csv:1:role',
    'duplicate_column',
  ],
  [
    'too many columns',
    { ...set, 'users.csv': Array.from({ length: 201 }, (_, at) => `c${at}`).join(',') },
    'users.csv:1',
    'too_many_columns',
  ],
  ['more cells than columns', users(good, 'b,student,x,y,,z'), 'users.csv:3', 'too_many_fields'],
  ['a record over 64 KiB', users(`b,student,${'x'.repeat(66_000)},y,`), 'users.csv:2', 'too_long'],
  ['a record over 64 KiB in bytes', users(`b,student,${'ن'.repeat(40_000)},y,`), 'users.csv:2', 'too_long'],
  ['no id', users(',student,x,y,'), 'users.csv:2:sourcedId', 'bad_id'],
  ['an id that is too long', users(`${'i'.repeat(256)},student,x,y,`), 'users.csv:2:sourcedId', 'bad_id'],
  [
    'an id twice, behind a record of two lines',
    users('a,student,"x\ny",y,', good),
    'users.csv:4:sourcedId',
    'duplicate_id',
  ],
  [
    'an id twice, behind a record of two lines that end in CRLF',
    ofWindows(users('a,student,"x\ny",y,', good)),
    'users.csv:4:sourcedId',
    'duplicate_id',
  ],
  ['a record of nothing but commas', users(','.repeat(1024 * 1024)), 'users.csv:2', 'too_long'],
  [
    'an organization within itself',
    {
      ...set,
      'manifest.csv': manifest({ orgs: 'bulk', classes: 'bulk', users: 'bulk', enrollments: 'bulk' }),
      'orgs.csv': 'sourcedId,parentSourcedId\na,b\nb,a\n',
    },
    'orgs.csv:2:parentSourcedId',
    'cycle',
  ],
];

refuses(faulty);

test('of many faults a hundred are reported', async () => {
  const rows = Array.from({ length: 150 }, () => ['', 'student', 'x', 'y', '']);
  const sent = { ...set, 'users.csv': csv(['sourcedId', 'role', 'givenName', 'familyName', 'email'], rows) };
  assert.is((await send(sent)).body.details?.length, 100);
});

test.run();
