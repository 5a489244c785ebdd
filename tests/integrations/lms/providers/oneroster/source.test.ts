// A OneRoster service is read as the specification of its REST binding says, in both versions and with all ways of paging.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { openSource, ProviderFault, type RosterRow } from '#integrations/lms/provider.ts';
import { eventually } from '../../../../harness/eventually.ts';
import { useApp } from '../../../../harness/http.ts';
import { json, useAnsweringServer } from '../../../../harness/lms/answering-server.ts';
import {
  classRow,
  enrollment,
  type OneRosterService,
  type OneRosterSettings,
  serveOneRoster,
  user11,
  user12,
} from '../../../../harness/lms/one-roster.ts';
import { buildTenant, type Tenant } from '../../../../harness/world.ts';
import { rosterOf, storeConnection } from '../connections.ts';

const server = await useAnsweringServer(test);
const app = useApp(test, { rules: true, settings: { LMS_TRUSTED_HOSTS: server.host } });
let tenant: Tenant;

test.before(async () => {
  tenant = await buildTenant(app);
});

function connect({ root, tokenUrl, clientId, clientSecret }: OneRosterService) {
  const made = { organizationId: tenant.organizationId, connectedBy: tenant.people.ADMIN.id };
  return storeConnection(app, made, { root, tokenUrl, clientId, clientSecret, scope: null });
}

const courses = () =>
  app.get<{ items: object[] }>('/api/lms/oneroster/courses?cache=bypass', { token: tenant.people.ADMIN.token });

const roster: Pick<OneRosterSettings, 'classes' | 'users' | 'enrollments'> = {
  classes: [classRow('c-1'), classRow('c-2', { grades: ['01', '02'] }), classRow('c-3', { status: 'tobedeleted' })],
  users: [
    user12('t-1', 'teacher', { email: ' Hind@School.example' }),
    user12('s-1', 'student', { middleName: 'بنت علي', grades: ['03'], agents: [{ sourcedId: 'g-2' }] }),
    user12('s-2', 'student', {
      enabledUser: 'false',
      password: 'secret',
      phone: '0500000000',
      identifier: '1087654321',
    }),
    user12('s-9', 'student'),
    user12('g-1', 'guardian', { agents: [{ sourcedId: 's-1' }, { sourcedId: 's-9' }] }),
    user12('g-2', 'parent'),
    user12('g-3', 'relative', { agents: [{ sourcedId: 's-9' }] }),
  ],
  enrollments: [
    enrollment('e-1', 'c-1', 't-1', 'teacher', { primary: 'true' }),
    enrollment('e-2', 'c-1', 's-1', 'student', { beginDate: '2025-09-01', endDate: '2026-06-30' }),
    enrollment('e-3', 'c-1', 's-2', 'student', { status: 'tobedeleted' }),
    enrollment('e-4', 'c-2', 's-9', 'student'),
  ],
};

const person = (externalId: string, more: object) => ({
  ...{ kind: 'person', externalId, roles: ['student'], names: ['سلمى', null, 'العتيبي'], email: null, active: true },
  ...{ grade: null, childExternalIds: [], ...more },
});
const enrolled = (personExternalId: string, more: object) => ({
  ...{ kind: 'enrollment', courseExternalId: 'c-1', personExternalId, role: 'student', primary: false },
  ...{ from: null, to: null, active: true, ...more },
});
const expected = [
  enrolled('t-1', { role: 'teacher', primary: true }),
  enrolled('s-1', { from: '2025-09-01', to: '2026-06-30' }),
  enrolled('s-2', { active: false }),
  person('t-1', { roles: ['teacher'], email: ' Hind@School.example' }),
  person('s-1', { names: ['سلمى', 'بنت علي', 'العتيبي'], grade: 3 }),
  person('s-2', { active: false }),
];

for (const paging of ['link', 'total', 'nothing'] as const) {
  for (const mostRows of [1, 2, 100]) {
    test(`people and enrollments of the mapped classes alone, pages of ${mostRows} announced by ${paging}`, async () => {
      const connection = await connect(serveOneRoster(server, { ...roster, paging, mostRows }));
      assert.equal(await rosterOf(app, connection, ['c-1']), expected);
      await eventually('connections are let go', () => server.connections() === 0);
    });
  }
}

test('version 1.1 says the same in its own form', async () => {
  const users = roster.users.map(({ roles, ...row }) => ({ ...row, role: (roles as { role: string }[])[0]?.role }));
  const connection = await connect(serveOneRoster(server, { ...roster, version: '1.1', users }));
  assert.equal(await rosterOf(app, connection, ['c-1']), expected);
});

test('nothing is kept of a row but what an import needs', async () => {
  const connection = await connect(serveOneRoster(server, roster));
  const text = JSON.stringify(await rosterOf(app, connection, ['c-1', 'c-2']));
  for (const secret of ['secret', '0500000000', '1087654321']) assert.not.match(text, secret);
});

test('without guardians nothing is stated of their enrollments, be it that one cannot be read', async () => {
  const enrollments = [
    ...roster.enrollments,
    enrollment('e-5', 'c-1', 'g-1', 'guardian'),
    enrollment('e-6', 'c-1', 'g-1', 'guardian', { beginDate: 'soon' }),
  ];
  const connection = await connect(serveOneRoster(server, { ...roster, enrollments }));
  assert.equal(await rosterOf(app, connection, ['c-1']), expected);
});

test('guardians come where they are asked for, whichever side names the other', async () => {
  const connection = await connect(serveOneRoster(server, roster));
  const rows = await rosterOf(app, connection, ['c-1'], { guardians: true });
  const guardians = rows.filter((row) => row.kind === 'person' && row.roles.includes('guardian'));
  assert.equal(guardians, [
    person('g-1', { roles: ['guardian'], childExternalIds: ['s-1'] }),
    person('g-2', { roles: ['guardian'], childExternalIds: ['s-1'] }),
  ]);
});

test('a row whose value is wrong by itself is a fault of that row and of no other', async () => {
  const users = [
    user11('s-1', 'student', { email: 'no address' }),
    user11('s-2', 'student', { givenName: 'س'.repeat(201) }),
    user11('s-3', 'student', { givenName: '', familyName: '' }),
    user11('t-1', 'teacher', { email: 'a@b' }),
    user11('s-4', 'student'),
  ];
  const enrollments = [
    ...['s-1', 's-2', 's-3', 's-4'].map((id) => enrollment(`e-${id}`, 'c-1', id, 'student')),
    enrollment('e-t', 'c-1', 't-1', 'teacher'),
    enrollment('e-d', 'c-1', 's-4', 'student', { beginDate: '2026-02-30' }),
  ];
  const connection = await connect(serveOneRoster(server, { version: '1.1', users, enrollments }));
  const faults = (await rosterOf(app, connection, ['c-1'])).filter(({ kind }) => kind === 'fault');
  const fault = (entity: string, externalId: string, of: object = { courseExternalId: null, role: null }) => ({
    ...{ kind: 'fault', entity, externalId, ...of, issue: 'bad_value' },
  });
  assert.equal(faults, [
    fault('enrollment', 's-4', { courseExternalId: 'c-1', role: 'student' }),
    ...['s-1', 's-2', 's-3'].map((id) => fault('student', id)),
    fault('teacher', 't-1'),
  ]);
});

test('courses are those of the classes, with the one grade that they name', async () => {
  await connect(serveOneRoster(server, roster));
  const none = { mappedClassId: null, suggestedClassId: null };
  assert.equal((await courses()).body.items, [
    { courseExternalId: 'c-1', name: 'فصل', section: '3-أ', grade: 3, ...none },
    { courseExternalId: 'c-2', name: 'فصل', section: '3-أ', grade: null, ...none },
  ]);
});

test('a token that has run out in the middle is renewed once, and the roster is whole', async () => {
  let ranOut = false;
  const service = serveOneRoster(server, { ...roster, mostRows: 1 }, ({ url }) => {
    const inTheMiddle = url.pathname.endsWith('/users') && url.searchParams.get('offset') === '2';
    if (inTheMiddle && !ranOut) service.tokens.clear();
    ranOut ||= inTheMiddle;
    return false;
  });
  assert.equal(await rosterOf(app, await connect(service), ['c-1']), expected);
  assert.is(server.received.filter(({ url }) => url.pathname === '/token').length, 2);
});

async function faultOf(asked: Promise<unknown>): Promise<ProviderFault> {
  const error = await asked.then(
    () => undefined,
    (failure: unknown) => failure,
  );
  assert.instance(error, ProviderFault);
  return error as ProviderFault;
}

const link = (url: string) => ({ link: `<${url}>; rel="next"` });
const faults: Readonly<Record<string, Parameters<typeof serveOneRoster>[2]>> = {
  'a next page on another origin': (_, response) => {
    json(response, { enrollments: [] }, link('https://elsewhere.example/enrollments?offset=1'));
    return true;
  },
  'a next page that is the same one': ({ url }, response) => {
    json(response, { enrollments: [roster.enrollments[0]] }, link(url.href));
    return true;
  },
  'a next page that was read before': ({ url }, response) => {
    const other = url.searchParams.get('offset') === '0' ? '7' : '0';
    const row = enrollment(`e-${url.searchParams.get('offset')}`, 'c-1', 's-1', 'student');
    url.search = new URLSearchParams({ limit: '500', offset: other }).toString();
    json(response, { enrollments: [row] }, link(url.href));
    return true;
  },
  'a page of HTML': (_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<html></html>');
    return true;
  },
  'a list of something else': (_, response) => {
    json(response, { users: [] });
    return true;
  },
  'a row without sourcedId': (_, response) => {
    json(response, { enrollments: [{ status: 'active' }] });
    return true;
  },
  'more rows announced than given': (_, response) => {
    json(response, { enrollments: [] }, { 'x-total-count': '5' });
    return true;
  },
  'no such list': (_, response) => {
    json(response, {}, {}, 404);
    return true;
  },
};
for (const [what, answer] of Object.entries(faults)) {
  test(`provider_protocol, nothing kept and nothing held: ${what}`, async () => {
    const service = serveOneRoster(server, roster, (received, response) =>
      received.url.pathname.endsWith('/enrollments') ? (answer?.(received, response) ?? false) : false,
    );
    const connection = await connect(service);
    assert.is((await faultOf(rosterOf(app, connection, ['c-1']))).error, 'provider_protocol');
    await eventually('connections are let go', () => server.connections() === 0);
    const { owner } = app.database;
    assert.is((await owner('lms_connection').where({ id: connection.id }).first()).status, 'active');
  });
}

test('who reads no further lets go of the connection', async () => {
  const connection = await connect(serveOneRoster(server, { ...roster, mostRows: 1 }));
  const rows: RosterRow[] = [];
  for await (const row of openSource(app.services, connection).readRoster(['c-1'], {
    ...{ guardians: false, today: '2026-01-12' },
  })) {
    rows.push(row);
    break;
  }
  assert.is(rows.length, 1);
  await eventually('connections are let go', () => server.connections() === 0);
});

test('a provider in trouble is 503 for the one who waits, with a time to come back', async () => {
  await connect(serveOneRoster(server, roster, (_, response) => response.writeHead(503).end() !== undefined));
  const { status, body } = await courses();
  assert.equal([status, (body as unknown as { code: string }).code], [503, 'ENGINE_UNAVAILABLE']);
  assert.type((body as unknown as { retryAfter: number }).retryAfter, 'number');
});

test.run();
