// Google Classroom is read as its API documents it, with a token that is renewed by the sign-in's client.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { AppError } from '#core/platform/errors.ts';
import { ProviderFault } from '#integrations/lms/provider.ts';
import { eventually } from '../../../../harness/eventually.ts';
import { useApp } from '../../../../harness/http.ts';
import { type ApiReply, startGoogle, type TestGoogle } from '../../../../harness/lms/google.ts';
import { buildTenant, type Tenant } from '../../../../harness/world.ts';
import { rosterOf } from '../connections.ts';
import { classroomFlow, frontend } from './flow.ts';

const google = await startGoogle();
const app = useApp(test, {
  rules: true,
  settings: {
    ...google.settings,
    ...{ FRONTEND_URL: frontend, PORT: '3456', RATE_LIMIT_IP_PER_MINUTE: '100000' },
    LMS_GUARDIAN_IMPORT_ENABLED: 'true',
  },
});
const { owner } = app.database;
const flow = classroomFlow(app, google);
let tenant: Tenant;

test.before.each(async () => {
  tenant = await buildTenant(app);
  Object.assign(google, { tokenError: undefined, api: apiOf(lists) } satisfies Partial<TestGoogle>);
  google.apiRequests.length = 0;
});
test.after(() => google.close());

async function connect() {
  const reported = await flow.outcome(tenant.people.ADMIN.token);
  return owner('lms_connection')
    .where({ id: reported.get('connectionId') ?? '' })
    .first();
}

const profile = (id: string, givenName: string, familyName: string, emailAddress?: string) => ({
  ...{ id, name: { givenName, familyName, fullName: `${givenName} ${familyName}` }, emailAddress },
});
const member = (courseId: string, userId: string, who: object) => ({ courseId, userId, profile: who });
const salma = profile('u-1', 'سلمى', 'العتيبي');
const omar = profile('u-2', 'عمر', 'القحطاني', 'omar@school.example');
const hind = profile('u-3', 'هند', 'الحربي', 'hind@school.example');
const mother = profile('g-1', 'نورة', 'العتيبي', 'nora@mail.example');

const lists: Readonly<Record<string, readonly [string, readonly object[]]>> = {
  '/v1/courses': [
    'courses',
    [
      { id: 'c-1', name: 'لغتي', section: '3-أ', courseState: 'ACTIVE' },
      { id: 'c-2', name: 'لغتي', courseState: 'ACTIVE' },
    ],
  ],
  '/v1/courses/c-1/students': ['students', [member('c-1', 'u-1', salma), member('c-1', 'u-2', omar)]],
  '/v1/courses/c-1/teachers': ['teachers', [member('c-1', 'u-3', hind)]],
  '/v1/courses/c-2/students': ['students', [member('c-2', 'u-1', salma)]],
  '/v1/courses/c-2/teachers': ['teachers', []],
  '/v1/userProfiles/-/guardians': [
    'guardians',
    [
      { studentId: 'u-1', guardianId: 'g-1', guardianProfile: mother, invitedEmailAddress: 'nora@mail.example' },
      { studentId: 'u-9', guardianId: 'g-2', guardianProfile: mother },
    ],
  ],
};

/** One row a page; an empty list is left out, as Google does. */
function apiOf(from: typeof lists): TestGoogle['api'] {
  return (path, query) => {
    const [name, rows] = from[path] ?? [];
    if (name === undefined || !rows) return null;
    const at = Number(query.get('pageToken') ?? 0);
    const more = at + 1 < rows.length && { nextPageToken: String(at + 1) };
    return { body: { ...(rows.length > 0 && { [name]: rows.slice(at, at + 1) }), ...more } };
  };
}

const person = (externalId: string, names: readonly (string | null)[], more: object) => ({
  ...{ kind: 'person', externalId, roles: ['student'], names, email: null, active: true, grade: null },
  ...{ childExternalIds: [], ...more },
});
const enrolled = (courseExternalId: string, personExternalId: string, role = 'student') => ({
  ...{ kind: 'enrollment', courseExternalId, personExternalId, role },
  ...{ primary: false, from: null, to: null, active: true },
});
const people = [
  person('u-1', ['سلمى', null, 'العتيبي'], {}),
  person('u-2', ['عمر', null, 'القحطاني'], { email: 'omar@school.example' }),
  person('u-3', ['هند', null, 'الحربي'], { email: 'hind@school.example', roles: ['teacher'] }),
];

const courses = (query = '?cache=bypass') =>
  app.get<{ items: readonly object[]; code: string }>(`/api/lms/google_classroom/courses${query}`, {
    token: tenant.people.ADMIN.token,
  });

test('courses are the active ones, without a grade', async () => {
  await connect();
  const none = { grade: null, mappedClassId: null, suggestedClassId: null };
  assert.equal((await courses()).body.items, [
    { courseExternalId: 'c-1', name: 'لغتي', section: '3-أ', ...none },
    { courseExternalId: 'c-2', name: 'لغتي', section: null, ...none },
  ]);
  assert.match(google.apiRequests[0] ?? '', /courseStates=ACTIVE/);
});

test('the list is kept for five minutes of the Clock, and asked for again where it is bypassed', async () => {
  await connect();
  for (const query of ['', '', '?cache=bypass']) assert.is((await courses(query)).status, 200);
  assert.is(google.apiRequests.length, 4);
  app.clock.advance(5 * 60_000);
  await courses('');
  assert.is(google.apiRequests.length, 6);
});

test('everybody once, with the roles of all courses, and then who is in which', async () => {
  assert.equal(await rosterOf(app, await connect(), ['c-1', 'c-2']), [
    ...[enrolled('c-1', 'u-1'), enrolled('c-1', 'u-2'), enrolled('c-1', 'u-3', 'teacher'), enrolled('c-2', 'u-1')],
    ...people,
  ]);
  assert.is(
    google.apiRequests.some((request) => request.includes('guardians')),
    false,
  );
});

test('guardians of these students, where they are asked for', async () => {
  const rows = await rosterOf(app, await connect(), ['c-1'], { guardians: true });
  assert.equal(rows.slice(-1), [
    person('g-1', ['نورة', null, 'العتيبي'], {
      ...{ roles: ['guardian'], email: 'nora@mail.example', childExternalIds: ['u-1'] },
    }),
  ]);
  assert.is(rows.filter(({ kind }) => kind === 'person').length, 4);
});

test('a course that is gone says nothing of any person, and the others are read', async () => {
  const rows = await rosterOf(app, await connect(), ['c-9', 'c-1']);
  assert.equal(rows[0], { kind: 'course_gone', courseExternalId: 'c-9' });
  assert.is(rows.length, 1 + 3 + 3);
});

test('asked too often, by any of the words of Google, is no refusal: it is asked again', async () => {
  const connection = await connect();
  for (const reason of ['rateLimitExceeded', 'userRateLimitExceeded', 'quotaExceeded']) {
    let refused = 0;
    const usual = apiOf(lists);
    google.api = (path, query) => {
      if (refused++ < 2)
        return { status: 403, body: { error: { code: 403, errors: [{ domain: 'usageLimits', reason }] } } };
      return usual(path, query);
    };
    assert.is((await courses()).status, 200, reason);
  }
  assert.is((await owner('lms_connection').where({ id: connection.id }).first()).status, 'active');
});

test('asked too often for good: 503 with the time that Google names, and the connection stays', async () => {
  const connection = await connect();
  const limited: ApiReply = { status: 429, headers: { 'retry-after': '30' }, body: { error: { code: 429 } } };
  google.api = () => limited;
  const { status, body } = await courses();
  assert.equal([status, (body as unknown as { retryAfter: number }).retryAfter], [503, 30]);
  assert.is((await owner('lms_connection').where({ id: connection.id }).first()).status, 'active');
});

async function failureOf(asked: Promise<unknown>): Promise<unknown> {
  return asked.then(
    () => undefined,
    (failure: unknown) => failure,
  );
}

const runsOf = async (connectionId: string) =>
  (await owner('lms_sync_run').where({ connectionId }).select('errorCode')).map(({ errorCode }) => errorCode);

test('a 403 for any other reason ends the connection', async () => {
  const connection = await connect();
  google.api = () => ({ status: 403, body: { error: { code: 403, errors: [{ reason: 'forbidden' }] } } });
  assert.instance(await failureOf(rosterOf(app, connection, ['c-1'])), AppError);
  assert.equal(await runsOf(connection.id), ['provider_forbidden']);
});

test('a grant that was taken back ends the connection, a refused client of the operator does not', async () => {
  const connection = await connect();
  google.tokenError = { status: 401, error: 'invalid_client' };
  const failure = await failureOf(rosterOf(app, connection, ['c-1']));
  assert.is((failure as ProviderFault).error, 'provider_configuration');
  assert.is((await courses()).status, 503);
  assert.equal(await runsOf(connection.id), []);
  google.tokenError = { status: 400, error: 'invalid_grant' };
  assert.is((await courses()).status, 409);
  assert.equal(await runsOf(connection.id), ['grant_revoked']);
  assert.is((await courses()).status, 404);
});

test('a token that has run out in the middle is renewed', async () => {
  const connection = await connect();
  const usual = apiOf(lists);
  let ranOut = false;
  google.api = (path, query) => {
    if (!ranOut) {
      ranOut = true;
      google.forgetTokens();
      return { status: 401, body: { error: { code: 401 } } };
    }
    return usual(path, query);
  };
  assert.is((await rosterOf(app, connection, ['c-1'])).length, 6);
});

for (const [what, body] of Object.entries({
  'a page token that was given before': {
    ...{ students: [{ courseId: 'c-1', userId: 's-1', profile: salma }], nextPageToken: 'again' },
  },
  'a list of something else': { students: 'none' },
  'a row without userId': { students: [{ courseId: 'c-1', profile: salma }] },
  'no object': [salma],
})) {
  test(`provider_protocol: ${what}`, async () => {
    const connection = await connect();
    google.api = () => ({ body });
    const failure = await failureOf(rosterOf(app, connection, ['c-1']));
    assert.instance(failure, ProviderFault);
    assert.is((failure as ProviderFault).error, 'provider_protocol');
  });
}

const forbidden = (error: object): ApiReply => ({ status: 403, body: { error: { code: 403, ...error } } });
const oldForm = (reason: string) => ({ errors: [{ domain: 'usageLimits', reason }] });
const newForm = (reason: string) => ({
  ...{ status: 'PERMISSION_DENIED' },
  details: [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason, domain: 'googleapis.com' }],
});

for (const [what, error, expected] of [
  ['the API is not switched on', oldForm('accessNotConfigured'), 'provider_configuration'],
  ['the API is not switched on, in the new form', newForm('SERVICE_DISABLED'), 'provider_configuration'],
  ['the project has no billing', newForm('BILLING_DISABLED'), 'provider_configuration'],
  ['too often', oldForm('userRateLimitExceeded'), 'provider_rate_limited'],
  ['too often, in the new form', newForm('RATE_LIMIT_EXCEEDED'), 'provider_rate_limited'],
  ['too often, by status alone', { status: 'RESOURCE_EXHAUSTED' }, 'provider_rate_limited'],
] as const) {
  test(`a 403 that says nothing of the right to read leaves the connection active: ${what}`, async () => {
    const connection = await connect();
    google.api = () => forbidden(error);
    const failure = await failureOf(rosterOf(app, connection, ['c-1']));
    assert.is((failure as ProviderFault).error, expected);
    assert.is((await owner('lms_connection').where({ id: connection.id }).first()).status, 'active');
  });
}

test('a course that alone is forbidden is reported as that, and ends nothing', async () => {
  const connection = await connect();
  const usual = apiOf(lists);
  google.api = (path, query) => (path.startsWith('/v1/courses/c-2/') ? forbidden(newForm('x')) : usual(path, query));
  const rows = await rosterOf(app, connection, ['c-1', 'c-2']);
  assert.equal(
    rows.filter(({ kind }) => kind.startsWith('course_')),
    [{ kind: 'course_forbidden', courseExternalId: 'c-2' }],
  );
  assert.is(rows.filter(({ kind }) => kind === 'enrollment').length, 3);
  assert.is((await owner('lms_connection').where({ id: connection.id }).first()).status, 'active');
});

test('a student whose address cannot be one comes without it; a teacher, or the one who has no name, cannot be read', async () => {
  const connection = await connect();
  const all = {
    ...lists,
    '/v1/courses/c-1/students': [
      'students',
      [
        member('c-1', 'u-1', profile('u-1', 'سلمى', 'العتيبي', 'n/a')),
        member('c-1', 'u-2', profile('u-2', 'عمر', 'القحطاني', `${'x'.repeat(70)}@school.example`)),
        { courseId: 'c-1', userId: 'u-4' },
      ],
    ],
    '/v1/courses/c-1/teachers': ['teachers', [member('c-1', 'u-3', profile('u-3', 'هند', 'الحربي', 'n/a'))]],
  } as const;
  google.api = apiOf(all);
  const people = (await rosterOf(app, connection, ['c-1'])).filter(({ kind }) => kind !== 'enrollment');
  assert.equal(
    people.map((row) => (row.kind === 'person' ? [row.externalId, row.email] : row.kind)),
    [['u-1', null], ['u-2', null], 'fault', 'fault'],
  );
});

test('a disconnected grant is given back to Google, after all else', async () => {
  const { id } = await connect();
  google.revoked.length = 0;
  const reply = await app.delete(`/api/lms/connections/${id}`, { token: tenant.people.ADMIN.token });
  assert.is(reply.status, 204);
  await eventually('Google is notified', () => google.revoked.length === 1);
  assert.is((await owner('lms_connection').where({ id }).first()).sealedCredentials, null);
});

test.run();
