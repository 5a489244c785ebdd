// What follows a merge and its undo: support of the account ends as for one who leaves, the other one keeps its own, and
// evidence is read as the other’s from the moment on.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { jobsOf } from '#core/module/capability.ts';
import { newId } from '#core/platform/ids.ts';
import type { Job } from '#core/platform/queue/queue.ts';
import { relayAll } from '../../../workers/relay.ts';
import { openAssignment } from '../../contract/rows/assignments.ts';
import { finishedSession } from '../../contract/rows/diagnostics.ts';
import { draftPacket } from '../../contract/rows/packets.ts';
import { buildStudent, type UserRow } from '../../harness/factories.ts';
import { useApp } from '../../harness/http.ts';
import { buildTenant, type Tenant } from '../../harness/world.ts';
import { buildAlert } from '../rti/alerts/rows.ts';

const app = useApp(test, { rules: true });
const { owner } = app.database;
let tenant: Tenant;

test.before.each(async () => {
  tenant = await buildTenant(app);
  await owner('outbox').update({ relayedAt: app.clock.now() }).whereNull('relayedAt');
});

const admin = () => ({ token: tenant.people.ADMIN.token });
const newStudent = () => buildStudent(owner, tenant.classRow);

interface Merged {
  readonly mergeId: number;
  readonly leftBehind: object;
}

async function merge(from: UserRow, into: UserRow): Promise<Merged> {
  const body = { intoStudentId: into.id, reasonCode: 'duplicate_account' };
  const { status, body: merged } = await app.post<Merged>(`/api/students/${from.id}/merge`, body, admin());
  assert.is(status, 201, JSON.stringify(merged));
  return merged;
}

/** Does what the workers do until nothing waits. */
async function work(): Promise<void> {
  const { services } = app;
  const { reactions, handlers } = jobsOf(services.capabilities);
  for (let jobs: Job[] = []; ; jobs = []) {
    await relayAll(services, { add: async (more: readonly Job[]) => void jobs.push(...more) } as never, reactions);
    if (jobs.length === 0) return;
    for (const { queue, data } of jobs) {
      const handler = handlers.find((one) => one.queue === queue);
      await handler?.handle(services, data, new AbortController().signal);
    }
  }
}

/** An active plan, an open alert, a draft packet, and the third tier. */
async function supported(student: UserRow): Promise<void> {
  await openAssignment(app, student, tenant.classRow.id);
  await buildAlert(owner, student);
  await draftPacket(app, student);
  for (const [fromTier, toTier] of [
    [1, 2],
    [2, 3],
  ]) {
    await owner('tier_movement').insert({
      ...{ organizationId: tenant.organizationId, studentId: student.id, schoolYear: '2025-2026', fromTier, toTier },
      ...{ effectiveOn: '2026-01-10', sourceType: 'rti_decision', sourceId: newId() },
      ...{ decidedBy: tenant.people.TEACHER.id, committedAt: app.clock.now(), ruleVersions: '{}' },
    });
  }
}

const supportOf = async ({ id: studentId }: UserRow) => ({
  plan: (await owner('bundle_assignment').where({ studentId }).first()).state,
  alert: (await owner('rti_alert').where({ studentId }).first()).state,
  alertClosed: (await owner('rti_alert').where({ studentId }).first()).closeReason,
  packet: (await owner('decision_packet').where({ studentId }).first()).status,
});

test('AS-10, ALT-13, PKT-10: plan, alert and packet of the account end, those of the other one stay', async () => {
  const [from, into] = [await newStudent(), await newStudent()];
  for (const student of [from, into]) await supported(student);
  const { leftBehind, mergeId } = await merge(from, into);
  assert.equal(leftBehind, { tier: 3, openAlertKind: 'Student_Alert', plans: 1, packets: 1 });
  await work();
  assert.equal(await supportOf(from), {
    ...{ plan: 'stopped', alert: 'closed', alertClosed: 'student_left', packet: 'rejected' },
  });
  const kept = await supportOf(into);
  assert.equal([kept.plan, kept.packet], ['active', 'draft']);
  const status = await app.get<{ studentId: number; tier: number }>(`/api/rti/students/${from.id}/status`, admin());
  assert.equal([status.body.studentId, status.body.tier], [into.id, 3], 'the tier of the other one');
  await app.post(`/api/student-merges/${mergeId}/undo`, {}, admin());
  await work();
  assert.is((await supportOf(from)).plan, 'stopped', 'what ended is decided again by a person');
});

interface Run {
  readonly trigger: string;
  readonly triggerRef: string;
  readonly input: unknown;
}

const runsOf = ({ id: studentId }: UserRow): Promise<Run[]> =>
  owner('sse_run').where({ studentId }).orderBy('asOf').orderBy('id').select('*');

test('evidence is read as the other one’s after the merge, and as the own again after the undo', async () => {
  const [from, into] = [await newStudent(), await newStudent()];
  const sessionId = await finishedSession(app, from);
  await work();
  const before = await runsOf(from);
  assert.is(before.length, 1);
  app.clock.advance(60_000);
  const { mergeId } = await merge(from, into);
  await work();
  const [run] = await runsOf(into);
  assert.equal([run?.trigger, run?.triggerRef], ['evidence_corrected', String(mergeId)]);
  assert.match(JSON.stringify(run?.input), sessionId);
  assert.equal(await runsOf(from), before, 'the merged account keeps its results');
  app.clock.advance(60_000);
  assert.is((await app.post(`/api/student-merges/${mergeId}/undo`, {}, admin())).status, 200);
  await work();
  const after = (await runsOf(into)).at(-1);
  assert.equal([after?.trigger, after?.triggerRef], ['evidence_corrected', String(mergeId)]);
  assert.not.match(JSON.stringify(after?.input), sessionId);
});

test('evidence that was taken after the merge stays where it was taken', async () => {
  const [from, into] = [await newStudent(), await newStudent()];
  const { mergeId } = await merge(from, into);
  const sessionId = await finishedSession(app, into);
  assert.is((await app.post(`/api/student-merges/${mergeId}/undo`, {}, admin())).status, 200);
  const row = await owner('diagnostic_session').where({ id: sessionId }).first();
  assert.is(row.studentId, into.id);
  await work();
  assert.match(JSON.stringify((await runsOf(into)).at(-1)?.input), sessionId);
  for (const run of await runsOf(from)) assert.not.match(JSON.stringify(run.input), sessionId);
});

test('the merge and its undo are in the audit, under the account that went', async () => {
  const [from, into] = [await newStudent(), await newStudent()];
  const { mergeId } = await merge(from, into);
  await app.post(`/api/student-merges/${mergeId}/undo`, {}, admin());
  const entries = await owner('audit_entry')
    .where({ entity: 'student_merge', entityId: String(from.id) })
    .orderBy('id');
  assert.equal(
    entries.map(({ action, actorUserId, operation }) => [action, actorUserId, operation]),
    [
      ['insert', tenant.people.ADMIN.id, 'mergeStudents'],
      ['update', tenant.people.ADMIN.id, 'unmergeStudents'],
    ],
  );
});

test.run();
