// The audit for administrators: the last result at once, another requested when it is old, and a failing check that does not
// affect the others.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { platformOrganizationId } from '#core/platform/pure/platform-organization.ts';
import { type Job, openQueues } from '#core/platform/queue/queue.ts';
import { auditJobs } from '#messaging/qa/audit/jobs.ts';
import { auditOrganization } from '#messaging/qa/audit/run.ts';
import { runRuntimeChecks } from '#messaging/qa/runtime-checks.ts';
import { scheduler } from '../../../../workers/schedules.ts';
import { putInForce } from '../../../backoffice/workbench/next-version.ts';
import { eventually } from '../../../harness/eventually.ts';
import { signIn } from '../../../harness/factories.ts';
import { useApp } from '../../../harness/http.ts';
import { buildWorld, type Person, type World } from '../../../harness/world.ts';
import { capturedLog, noQueues } from '../../../workers/support.ts';
import { changedChecks, shippedChecks } from '../documents.ts';
import { force } from '../force.ts';

const app = useApp(test, { ownEntries: true });
const { services, clock } = app;
const { owner } = app.database;
let world: World;
const added: Job[] = [];

test.before(async () => {
  world = await buildWorld(app);
});

interface Summary {
  readonly asOf: string | null;
  readonly pending: boolean;
  readonly ruleVersion: string;
  readonly checks: readonly { readonly qaCheckId: string; readonly violations: number | null }[];
}
async function summary(person: Person = world.own.people.ADMIN): Promise<Summary> {
  return (await app.get<Summary>('/api/admin/qa/audit-summary', { token: await signIn(app, person) })).body;
}
const countOf = ({ checks }: Summary, id: string) => checks.find(({ qaCheckId }) => qaCheckId === id)?.violations;

/** Runs the work that the sweep finds. */
async function workOff(parts = services): Promise<number> {
  clock.advance(5_000);
  added.length = 0;
  const queues = { ...noQueues, add: async (jobs: readonly Job[]) => void added.push(...jobs) };
  const due = scheduler({ services, queues, log: services.log, schedules: auditJobs.schedules ?? [] });
  await due.tick();
  await due.idle();
  const [handler] = auditJobs.handlers ?? [];
  for (const { data } of added) await handler?.handle(parts, data, new AbortController().signal);
  return added.length;
}

test('at first nothing is known, and it is being found out', async () => {
  const first = await summary();
  assert.equal([first.asOf, first.pending, first.ruleVersion], [null, true, 'qa/checks@3']);
  assert.is(first.checks.length, 22);
  assert.ok(first.checks.every(({ violations }) => violations === null));
});

test('each organization sees its own counts, SUPER the sum; a result that is fresh is not asked for again', async () => {
  await owner('class_teacher').where({ organizationId: world.own.organizationId }).delete();
  assert.is(await workOff(), 1);
  const own = await summary();
  assert.equal([own.pending, countOf(own, 'CLASS_WITHOUT_TEACHER')], [false, 2]);
  assert.is(countOf(own, 'RULE_CHECKSUM_DIFFERS'), 0, 'the platform’s own, not the organization’s');
  assert.equal(await summary(), own);
  assert.is(await workOff(), 0);
  const all = await summary(world.superAdmin);
  assert.equal([all.pending, all.asOf], [true, own.asOf]);
  assert.is(await workOff(), 3);
  const summed = await summary(world.superAdmin);
  assert.equal([countOf(summed, 'CLASS_WITHOUT_TEACHER'), countOf(summed, 'RULE_CHECKSUM_DIFFERS')], [2, 0]);
  const other = await summary(world.other.people.ADMIN);
  assert.is(countOf(other, 'CLASS_WITHOUT_TEACHER'), 0);
});

test('one that is older than five minutes is answered, and another one is asked for once', async () => {
  const before = await summary();
  clock.advance(5 * 60_000);
  const [one, two] = await Promise.all([summary(), summary()]);
  for (const { asOf, pending } of [one, two]) assert.equal([asOf, pending], [before.asOf, true]);
  assert.is(await workOff(), 1);
  assert.ok(String((await summary()).asOf) > String(before.asOf));
});

test('a probe that fails is not counted, is logged, and harms no other', async () => {
  clock.advance(5 * 60_000);
  await summary();
  const { log, lines } = capturedLog();
  const broken = services.capabilities.map((one) => ({
    ...one,
    ...(one.probes && {
      probes: one.probes.map((probe) =>
        probe.check === 'TWO_OPEN_ENROLLMENTS' ? { ...probe, findings: 'select nothing' } : probe,
      ),
    }),
  }));
  await workOff({ ...services, log, capabilities: broken as typeof services.capabilities });
  const read = await summary();
  assert.equal([countOf(read, 'TWO_OPEN_ENROLLMENTS'), countOf(read, 'CLASS_WITHOUT_TEACHER')], [null, 2]);
  assert.equal(
    lines.map(({ checkId, level }) => [checkId, level]),
    [['TWO_OPEN_ENROLLMENTS', 50]],
  );
});

test('a hundred subjects are named, all are counted', async () => {
  const { organizationId, people } = world.own;
  for (let at = 0; at < 103; at += 1)
    await force(owner, 'enrollment', {
      ...{ organizationId, studentId: 1_000_000 + at, classId: world.own.classRow.id },
      ...{ enrolledFrom: '2025-09-01', enrolledTo: '2025-10-01' },
    });
  assert.ok(people.STUDENT.id < 1_000_000);
  clock.advance(60 * 60_000);
  await summary();
  await workOff();
  assert.is(countOf(await summary(), 'TENANT_MISMATCH'), 103);
  assert.is((await owner('platform_alert').where({ organizationId, code: 'TENANT_MISMATCH' })).length, 100);
});

test('thresholds at both ends of their range: every check still runs', async () => {
  for (const [version, threshold] of [
    [4, 1],
    [5, 2_678_400],
  ] as const) {
    const all = shippedChecks.map(({ qaCheckId }) => [qaCheckId, { threshold }]);
    await putInForce(app, changedChecks(Object.fromEntries(all), version));
    const { log, lines } = capturedLog();
    const watched = { ...services, log };
    await runRuntimeChecks(watched, noQueues);
    await auditOrganization(watched, world.other.organizationId);
    await auditOrganization(watched, platformOrganizationId);
    assert.equal(lines, []);
  }
});

test('work that waits at the first run of a process is not reported, and is reported at the second', async () => {
  const { organizationId } = world.own;
  const createdAt = new Date(clock.now().getTime() - 40 * 86_400_000);
  await owner('outbox').insert({ organizationId, topic: 'x', payload: '{}', createdAt });
  const queues = { ...noQueues };
  const reportedRows = async () => {
    await runRuntimeChecks(services, queues);
    return (await owner('platform_alert').where({ organizationId, code: 'OUTBOX_STUCK' })).length;
  };
  assert.equal([await reportedRows(), await reportedRows()], [0, 1]);
});

test('a process that is stopped leaves the request open for another', async () => {
  clock.advance(10 * 60_000);
  const { asOf } = await summary();
  const stopped = new AbortController();
  stopped.abort();
  await auditOrganization(services, world.own.organizationId, stopped.signal);
  const left = await summary();
  assert.equal([left.asOf, left.pending], [asOf, true]);
});

test('through the queue: what an administrator asks for is counted by a worker', async () => {
  const queues = openQueues({ log: services.log, postgres: { connectionString: app.database.appUrl } });
  const [handler] = auditJobs.handlers ?? [];
  assert.ok(handler);
  const worker = queues.work(handler.queue, handler.concurrency, (data) =>
    handler.handle(services, data, new AbortController().signal),
  );
  const [sweep] = auditJobs.schedules ?? [];
  await sweep?.run(services, queues);
  await eventually('the result is there', async () => !(await summary()).pending);
  await worker.close();
  await queues.close();
});

test.run();
