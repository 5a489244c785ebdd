// A provider that takes back the right to read ends the connection, with everything that follows, in one transaction.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { AppError } from '#core/platform/errors.ts';
import { newId } from '#core/platform/ids.ts';
import type { LmsConnection } from '#integrations/lms/connections/rows.ts';
import { useApp } from '../../../harness/http.ts';
import { json, useAnsweringServer } from '../../../harness/lms/answering-server.ts';
import {
  classRow,
  enrollment,
  type OneRosterService,
  serveOneRoster,
  user12,
} from '../../../harness/lms/one-roster.ts';
import { buildTenant, type Tenant } from '../../../harness/world.ts';
import { rosterOf, storeConnection } from './connections.ts';

const server = await useAnsweringServer(test);
const app = useApp(test, { rules: true, settings: { LMS_TRUSTED_HOSTS: server.host } });
const { owner } = app.database;
let tenant: Tenant;

test.before(async () => {
  tenant = await buildTenant(app);
});

const roster = {
  classes: [classRow('c-1')],
  users: [user12('s-1', 'student')],
  enrollments: [enrollment('e-1', 'c-1', 's-1', 'student')],
};

function connect({ root, tokenUrl, clientId, clientSecret }: OneRosterService): Promise<LmsConnection> {
  const made = { organizationId: tenant.organizationId, connectedBy: tenant.people.ADMIN.id };
  return storeConnection(app, made, { root, tokenUrl, clientId, clientSecret, scope: null });
}

interface Refusal {
  readonly code: string;
  readonly details: readonly { issue: string }[];
}

const courses = () => app.get<Refusal>('/api/lms/oneroster/courses?cache=bypass', { token: tenant.people.ADMIN.token });

const runsOf = (connectionId: string) =>
  owner('lms_sync_run').where({ connectionId }).select('state', 'errorCode', 'trigger', 'endedAt');

const eventsOf = async (connectionId: string) =>
  (await owner('outbox').where({ topic: 'lms.connection_revoked' }).select('organizationId', 'payload')).filter(
    ({ payload }) => payload.connectionId === connectionId,
  );

/** Each with what the run then says. */
const refusals: Readonly<Record<string, readonly [string, (service: OneRosterService) => void]>> = {
  'no token any more': [
    'grant_revoked',
    (service) => {
      service.refusesTokens = true;
    },
  ],
  'a token that it does not take itself': [
    'provider_unauthorized',
    (service) => {
      service.tokens.add = () => service.tokens;
    },
  ],
};

for (const [what, [errorCode, refuse]] of Object.entries(refusals)) {
  test(`${what}: revoked, reported to the one who waits and to the administrators, and stated by a run`, async () => {
    const service = serveOneRoster(server, roster);
    const { id } = await connect(service);
    refuse(service);
    const { status, body } = await courses();
    assert.equal([status, body.code, body.details[0]?.issue], [409, 'CONFLICT', 'connection_revoked']);
    const row = await owner('lms_connection').where({ id }).first();
    assert.equal(
      [row.status, row.sealedCredentials, row.credentialsKeyId, row.nextRunAt, row.endedAt !== null],
      ['revoked', null, null, null, true],
    );
    const [run, ...others] = await runsOf(id);
    assert.equal([run.state, run.errorCode, run.endedAt !== null, others], ['error', errorCode, true, []]);
    assert.equal(await eventsOf(id), [
      { organizationId: tenant.organizationId, payload: { connectionId: id, provider: 'oneroster' } },
    ]);
    assert.is((await courses()).status, 404);
  });
}

test('a 403 ends the connection without a second question', async () => {
  const service = serveOneRoster(server, roster, ({ url }, response) => {
    if (!url.pathname.endsWith('/classes')) return false;
    json(response, { imsx_codeMajor: 'failure' }, {}, 403);
    return true;
  });
  const { id } = await connect(service);
  assert.is((await courses()).status, 409);
  assert.is((await runsOf(id))[0]?.errorCode, 'provider_forbidden');
  assert.is(server.received.filter(({ url }) => url.pathname.endsWith('/classes')).length, 1);
});

test('refused in the middle of a run, it is that run which ends with the error', async () => {
  const service = serveOneRoster(server, roster, ({ url }) => {
    if (!url.pathname.endsWith('/users')) return false;
    service.tokens.clear();
    service.refusesTokens = true;
    return false;
  });
  const connection = await connect(service);
  const { organizationId, id: connectionId, provider, createdAt } = connection;
  const run = { organizationId, id: newId(), connectionId, provider, trigger: 'scheduled', state: 'running' };
  await owner('lms_sync_run').insert({ ...run, createdAt, startedAt: createdAt });
  const error = await rosterOf(app, connection, ['c-1']).then(
    () => undefined,
    (failure: unknown) => failure,
  );
  assert.instance(error, AppError);
  const [ended, ...others] = await runsOf(connectionId);
  assert.equal(
    [ended.trigger, ended.state, ended.errorCode, others.length],
    ['scheduled', 'error', 'grant_revoked', 0],
  );
});

test('of several who are refused at once one ends the connection, and all are reported', async () => {
  const service = serveOneRoster(server, roster);
  const { id } = await connect(service);
  service.refusesTokens = true;
  const answers = await Promise.all([courses(), courses(), courses()]);
  assert.ok(answers.every(({ status }) => status === 409));
  assert.equal([(await runsOf(id)).length, (await eventsOf(id)).length], [1, 1]);
});

test('credentials that no key of the service opens leave the connection as it is', async () => {
  const { id } = await connect(serveOneRoster(server, roster));
  await owner('lms_connection').where({ id }).update({ sealedCredentials: '000000000000.AAAA' });
  assert.is((await courses()).status, 503);
  assert.is((await owner('lms_connection').where({ id }).first()).status, 'active');
  const path = `/api/lms/connections/${id}`;
  assert.is((await app.delete(path, { token: tenant.people.ADMIN.token })).status, 204);
});

test.run();
