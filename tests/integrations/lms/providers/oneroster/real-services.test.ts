// Services as schools really have them: words, links and pages that the specification does not know.
import { gzipSync } from 'node:zlib';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { ProviderFault, type RosterRow } from '#integrations/lms/provider.ts';
import type { RestClient } from '#integrations/lms/providers/credentials.ts';
import { eventually } from '../../../../harness/eventually.ts';
import { useApp } from '../../../../harness/http.ts';
import { json, useAnsweringServer } from '../../../../harness/lms/answering-server.ts';
import { testCertificate } from '../../../../harness/lms/certificate.ts';
import {
  classRow,
  enrollment,
  type OneRosterService,
  type OneRosterSettings,
  type Row,
  serveOneRoster,
  user11,
  user12,
} from '../../../../harness/lms/one-roster.ts';
import { buildTenant, type Tenant } from '../../../../harness/world.ts';
import { rosterOf, storeConnection } from '../connections.ts';

const server = await useAnsweringServer(test, { encrypted: true });
const app = useApp(test, {
  rules: true,
  settings: { LMS_TRUSTED_HOSTS: server.host },
  lmsClient: { ca: testCertificate },
});
let tenant: Tenant;

test.before(async () => {
  tenant = await buildTenant(app);
});

function connect({ root, tokenUrl, clientId, clientSecret }: OneRosterService, client?: RestClient) {
  const made = { organizationId: tenant.organizationId, connectedBy: tenant.people.ADMIN.id };
  return storeConnection(app, made, { root, ...(client ?? { tokenUrl, clientId, clientSecret, scope: null }) });
}

const students = (count: number) => Array.from({ length: count }, (_, at) => `s-${at}`);
const lists = (count: number): Pick<OneRosterSettings, 'classes' | 'users' | 'enrollments'> => ({
  classes: [classRow('c-1')],
  users: students(count).map((id) => user11(id, 'student')),
  enrollments: students(count).map((id) => enrollment(`e-${id}`, 'c-1', id, 'student')),
});
const counts = (rows: readonly RosterRow[]) => [
  rows.filter(({ kind }) => kind === 'enrollment').length,
  rows.filter(({ kind }) => kind === 'person').length,
];

type Instead = Parameters<typeof serveOneRoster>[2];
const listed = ({ url }: { readonly url: URL }) => url.pathname.split('/').at(-1) ?? '';

/** Pages of the rows by `limit` and `offset`, of at most `most`, with headers of their own. */
function paged(
  rows: Readonly<Record<string, readonly object[]>>,
  most: number,
  headersOf: (at: number) => object,
): Instead {
  return (received, response) => {
    const all = rows[listed(received)];
    if (!all) return false;
    const offset = Number(received.url.searchParams.get('offset'));
    json(response, { [listed(received)]: all.slice(offset, offset + most) }, { ...headersOf(offset + most) });
    return true;
  };
}

const links: Readonly<Record<string, (at: number) => object>> = {
  'no header at all': () => ({}),
  'a Link without brackets': (at) => ({ link: `${server.origin}/x?offset=${at}; rel="next"` }),
  'a Link that is no address': () => ({ link: '<http://[>; rel="next"' }),
  'a Link of 15 KB of <': () => ({ link: '<'.repeat(15_000) }),
  'an empty Link': () => ({ link: '' }),
};
for (const [what, headersOf] of Object.entries(links)) {
  for (const most of [3, 500]) {
    test(`the whole list is read by pages of ${most}: ${what}`, async () => {
      const { classes, users, enrollments } = lists(10);
      const service = serveOneRoster(server, {}, paged({ classes, users, enrollments }, most, headersOf));
      assert.equal(counts(await rosterOf(app, await connect(service), ['c-1'])), [10, 10]);
    });
  }
}

test('a service that keeps to what was asked for is not asked after its last page', async () => {
  const { classes, users, enrollments } = lists(501);
  const service = serveOneRoster(
    server,
    {},
    paged({ classes, users, enrollments }, 500, () => ({})),
  );
  assert.equal(counts(await rosterOf(app, await connect(service), ['c-1'])), [501, 501]);
  assert.is(server.received.filter((one) => listed(one) === 'users').length, 2);
});

test('a next page with http behind https keeps the own scheme', async () => {
  const { classes, users, enrollments } = lists(10);
  const next = (at: number) => ({
    ...(at < 10 && { link: `<http://${server.host}/ims/oneroster/enrollments?limit=3&offset=${at}>; rel="next"` }),
  });
  const service = serveOneRoster(server, {}, paged({ classes, users: [], enrollments }, 3, next));
  assert.equal(counts(await rosterOf(app, await connect(service), ['c-1'])), [10, 0]);
  assert.is(users.length, 10);
});

test('a page without rows ends a list, whatever it links to', async () => {
  const service = serveOneRoster(server, {}, (received, response) => {
    if (received.url.pathname === '/token') return false;
    const next = new URL(received.url);
    next.searchParams.set('offset', String(server.received.length));
    json(response, { [listed(received)]: [] }, { link: `<${next.href}>; rel="next"` });
    return true;
  });
  assert.equal(await rosterOf(app, await connect(service), ['c-1']), []);
  assert.is(server.received.filter((one) => listed(one) === 'enrollments').length, 1);
});

test('a total that changes between pages: less ends the list, more than there is is no list', async () => {
  const { classes, users, enrollments } = lists(10);
  for (const [total, expected] of [
    [(at: number) => (at > 3 ? 6 : 100), 6],
    [(at: number) => 10 + at, undefined],
  ] as const) {
    const headersOf = (at: number) => ({ 'x-total-count': String(total(at)) });
    const service = serveOneRoster(server, {}, paged({ classes, users, enrollments }, 3, headersOf));
    const read = rosterOf(app, await connect(service), ['c-1']);
    if (expected !== undefined) assert.is(counts(await read)[0], expected);
    else assert.is(await errorOf(read), 'provider_protocol');
  }
});

async function errorOf(asked: Promise<unknown>): Promise<string> {
  const error = await asked.then(
    () => undefined,
    (failure: unknown) => failure,
  );
  return error instanceof ProviderFault ? error.error : String(error);
}

const one = lists(1);
const bodies: Readonly<Record<string, (text: string) => { readonly headers: object; readonly body: Buffer }>> = {
  gzip: (text) => ({ headers: { 'content-encoding': 'gzip' }, body: gzipSync(text) }),
  'a byte order mark': (text) => ({ headers: {}, body: Buffer.from(`\ufeff${text}`) }),
  'both, of more than 16 KiB': (text) => ({
    headers: { 'content-encoding': 'GZIP' },
    body: gzipSync(`\ufeff${text}${' '.repeat(40_000)}`),
  }),
};
for (const [what, send] of Object.entries(bodies)) {
  test(`is read: ${what}`, async () => {
    const service = serveOneRoster(server, {}, (received, response) => {
      const rows = one[listed(received) as keyof typeof one];
      if (!rows) return false;
      const isFirst = received.url.searchParams.get('offset') === '0';
      const { headers, body } = send(JSON.stringify({ [listed(received)]: isFirst ? rows : [] }));
      response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', ...headers }).end(body);
      return true;
    });
    assert.equal(counts(await rosterOf(app, await connect(service), ['c-1'])), [1, 1]);
  });
}

test('numbers may be ids', async () => {
  const users = [{ ...user11('x', 'student'), sourcedId: 7 }] as unknown as Row[];
  const enrollments = [
    { ...enrollment('x', '', '', 'student'), sourcedId: 1, class: { sourcedId: 3 }, user: { sourcedId: 7 } },
  ] as unknown as Row[];
  const rows = await rosterOf(app, await connect(serveOneRoster(server, { users, enrollments })), ['3']);
  assert.equal(
    rows.map((row) => (row.kind === 'enrollment' ? [row.courseExternalId, row.personExternalId] : row.kind)),
    [['3', '7'], 'person'],
  );
});

const hostile: Readonly<Record<string, Instead>> = {
  'more rows than were asked for': (received, response) => {
    json(response, { [listed(received)]: Array.from({ length: 501 }, (_, at) => ({ sourcedId: `x-${at}` })) });
    return true;
  },
  'a page of 2 MiB of {}': (received, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(`{"${listed(received)}":[${'{},'.repeat(690_000)}{}]}`);
    return true;
  },
  'a page of 2 MiB of [': (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('['.repeat(2 * 1024 * 1024));
    return true;
  },
  'a row of 2 MiB of members': (received, response) => {
    const members = Array.from({ length: 120_000 }, (_, at) => `"m${at}":0`).join();
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(`{"${listed(received)}":[{"sourcedId":"x",${members}}]}`);
    return true;
  },
  'a compressed page of 300 MiB': (_, response) => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    response.writeHead(200, headers).end(gzipSync(Buffer.alloc(300 * 1024 * 1024, ' ')));
    return true;
  },
  'what calls itself compressed': (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end('{"classes": []}');
    return true;
  },
  'another compression': (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'br' }).end('x');
    return true;
  },
};
for (const [what, answer] of Object.entries(hostile)) {
  test(`provider_protocol, and everybody else is answered meanwhile: ${what}`, async () => {
    const service = serveOneRoster(server, {}, (received, response) =>
      received.url.pathname === '/token' ? false : (answer?.(received, response) ?? false),
    );
    const connection = await connect(service);
    let isEnded = false;
    const read = errorOf(rosterOf(app, connection, ['c-1'])).finally(() => {
      isEnded = true;
    });
    let longestMs = 0;
    await eventually('the conversation ends', async () => {
      const at = performance.now();
      await fetch(`${app.url()}/healthz`);
      longestMs = Math.max(longestMs, performance.now() - at);
      return isEnded;
    });
    assert.is(await read, 'provider_protocol');
    // Generous: the test's own server makes its pages in this process too. The main thread was silent for 3.2 s before.
    assert.ok(longestMs < 1_500, `/healthz was silent for ${longestMs} ms`);
  });
}

const people: readonly (readonly [string, Row, object])[] = [
  ['status in capitals', user12('s-1', 'student', { status: 'Active' }), { kind: 'person', active: true }],
  ['an unknown status', user12('s-1', 'student', { status: 'current' }), { kind: 'fault' }],
  ['enabledUser 0', user12('s-1', 'student', { enabledUser: 0 }), { kind: 'person', active: false }],
  ['enabledUser FALSE', user12('s-1', 'student', { enabledUser: 'FALSE' }), { kind: 'person', active: false }],
  ['a role in capitals', user12('s-1', 'Student'), { kind: 'person', roles: ['student'] }],
  [
    'deleted, with its id alone',
    { sourcedId: 's-1', status: 'tobedeleted' },
    { kind: 'person', active: false, names: [] },
  ],
  [
    'deleted, with an address that is none',
    user12('s-1', 'student', { status: 'tobedeleted', email: 'n/a' }),
    { kind: 'person', active: false, email: null },
  ],
  [
    'a role that has ended beside one that has not',
    user12('s-1', 'teacher', { roles: [{ role: 'teacher' }, { role: 'student', endDate: '2021-06-30' }] }),
    { kind: 'person', roles: ['teacher'] },
  ],
  [
    'a role whose end only the list settles',
    user12('s-1', 'teacher', { roles: [{ role: 'teacher' }, { role: 'student', endDate: '6/30/2021' }] }),
    { kind: 'person', roles: ['teacher'] },
  ],
];
for (const [what, user, expected] of people) {
  test(`a person: ${what}`, async () => {
    const enrollments = [enrollment('e-1', 'c-1', 's-1', 'student')];
    const service = serveOneRoster(server, { users: [user, user12('s-2', 'student')], enrollments });
    const [, reported] = await rosterOf(app, await connect(service), ['c-1']);
    const seen = Object.fromEntries(Object.keys(expected).map((name) => [name, (reported as never)?.[name]]));
    assert.equal(seen, expected);
  });
}

test('client credentials in the body, and a bearer token that cannot be renewed', async () => {
  const service = serveOneRoster(server, one, ({ url, headers, body }, response) => {
    if (url.pathname !== '/token' || headers.authorization !== undefined) return false;
    const form = new URLSearchParams(body);
    assert.equal([form.get('client_id'), form.get('client_secret')], ['c', 'secret']);
    service.tokens.add('of-the-body');
    json(response, { access_token: 'of-the-body', token_type: 'bearer' });
    return true;
  });
  const client = { tokenUrl: service.tokenUrl, clientId: 'c', clientSecret: 'secret', scope: null };
  const inBody = await connect(service, { ...client, auth: 'body' });
  assert.equal(counts(await rosterOf(app, inBody, ['c-1'])), [1, 1]);
  service.tokens.add('given');
  const bearer = await connect(service, { auth: 'bearer', token: 'given' });
  assert.equal(counts(await rosterOf(app, bearer, ['c-1'])), [1, 1]);
  service.tokens.clear();
  server.received.length = 0;
  await rosterOf(app, bearer, ['c-1']).catch(() => {});
  assert.equal(
    server.received.map((received) => listed(received)),
    ['enrollments'],
  );
  const { owner } = app.database;
  assert.is((await owner('lms_connection').where({ id: bearer.id }).first()).status, 'revoked');
  assert.is(
    (await owner('lms_sync_run').where({ connectionId: bearer.id }).first()).errorCode,
    'provider_unauthorized',
  );
});

test.run();
