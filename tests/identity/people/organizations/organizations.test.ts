// Organizations: creation, allowed values of fields, immutable fields.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { newId } from '#core/platform/ids.ts';
import { useApp } from '../../../harness/http.ts';
import { buildWorld, type World } from '../../../harness/world.ts';

const app = useApp(test);
let world: World;

test.before(async () => {
  world = await buildWorld(app);
});

type Body = Record<string, unknown>;

const input = (change: Body = {}): Body => ({
  name: 'مدارس الأمل',
  slug: `amal-${newId()}`,
  country: 'SA',
  defaultLocale: 'ar',
  ...change,
});

const create = (body: Body) => app.post<Body>('/api/organizations', body, { token: world.superAdmin.token });
const patch = (body: Body) =>
  app.patch<Body>(`/api/organizations/${world.own.organizationId}`, body, { token: world.own.people.ADMIN.token });

test('a new organization has default settings', async () => {
  const body = input();
  const { status, body: made } = await create(body);
  assert.is(status, 201);
  const { id, createdAt, ...fields } = made;
  assert.match(String(id), /^[a-z][a-z0-9]{23}$/);
  assert.is(createdAt, app.clock.now().toISOString());
  assert.equal(fields, {
    ...body,
    isDemo: false,
    allowedGoogleDomains: [],
    timeZone: 'Asia/Riyadh',
    weekend: [5, 6],
    holidays: [],
    minClusterSize: 2,
  });
});

test('a new organization stores the given settings', async () => {
  const given = {
    timeZone: 'Africa/Cairo',
    weekend: [7],
    allowedGoogleDomains: ['amal.edu.sa'],
    defaultLocale: 'ar-EG',
  };
  const { status, body } = await create(input({ ...given, country: 'EG', isDemo: true }));
  assert.is(status, 201);
  for (const [field, value] of Object.entries(given)) assert.equal(body[field], value);
  assert.is(body.isDemo, true);
});

for (const slug of ['abc', 'a-b', '0a1', 'a'.repeat(63), 'a--b']) {
  test(`slug "${slug.slice(0, 12)}" (${slug.length}) is accepted`, async () => {
    assert.is((await create(input({ slug }))).status, 201);
  });
}

for (const slug of [
  '',
  'a',
  'ab',
  '-ab',
  'ab-',
  'Abc',
  'a_b',
  'a b',
  'a.b',
  'عربي',
  'a'.repeat(64),
  'abc\n',
  7,
  null,
]) {
  // Two letters: the pattern requires one to 61 characters between the first and the last.
  test(`slug ${JSON.stringify(slug).slice(0, 12)} is 422`, async () => {
    const { status, body } = await create(input({ slug }));
    assert.is(status, 422, JSON.stringify(body));
    assert.is((body.details as { field: string }[])[0]?.field, 'slug');
  });
}

test('a slug in use is 409, and of ten concurrent requests one succeeds', async () => {
  const slug = `race-${newId()}`;
  const replies = await Promise.all(Array.from({ length: 10 }, () => create(input({ slug }))));
  assert.equal(replies.map(({ status }) => status).sort(), [201, ...Array(9).fill(409)]);
  const late = await create(input({ slug }));
  assert.is(late.body.code, 'CONFLICT');
  assert.is((late.body.details as { issue: string }[])[0]?.issue, 'slug_taken');
});

for (const [field, value] of [
  ['country', 'sa'],
  ['country', 'SAU'],
  ['defaultLocale', 'arabic_'],
  ['timeZone', 'Mars/Olympus'],
  ['weekend', [0]],
  ['weekend', [8]],
  ['weekend', [5, 5]],
  ['allowedGoogleDomains', ['not a domain']],
  ['name', ''],
  ['name', '   '],
  ['isDemo', 'yes'],
] as const) {
  test(`${field} ${JSON.stringify(value)} is 422`, async () => {
    const { status, body } = await create(input({ [field]: value }));
    assert.is(status, 422);
    assert.ok(String((body.details as { field: string }[])[0]?.field).startsWith(field));
  });
}

test('an administrator changes settings; holidays are calendar dates', async () => {
  const change = { name: 'اسم آخر', weekend: [6, 7], holidays: ['2026-09-23', '2026-02-22'], minClusterSize: 3 };
  const { status, body } = await patch(change);
  assert.is(status, 200, JSON.stringify(body));
  for (const [field, value] of Object.entries(change)) assert.equal(body[field], value);
  const read = await app.get(`/api/organizations/${world.own.organizationId}`, {
    token: world.own.people.MANAGER.token,
  });
  assert.equal(read.body, body);
});

for (const change of [{ slug: 'another' }, { country: 'EG' }, { isDemo: true }, { id: 'x' }, {}]) {
  test(`${JSON.stringify(change)} cannot be changed`, async () => {
    assert.is((await patch(change)).status, 422);
  });
}

for (const [field, value] of [
  ['minClusterSize', 1],
  ['minClusterSize', 6],
  ['holidays', ['2026-02-30']],
  ['holidays', ['23.09.2026']],
] as const) {
  test(`changing ${field} to ${JSON.stringify(value)} is 422`, async () => {
    assert.is((await patch({ [field]: value })).status, 422);
  });
}

test('a time zone has its present or its former name', async () => {
  for (const timeZone of [
    'Asia/Kolkata',
    'Asia/Calcutta',
    'Europe/Kyiv',
    'Etc/UTC',
    'America/Argentina/Buenos_Aires',
  ]) {
    const { status, body } = await create(input({ timeZone }));
    assert.equal([status, body.timeZone], [201, timeZone], timeZone);
    assert.equal([(await patch({ timeZone })).status], [200], timeZone);
  }
  for (const timeZone of ['+03:00', 'BST', 'SystemV/PST8'])
    assert.is((await patch({ timeZone })).status, 422, timeZone);
});

test.run();
