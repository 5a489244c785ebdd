// A OneRoster service is connected once it has given a token and a page, and tried without being connected.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { useApp } from '../../../harness/http.ts';
import { useAnsweringServer } from '../../../harness/lms/answering-server.ts';
import { testCertificate } from '../../../harness/lms/certificate.ts';
import { classRow, type OneRosterService, serveOneRoster, user12 } from '../../../harness/lms/one-roster.ts';
import { buildTenant, type Tenant } from '../../../harness/world.ts';
import { jsonFiles, manifest, smallSet } from '../sets.ts';

const server = await useAnsweringServer(test, { encrypted: true });
const app = useApp(test, {
  rules: true,
  settings: { LMS_TRUSTED_HOSTS: `${server.host},127.0.0.1:9` },
  lmsClient: { ca: testCertificate },
});
const { owner } = app.database;
let tenant: Tenant;

test.before.each(async () => {
  tenant = await buildTenant(app);
});

interface Body {
  readonly code: string;
  readonly details: readonly { field: string; issue: string }[];
  readonly retryAfter: number;
}

const lists = { classes: ['c-1', 'c-2', 'c-3', 'c-4'].map((id) => classRow(id)), users: [user12('s-1', 'student')] };
const bodyOf = ({ baseUrl, tokenUrl, clientId, clientSecret }: OneRosterService, more: object = {}) => ({
  ...{ type: 'rest', baseUrl, tokenUrl, clientId, clientSecret },
  ...more,
});
const submit = (body: object) =>
  app.post<Body>('/api/lms/connections/oneroster/token', body, { token: tenant.people.ADMIN.token });
const attempt = (body: object) => app.post('/api/lms/connections/test', body, { token: tenant.people.ADMIN.token });
const stored = () => owner('lms_connection').where({ organizationId: tenant.organizationId });

test('a service that gives a token and a page is connected, its secret sealed, its first sync set', async () => {
  const service = serveOneRoster(server, lists);
  const { status, body } = await submit(bodyOf(service));
  const [row] = await stored();
  assert.equal(
    [status, body],
    [201, { id: row.id, provider: 'oneroster', connectionStatus: 'active', lastSyncAt: null }],
  );
  assert.equal(
    [row.kind, row.connectedBy, row.credentialsKeyId],
    ['rest', tenant.people.ADMIN.id, app.services.cipher.keyIds[0]],
  );
  assert.not.match(JSON.stringify(row), service.clientSecret);
  const hours = (new Date(row.nextRunAt).getTime() - app.clock.now().getTime()) / 3_600_000;
  assert.ok(hours >= 20 && hours < 24, String(hours));
  const list = await app.get<{ items: object[] }>('/api/lms/oneroster/courses', { token: tenant.people.ADMIN.token });
  assert.equal([list.status, list.body.items.length], [200, 4]);
});

test('a second one is refused before the service is asked', async () => {
  const service = serveOneRoster(server, lists);
  await submit(bodyOf(service));
  server.received.length = 0;
  for (const body of [bodyOf(service), { type: 'csv', files: jsonFiles(smallSet()) }]) {
    const again = await submit(body);
    assert.equal([again.status, again.body.details[0]?.issue], [409, 'connection_active']);
  }
  assert.is(server.received.length, 0);
});

const refusals: Readonly<Record<string, readonly [object, string, string]>> = {
  'a wrong secret': [{ clientSecret: 'wrong' }, 'clientSecret', 'refused_by_provider'],
  'an unknown scope': [{ scope: 'unknown' }, 'scope', 'refused_by_provider'],
  'no OneRoster': [{ baseUrl: `${server.origin}/elsewhere` }, 'baseUrl', 'no_oneroster'],
  'plain http': [{ baseUrl: 'http://roster.example' }, 'baseUrl', 'address_not_allowed'],
  'a login in the address': [{ tokenUrl: 'https://a:b@roster.example' }, 'tokenUrl', 'address_not_allowed'],
  'a name that leads inside': [{ baseUrl: 'https://localhost:9/' }, 'baseUrl', 'address_not_allowed'],
  'a name that leads nowhere': [{ tokenUrl: 'https://nobody.invalid/' }, 'tokenUrl', 'address_not_allowed'],
};
for (const [what, [change, field, issue]] of Object.entries(refusals)) {
  test(`422, nothing kept: ${what}`, async () => {
    const { status, body } = await submit(bodyOf(serveOneRoster(server, lists), change));
    assert.equal([status, body.code, body.details], [422, 'VALIDATION_ERROR', [{ field, issue }]]);
    assert.equal(await stored(), []);
  });
}

test('open, closed and absent ports of a closed address are answered alike', async () => {
  const { port } = new URL(server.origin);
  const answers = [];
  for (const at of [`https://localhost:${port}/`, 'https://localhost:9/', 'https://10.255.255.1:444/']) {
    answers.push((await submit(bodyOf(serveOneRoster(server, lists), { tokenUrl: at }))).body);
  }
  assert.equal(answers, [answers[0], answers[0], answers[0]]);
});

test('a service that is down is 503 with a time to come back, nothing kept', async () => {
  const { status, body } = await submit(bodyOf(serveOneRoster(server, lists), { tokenUrl: 'https://127.0.0.1:9/' }));
  assert.equal([status, body.code, body.retryAfter > 0], [503, 'ENGINE_UNAVAILABLE', true]);
  assert.equal(await stored(), []);
});

test('only OneRoster is connected this way, and the words of the body are its own', async () => {
  const service = serveOneRoster(server, lists);
  const google = '/api/lms/connections/google_classroom/token';
  assert.is((await app.post(google, bodyOf(service), { token: tenant.people.ADMIN.token })).status, 404);
  const { status, body } = await submit({ ...bodyOf(service), secret: 1, baseUrl: undefined });
  assert.is(status, 422);
  assert.equal(body.details.map(({ field }) => field).sort(), ['baseUrl', 'secret']);
  assert.equal((await submit({ type: 'oauth' })).body.details, [
    { field: 'type', issue: 'is not one of the known values' },
  ]);
});

/** Grades of a class come from its course where it names none; a role that no version knows makes a row unreadable. */
const sampled = {
  'manifest.csv': manifest({ classes: 'bulk', courses: 'bulk', users: 'bulk', enrollments: 'bulk' }),
  'courses.csv': 'sourcedId,grades\nk-1,03\n',
  'classes.csv': [
    'sourcedId,title,grades,courseSourcedId',
    ...['c-1,لغتي,02,k-1', 'c-2,لغتي,,k-1', 'c-3,لغتي,,', 'c-4,لغتي,01,'],
  ].join('\n'),
  'users.csv': [
    'sourcedId,role,givenName,middleName,familyName,email,status',
    ...['s-1,student,نورة,سعد, العتيبي,n@school.example,', 's-2,student,نورة,سعد,العتيبي,,tobedeleted'],
    ...['s-3,pirate,نورة,سعد,العتيبي,,', 's-4,teacher,نورة,سعد,العتيبي,,', 's-5,student,هند,,الحربي,,'],
  ].join('\n'),
};

const ok = (step: string) => ({ step, ok: true, issue: null });

test('a trial tells each step and a few samples, and keeps nothing', async () => {
  const service = serveOneRoster(server, lists);
  const { status, body } = await attempt(bodyOf(service));
  assert.is(status, 200);
  const course = (courseExternalId: string) => ({ courseExternalId, name: 'فصل', section: '3-أ', grade: 3 });
  assert.equal(body, {
    steps: ['address', 'certificate', 'token', 'scope', 'page'].map(ok),
    samples: {
      courses: ['c-1', 'c-2', 'c-3'].map(course),
      people: [{ externalId: 's-1', fullNameAr: 'سلمى العتيبي', email: null, active: true }],
    },
  });
  assert.equal(await stored(), []);
});

test('a trial ends at the step where something stands in the way, in words, also beside an active connection', async () => {
  const service = serveOneRoster(server, lists);
  await submit(bodyOf(service));
  const samples = { courses: [], people: [] };
  const secret = await attempt(bodyOf(service, { clientSecret: 'wrong' }));
  const issue = 'the service refuses; look at clientSecret';
  assert.equal(secret.body, {
    steps: [ok('address'), ok('certificate'), { step: 'token', ok: false, issue }],
    samples,
  });
  const inside = await attempt(bodyOf(service, { baseUrl: 'https://localhost/' }));
  assert.is((inside.body as { steps: { step: string; ok: boolean }[] }).steps.at(-1)?.step, 'address');
});

test('a trial of files tells the first fault of their structure, or a few rows of each kind', async () => {
  const files = jsonFiles({ ...smallSet(), ...sampled });
  const course = (courseExternalId: string, grade: number | null) => ({
    courseExternalId,
    name: 'لغتي',
    section: null,
    grade,
  });
  const person = (externalId: string, more: object = {}) => ({
    ...{ externalId, fullNameAr: 'نورة سعد العتيبي', email: null, active: true, ...more },
  });
  assert.equal((await attempt({ type: 'csv', files })).body, {
    steps: [ok('csv')],
    samples: {
      courses: [course('c-1', 2), course('c-2', 3), course('c-3', null)],
      people: [person('s-1', { email: 'n@school.example' }), person('s-2', { active: false }), person('s-4')],
    },
  });
  const without = files.filter(({ name }) => name !== 'users.csv');
  assert.equal((await attempt({ type: 'csv', files: without })).body, {
    steps: [{ step: 'csv', ok: false, issue: 'users.csv: missing_file' }],
    samples: { courses: [], people: [] },
  });
  assert.equal(await stored(), []);
  assert.equal(await owner('lms_source_row').where({ organizationId: tenant.organizationId }), []);
});

test.run();
