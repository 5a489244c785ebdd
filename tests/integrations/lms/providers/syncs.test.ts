// Connections are synchronized by themselves, once a day, and when a person asks; what a person has to decide is left to them.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { jobsOf } from '#core/module/capability.ts';
import type { Job } from '#core/platform/queue/queue.ts';
import { beginDueSyncs, nextRunAt } from '#integrations/lms/scheduled/schedule.ts';
import { relayAll } from '../../../../workers/relay.ts';
import { buildClass, buildUser } from '../../../harness/factories.ts';
import { useApp } from '../../../harness/http.ts';
import { json, useAnsweringServer } from '../../../harness/lms/answering-server.ts';
import {
  classRow,
  enrollment,
  type OneRosterService,
  type OneRosterSettings,
  serveOneRoster,
  user12,
} from '../../../harness/lms/one-roster.ts';
import { buildTenant, type Tenant } from '../../../harness/world.ts';
import { RosterAdmin } from '../walk.ts';
import { storeConnection } from './connections.ts';

const server = await useAnsweringServer(test);
const app = useApp(test, { rules: true, settings: { LMS_TRUSTED_HOSTS: server.host } });
const { owner } = app.database;
const admin = new RosterAdmin(app, () => tenant.people.ADMIN);
let tenant: Tenant;
let classId = 0;

test.before.each(async () => {
  await owner('lms_connection').update({ nextRunAt: null });
  tenant = await buildTenant(app);
  const { organizationId, school } = tenant;
  classId = (await buildClass(owner, { organizationId, schoolId: school.id, grade: 3 })).id;
});

const hourMs = 3_600_000;
const roster: Pick<OneRosterSettings, 'classes' | 'users' | 'enrollments'> = {
  classes: [classRow('c-1')],
  users: [user12('s-1', 'student', { grades: ['03'] }), user12('s-2', 'student', { givenName: 'ريم' })],
  enrollments: [enrollment('e-1', 'c-1', 's-1', 'student'), enrollment('e-2', 'c-1', 's-2', 'student')],
};

async function connect(service: OneRosterService) {
  const { root, tokenUrl, clientId, clientSecret } = service;
  const made = { organizationId: tenant.organizationId, connectedBy: tenant.people.ADMIN.id };
  return storeConnection(app, made, { root, tokenUrl, clientId, clientSecret, scope: null });
}

/** One who is mapped, to the class of the tenant. */
async function connected(lists: Partial<OneRosterSettings> = roster) {
  const connection = await connect(serveOneRoster(server, lists));
  const { status, body } = await admin.map({ 'c-1': classId });
  assert.is(status, 200, JSON.stringify(body));
  return connection;
}

const syncNow = (id: string) =>
  app.post<{ syncRunId: string; code: string; details: { issue: string }[] }>(
    `/api/lms/connections/${id}/sync-now`,
    undefined,
    admin.token,
  );

/** What the workers do. */
async function work(): Promise<void> {
  const { reactions, handlers } = jobsOf(app.services.capabilities);
  const jobs: Job[] = [];
  await relayAll(app.services, { add: async (more: readonly Job[]) => void jobs.push(...more) } as never, reactions);
  for (const { queue, data } of jobs) {
    if (!queue.startsWith('lms-')) continue;
    await handlers.find((one) => one.queue === queue)?.handle(app.services, data, new AbortController().signal);
  }
}

interface RunView {
  readonly syncRunId: string;
  readonly trigger: string;
  readonly state: string;
  readonly counts: Readonly<Record<string, number>> | null;
  readonly previewId: string | null;
  readonly errorCode: string | null;
}

const runs = async () => (await app.get<{ items: RunView[] }>('/api/lms/sync-runs', admin.token)).body.items;
const connectionRow = (id: string) => owner('lms_connection').where({ id }).first();
const studentsOfClass = () => owner('enrollment').where({ classId, enrolledTo: null });

test('asked for by hand: 202, the same run while it is under way, and then what it did', async () => {
  const { id } = await connected();
  await owner('lms_connection').where({ id }).update({ connectedBy: tenant.people.MANAGER.id });
  const before = (await studentsOfClass()).length;
  const first = await syncNow(id);
  const second = await syncNow(id);
  assert.equal([first.status, second.status], [202, 202]);
  assert.is(first.body.syncRunId, second.body.syncRunId);
  await work();
  const [run, ...others] = await runs();
  assert.equal(others, []);
  assert.equal(
    [run?.syncRunId, run?.trigger, run?.state, run?.errorCode],
    [first.body.syncRunId, 'manual', 'succeeded', null],
  );
  assert.equal(run?.counts, { created: 4, updated: 0, skipped: 0, conflicts: 0 });
  assert.is((await studentsOfClass()).length, before + 2);
  const row = await connectionRow(id);
  assert.is(new Date(row.lastSyncAt).getTime(), app.clock.now().getTime());
  assert.is(new Date(row.nextRunAt).getTime(), nextRunAt(id, app.clock.now()).getTime());
  const entries = await owner('audit_entry').where({
    organizationId: tenant.organizationId,
    requestId: run?.syncRunId,
  });
  assert.ok(entries.length > 0);
  assert.ok(entries.every(({ actorUserId }) => actorUserId === tenant.people.ADMIN.id));
  assert.is.not((await syncNow(id)).body.syncRunId, first.body.syncRunId);
});

test('by itself: due when the Clock has passed its time, once, and again 20 to 24 hours after', async () => {
  const { id } = await connected();
  const due = new Date(app.clock.now().getTime() + 60_000);
  await owner('lms_connection').where({ id }).update({ nextRunAt: due });
  app.clock.set(new Date(due.getTime() - 1));
  await beginDueSyncs(app.services);
  assert.equal(await runs(), []);
  app.clock.set(due);
  await Promise.all([beginDueSyncs(app.services), beginDueSyncs(app.services)]);
  await work();
  const [run, ...others] = await runs();
  assert.equal([run?.trigger, run?.state, others], ['scheduled', 'succeeded', []]);
  const hours = (new Date((await connectionRow(id)).nextRunAt).getTime() - due.getTime()) / hourMs;
  assert.ok(hours >= 20 && hours < 24, String(hours));
});

test('the place among the four hours is that of the connection, and they are spread', () => {
  const at = new Date('2026-01-15T08:00:00Z');
  const places = Array.from({ length: 400 }, (_, n) => nextRunAt(`connection-${n}`, at).getTime() - at.getTime());
  assert.ok(places.every((ms) => ms >= 20 * hourMs && ms < 24 * hourMs));
  for (const hour of [20, 21, 22, 23]) {
    const share = places.filter((ms) => Math.floor(ms / hourMs) === hour).length / places.length;
    assert.ok(share > 0.15 && share < 0.35, `${hour}: ${share}`);
  }
  assert.is(nextRunAt('one', at).getTime(), nextRunAt('one', at).getTime());
});

test('conflicts are left as a preview that can be opened, resolved and committed; the rest is made so', async () => {
  const other = await buildUser(owner, 'PARENT', { organizationId: tenant.organizationId });
  const users = [...roster.users, user12('s-3', 'student', { email: other.email })];
  const enrollments = [...roster.enrollments, enrollment('e-3', 'c-1', 's-3', 'student')];
  const { id } = await connected({ ...roster, users, enrollments });
  const before = (await studentsOfClass()).length;
  await syncNow(id);
  await work();
  const [run] = await runs();
  assert.equal([run?.state, run?.counts?.conflicts], ['partial', 1]);
  assert.is((await studentsOfClass()).length, before + 2);
  const preview = await admin.read(run?.previewId ?? '');
  assert.equal([preview.state, preview.summary.conflict], ['ready', 1]);
  const open = preview.rows.filter(({ action }) => action !== 'skip');
  assert.equal(
    open.map(({ entity, action, reasonCode }) => [entity, action, reasonCode]),
    [
      ['student', 'conflict', 'email_belongs_to_other_persona'],
      ['enrollment', 'create', 'new_enrollment'],
    ],
  );
  app.clock.advance(1_000);
  await syncNow(id);
  await work();
  const [next] = await runs();
  assert.equal([next?.state, next?.counts?.created, next?.counts?.conflicts], ['partial', 0, 1]);
  await admin.resolveAll(preview.previewId, 'email_belongs_to_other_persona', 'accept_lms');
  const committed = await admin.commit(preview.previewId);
  assert.is(committed.status, 200, JSON.stringify(committed.body));
  assert.equal([committed.body.created, committed.body.updated], [2, 0]);
  assert.is((await studentsOfClass()).length, before + 3);
});

test('a second sync of the same roster changes nothing and succeeds', async () => {
  const { id } = await connected();
  await syncNow(id);
  await work();
  app.clock.advance(1_000);
  await syncNow(id);
  await work();
  const [again] = await runs();
  assert.equal([again?.state, again?.counts], ['succeeded', { created: 0, updated: 0, skipped: 4, conflicts: 0 }]);
});

test('a provider in trouble ends the run with its word, and the next one is set', async () => {
  const connection = await connected();
  for (const [answer, errorCode] of [
    [503, 'provider_unavailable'],
    [429, 'provider_rate_limited'],
    [302, 'provider_protocol'],
  ] as const) {
    const service = serveOneRoster(server, roster, (_, response) => {
      json(response, {}, {}, answer);
      return true;
    });
    assert.ok(service);
    app.clock.advance(1_000);
    await syncNow(connection.id);
    await work();
    const [run] = await runs();
    assert.equal([run?.state, run?.errorCode, run?.counts], ['error', errorCode, null]);
    assert.is(new Date((await connectionRow(connection.id)).nextRunAt).getTime() > app.clock.now().getTime(), true);
  }
});

test('a provider that refuses in the middle ends run and connection, and no sync is asked for any more', async () => {
  const { id } = await connected();
  const service = serveOneRoster(server, roster, ({ url }) => {
    if (url.pathname.endsWith('/users')) {
      service.tokens.clear();
      service.refusesTokens = true;
    }
    return false;
  });
  const before = (await studentsOfClass()).length;
  await syncNow(id);
  await work();
  const [run, ...others] = await runs();
  assert.equal([run?.state, run?.errorCode, others], ['error', 'grant_revoked', []]);
  const row = await connectionRow(id);
  assert.equal([row.status, row.nextRunAt], ['revoked', null]);
  assert.is((await studentsOfClass()).length, before);
  const again = await syncNow(id);
  assert.equal([again.status, again.body.details[0]?.issue], [409, 'connection_not_active']);
});

test('without a mapping none is asked for, and a due one leaves no run', async () => {
  const { id } = await connect(serveOneRoster(server, roster));
  const { status, body } = await syncNow(id);
  assert.equal([status, body.details[0]?.issue], [409, 'no_mappings']);
  await owner('lms_connection').where({ id }).update({ nextRunAt: app.clock.now() });
  await beginDueSyncs(app.services);
  assert.equal(await runs(), []);
});

test('a connection that ends while its sync waits ends the sync too', async () => {
  const { id } = await connected();
  await syncNow(id);
  await app.delete(`/api/lms/connections/${id}`, admin.token);
  await work();
  const [run] = await runs();
  assert.equal([run?.state, run?.errorCode], ['error', 'grant_revoked']);
});

test.run();
