// Uploaded sets: what is a set is kept, as JSON or as a form; what is none is refused with the place of each fault, and nothing
// of it is kept.
import { zipSync } from 'fflate';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { useApp } from '../../support/http.ts';
import { buildTenant, type Tenant } from '../../support/world.ts';
import { csv, type Files, jsonFiles, manifest, rosterSet, smallSet } from '../sets.ts';

const app = useApp(test, { rules: true });
const { owner } = app.database;
let tenant: Tenant;

test.before(async () => {
  tenant = await buildTenant(app);
});
test.before.each(async () => {
  await owner('lms_source_row').delete();
  await owner('lms_connection').delete();
});

type Sent = Files | Readonly<Record<string, Uint8Array>>;
interface Answer {
  readonly status: number;
  readonly body: { readonly id?: string; readonly details?: readonly { field: string; issue: string }[] };
}

const send = (set: Sent): Promise<Answer> =>
  app.post(
    '/api/lms/connections/oneroster/token',
    { type: 'csv', files: jsonFiles(set) },
    { token: tenant.people.ADMIN.token },
  );
const stored = async () => Number((await owner('lms_source_row').count('* as count').first())?.count);

const bytesOf = (set: Files) =>
  Object.fromEntries(Object.entries(set).map(([name, text]) => [name, new TextEncoder().encode(text)]));
const zipped = (set: Files, extra: Record<string, Uint8Array> = {}) =>
  Buffer.from(zipSync({ ...bytesOf(set), ...extra }));

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
  const windows = Object.fromEntries(
    Object.entries(smallSet()).map(([name, text]) => [name, `\uFEFF${text.replaceAll('\n', '\r\n')}`]),
  );
  assert.is((await send(windows)).status, 200);
  assert.is(await stored(), 3);
});

test('a set may come as a form', async () => {
  const form = new FormData();
  form.set('type', 'csv');
  for (const [name, text] of Object.entries(smallSet())) form.append('files', new Blob([text]), name);
  const request = new Request('http://localhost', { method: 'POST', body: form });
  const { status } = await app.request('POST', '/api/lms/connections/oneroster/token', {
    token: tenant.people.ADMIN.token,
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

test('nothing is kept of passwords, phones, identifiers and columns that nobody knows', async () => {
  await send(smallSet());
  const texts = JSON.stringify(await owner('lms_source_row').select('content'));
  assert.not.match(texts, /never read|username|org/);
});

const set = smallSet();
const users = (...lines: string[]): Files => ({
  ...set,
  'users.csv': ['sourcedId,role,givenName,familyName,email', ...lines].join('\n'),
});
const withManifest = (text: string): Files => ({ ...set, 'manifest.csv': text });
const good = 'a,student,نورة,س,';

const faulty: readonly (readonly [string, Sent, string, string])[] = [
  ['no manifest', { 'users.csv': 'sourcedId' }, 'manifest.csv', 'missing_file'],
  ['no file that the manifest names', { ...set, 'users.csv': undefined as never }, 'users.csv', 'missing_file'],
  ['a version that nobody knows', withManifest(manifest({}, '2.0')), 'manifest.csv:3:value', 'unknown_version'],
  ['a mode that nobody knows', withManifest(manifest({ users: 'some' })), 'manifest.csv:10:value', 'unknown_mode'],
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
    'an organization within itself',
    {
      ...set,
      'manifest.csv': manifest({ orgs: 'bulk', classes: 'bulk', users: 'bulk', enrollments: 'bulk' }),
      'orgs.csv': 'sourcedId,parentSourcedId\na,b\nb,a\n',
    },
    'orgs.csv:2:parentSourcedId',
    'cycle',
  ],
  ['an archive that is none', { 'a.zip': Buffer.from('no archive') }, 'files', 'not_an_archive'],
  ['a cut archive', { 'a.zip': zipped(set).subarray(0, 200) }, 'files', 'broken_archive'],
  ['a path', { 'a.zip': zipped(set, { '../users.csv': new Uint8Array(3) }) }, 'files', 'unsafe_entry'],
  ['a folder', { 'a.zip': zipped(set, { 'in/orgs.csv': new Uint8Array(3) }) }, 'files', 'unsafe_entry'],
  ['an absolute path', { 'a.zip': zipped(set, { '/etc/passwd': new Uint8Array(3) }) }, 'files', 'unsafe_entry'],
  ['an archive within', { 'a.zip': zipped(set, { 'b.zip': zipped(set) }) }, 'files', 'unsafe_entry'],
  ['an archive beside files', { ...bytesOf(set), 'b.zip': zipped(set) }, 'files', 'unsafe_entry'],
  [
    'a name twice, but for capitals',
    { 'a.zip': zipped(set, { 'USERS.csv': new Uint8Array(3) }) },
    'files',
    'unsafe_entry',
  ],
  ['a sent path', { ...set, '../orgs.csv': '' }, 'files', 'unsafe_entry'],
  [
    'too many entries',
    {
      'a.zip': zipped({}, Object.fromEntries(Array.from({ length: 41 }, (_, at) => [`f${at}.csv`, new Uint8Array(1)]))),
    },
    'files',
    'too_many_entries',
  ],
  ['a bomb', { 'a.zip': zipped({}, { 'users.csv': new Uint8Array(62 * 1024 * 1024) }) }, 'files', 'too_large'],
  ['a bomb that lies about its size', { 'a.zip': lying() }, 'files', 'broken_archive'],
  ['an encrypted entry', { 'a.zip': patched({ flags: 1 }) }, 'files', 'unsafe_entry'],
  ['a link', { 'a.zip': patched({ attributes: 0xa1ff0000 }) }, 'files', 'unsafe_entry'],
  ['a wrong checksum', { 'a.zip': patched({ checksum: 1 }) }, 'files', 'broken_archive'],
  ['entries that share bytes', { 'a.zip': overlapping() }, 'files', 'unsafe_entry'],
];

/** The first entry of the directory, changed there. */
function patched(change: { flags?: number; attributes?: number; checksum?: number; size?: number }): Buffer {
  const bytes = zipped(set);
  const at = bytes.indexOf('PK\u0001\u0002');
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

for (const [name, sent, field, issue] of faulty) {
  test(`${name} is refused as ${issue}, and nothing is kept`, async () => {
    const files = Object.fromEntries(Object.entries(sent).filter(([, content]) => content !== undefined));
    const { status, body } = await send(files as Files);
    assert.is(status, 422);
    assert.equal(body.details?.[0], { field, issue }, JSON.stringify(body.details?.slice(0, 4)));
    assert.is(await stored(), 0);
  });
}

test('of many faults a hundred are told', async () => {
  const rows = Array.from({ length: 150 }, () => ['', 'student', 'x', 'y', '']);
  const sent = { ...set, 'users.csv': csv(['sourcedId', 'role', 'givenName', 'familyName', 'email'], rows) };
  assert.is((await send(sent)).body.details?.length, 100);
});

test.run();
