// The undo of a roll-over (contract 12 §3): what comes back, what stays, and what keeps it from being undone.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { newId } from '#core/platform/ids.ts';
import { answersOf, buildDiagnostic } from '../../../assessment/skill-status/evidence.ts';
import { openAssignment } from '../../../contract/rows/assignments.ts';
import { draftPacket } from '../../../contract/rows/packets.ts';
import { signIn, type UserRow } from '../../../harness/factories.ts';
import { useApp } from '../../../harness/http.ts';
import { type Refusal, type RollingSchool, rollingSchool, september } from './school.ts';

const test = suite('undo of a roll-over');
const app = useApp(test, { rules: true });
const { owner } = app.database;

test.before.each(() => app.clock.set(september));

interface Undone {
  readonly rollOverId: number;
  readonly students: number;
  readonly removedClassIds: readonly number[];
  readonly keptClassIds: readonly number[];
}

const later = (hours: number) => app.clock.advance(hours * 3_600_000);
const as = async (user: UserRow) => ({ token: await signIn(app, user) });

/** A school with two students of grade 1 and one of grade 4, rolled over. */
async function rolled() {
  const at = await rollingSchool(app);
  const [first, fourth] = [await at.classOf(1), await at.classOf(4)];
  const [child, other, leaver] = [await at.student(first), await at.student(first), await at.student(fourth)];
  const teacher = await at.teacher(first);
  const { rollOverId, classes } = (await at.rollOver()).body;
  later(1);
  return { ...{ at, first, fourth, child, other, leaver, teacher, rollOverId }, madeId: classes[0]?.toClassId ?? 0 };
}

const refuses = async (at: RollingSchool, id: number | null, issue: string, students: readonly UserRow[]) => {
  const { status, body } = await at.undo(id);
  assert.is(status, 409, JSON.stringify(body));
  assert.equal(
    body.details,
    students.map(({ id: studentId }) => ({ field: `students.${studentId}`, issue })),
  );
};

test('its enrollments go, those it ended are open again, the class that it made goes', async () => {
  const { at, first, fourth, child, other, leaver, madeId, rollOverId } = await rolled();
  await owner('class').where({ id: first.id }).update({ archivedAt: app.clock.now() });
  const { status, body } = await at.undo<Undone>(rollOverId);
  assert.is(status, 200);
  assert.equal([body.students, body.removedClassIds, body.keptClassIds], [3, [madeId], []]);
  for (const student of [child, other]) {
    assert.equal(await at.placeOf(student), { classId: first.id, enrolledFrom: '2025-08-31' });
    assert.is((await owner('enrollment').where({ studentId: student.id })).length, 1);
  }
  assert.is((await at.placeOf(leaver))?.classId, fourth.id);
  assert.is(await owner('class').where({ id: madeId }).first(), undefined);
  assert.is((await owner('class').where({ id: first.id }).first('archivedAt')).archivedAt, null);
  const { lastRollOver, betweenClasses } = await at.detail();
  assert.equal([lastRollOver?.rollOverId, lastRollOver?.undoneAt], [rollOverId, app.clock.now().toISOString()]);
  assert.is(betweenClasses, 3);
});

test('a second undo is refused, two at once undo once, and it may be rolled over again', async () => {
  const { at, child, rollOverId } = await rolled();
  const both = await Promise.all([at.undo(rollOverId), at.undo(rollOverId)]);
  assert.equal(both.map(({ status }) => status).sort(), [200, 409]);
  const { body } = await at.undo(rollOverId);
  assert.equal(body.details, [{ field: '', issue: 'undone' }]);
  const again = await at.rollOver();
  assert.is(again.status, 201);
  assert.is((await at.placeOf(child))?.classId, again.body.classes[0]?.toClassId);
});

test('what was only started ends with the undo: the session EXPIRED, the reading ABANDONED', async () => {
  const { at, child, other, rollOverId, teacher } = await rolled();
  const session = await app.post<{ sessionId: string }>('/api/diagnostic-sessions/start', {}, await as(child));
  assert.is(session.status, 201, JSON.stringify(session.body));
  await app.post(`/api/diagnostic-sessions/${session.body.sessionId}/next-item`, {}, await as(child));
  const reading = await app.post<{ assessmentId: string }>(
    '/api/orf/assessments/start',
    { studentId: other.id },
    await as(teacher),
  );
  assert.is(reading.status, 201, JSON.stringify(reading.body));
  assert.is((await at.undo(rollOverId)).status, 200);
  assert.is((await owner('diagnostic_session').where({ studentId: child.id }).first()).status, 'EXPIRED');
  assert.is((await owner('orf_assessment').where({ studentId: other.id }).first()).status, 'ABANDONED');
  const refused = await app.post<Refusal>('/api/diagnostic-sessions/start', {}, await as(child));
  assert.equal(refused.body.details, [{ field: '', issue: 'no_grade' }]);
});

test('evidence: one response of a diagnostic keeps the roll-over', async () => {
  const { at, child, rollOverId } = await rolled();
  const token = await as(child);
  const { body } = await app.post<{ sessionId: string; formCode: string }>('/api/diagnostic-sessions/start', {}, token);
  assert.ok(body.formCode.startsWith('DIAG-G2-'), body.formCode);
  const next = await app.post<{ served: { servedItemId: string } }>(
    `/api/diagnostic-sessions/${body.sessionId}/next-item`,
    {},
    token,
  );
  const response = { servedItemId: next.body.served.servedItemId, selectedOptionIndex: 0, latencyMs: 3_000 };
  const sent = await app.post(`/api/diagnostic-sessions/${body.sessionId}/responses`, response, token);
  assert.ok(sent.status < 300, JSON.stringify(sent.body));
  await refuses(at, rollOverId, 'evidence', [child]);
  const { status } = await owner('diagnostic_session').where({ studentId: child.id }).first('status');
  assert.is(status, 'IN_PROGRESS');
});

test('evidence: a probe on paper, a mark, a delivery', async () => {
  for (const make of [paperProbe, mark, delivery]) {
    const rolledSchool = await rolled();
    await make(rolledSchool);
    await refuses(rolledSchool.at, rolledSchool.rollOverId, 'evidence', [rolledSchool.child]);
  }
});

type Rolled = Awaited<ReturnType<typeof rolled>>;

async function paperProbe({ child, teacher }: Rolled): Promise<void> {
  const { passageId } = (await app.services.passages.current()).ofGrade(2)[0] ?? { passageId: '' };
  const probe = {
    ...{ studentId: child.id, measureCode: 'ORF_WCPM', passageId, administeredOn: '2026-09-01' },
    ...{ wordsAttempted: 30, errors: 2, elapsedSeconds: 60 },
  };
  const { status, body } = await app.post('/api/cbm/probes', probe, await as(teacher));
  assert.is(status, 201, JSON.stringify(body));
}

async function mark({ child, teacher }: Rolled): Promise<void> {
  const token = await as(teacher);
  const { body } = await app.post<{ assessmentId: string }>(
    '/api/orf/assessments/start',
    { studentId: child.id },
    token,
  );
  const marks = [{ wordIndex: 0, mark: 'incorrect' }];
  const { status, body: answer } = await app.post(`/api/orf/assessments/${body.assessmentId}/mark`, { marks }, token);
  assert.ok(status < 300, JSON.stringify(answer));
}

async function delivery({ at: { organizationId }, child, madeId }: Rolled): Promise<void> {
  const activatedAt = new Date('2026-05-01T08:00:00.000Z');
  const assignmentId = await openAssignment(app, child, madeId, { activatedAt });
  await owner('bundle_delivery').insert({
    ...{ organizationId, schoolYear: '2025-2026', assignmentId, studentId: child.id, sourceType: 'blueprint' },
    ...{ sourceId: newId(), deliveredOn: '2026-09-01', stepNo: 1, halted: false, responses: '{}' },
    recordedAt: app.clock.now(),
  });
}

test('evidence: an answer in practice, which the queue alone is not', async () => {
  const { at, child, rollOverId } = await practising();
  await refuses(at, rollOverId, 'evidence', [child]);
  const started = await practising(false);
  assert.is((await started.at.undo(started.rollOverId)).status, 200);
});

/** A child who practises after the roll-over what was measured before it. */
async function practising(answers = true) {
  const found = await rolled();
  const { child } = found;
  const finishedAt = '2026-05-20T08:00:00.000Z';
  const measured = await buildDiagnostic(owner, child, answersOf({ DEC_WORD: 'UUUU' }), { finishedAt });
  const token = await as(child);
  const queue = await app.post(`/api/practice/queues/seed/${measured}`, {}, token);
  assert.is(queue.status, 201, JSON.stringify(queue.body));
  const path = '/api/practice/queues/current';
  const { body } = await app.post<{ served: { servedItemId: string } | null }>(`${path}/next-item`, {}, token);
  assert.ok(body.served, JSON.stringify(body));
  const response = { servedItemId: body.served.servedItemId, selectedOptionIndex: 0, latencyMs: 3_000 };
  if (!answers) return found;
  const sent = await app.post(`${path}/submit-response`, response, token);
  assert.ok(sent.status < 300, JSON.stringify(sent.body));
  return found;
}

test('evidence: an answer in a warm-up, which a skipped item is not', async () => {
  for (const type of ['skip', 'answer'] as const) {
    const { at, child, rollOverId } = await rolled();
    const token = await as(child);
    const warmup = await app.post<{ warmupSessionId: string; items: { itemId: string }[] }>(
      '/api/warmup/sessions',
      { sessionType: 'TRAINING' },
      token,
    );
    assert.is(warmup.status, 201, JSON.stringify(warmup.body));
    const { warmupSessionId, items } = warmup.body;
    const event = { seq: 1, type, atMs: 0, itemId: items[0]?.itemId };
    const events = [type === 'answer' ? { ...event, selectedOptionIndex: 0 } : event];
    const sent = await app.post(`/api/warmup/sessions/${warmupSessionId}/events`, { events }, token);
    assert.ok(sent.status < 300, JSON.stringify(sent.body));
    if (type === 'answer') await refuses(at, rollOverId, 'evidence', [child]);
    else assert.is((await at.undo(rollOverId)).status, 200);
  }
});

test('evidence: a reading that was stopped with a score and without a mark, also when it is voided', async () => {
  const { at, child, rollOverId, teacher } = await rolled();
  const token = await as(teacher);
  const { body } = await app.post<{ assessmentId: string }>(
    '/api/orf/assessments/start',
    { studentId: child.id },
    token,
  );
  const path = `/api/orf/assessments/${body.assessmentId}`;
  const stop = { reason: 'time_up', elapsedSeconds: 60, lastWordIndex: 20 };
  const stopped = await app.post<{ status: string }>(`${path}/stop`, stop, token);
  assert.equal([stopped.status, stopped.body.status], [200, 'SCORED'], JSON.stringify(stopped.body));
  assert.is((await owner('orf_mark').where({ assessmentId: body.assessmentId })).length, 0);
  await refuses(at, rollOverId, 'evidence', [child]);
  assert.is((await app.post(`${path}/void`, { reasonCode: 'wrong_student' }, token)).status, 201);
  await refuses(at, rollOverId, 'evidence', [child]);
});

test('changed since: a tier was decided', async () => {
  const { at, child, rollOverId } = await rolled();
  await decideTier(child, '2026-08-20T08:00:00.000Z');
  await decideTier(child, app.clock.now().toISOString());
  await refuses(at, rollOverId, 'changed_since', [child]);
  const before = await rolled();
  await decideTier(before.child, '2026-08-20T08:00:00.000Z');
  assert.is((await before.at.undo(before.rollOverId)).status, 200, 'one of before the roll-over');
});

async function decideTier({ id: studentId, organizationId }: UserRow, committedAt: string): Promise<void> {
  await owner('student_support').insert({ organizationId, studentId }).onConflict().ignore();
  await owner('rti_decision').insert({
    ...{ id: newId(), organizationId, schoolYear: '2026-2027', studentId, recommendationId: newId() },
    ...{ decision: 'maintain', recommendedDecision: 'maintain', fromTier: 1, toTier: 1 },
    ...{ effectiveOn: committedAt.slice(0, 10), committedAt, decidedBy: studentId },
    ...{ recommendation: '{}', facts: '{}', ruleVersions: '{}' },
  });
}

test('changed since: a packet was approved, which an open or rejected one is not', async () => {
  const { at, child, rollOverId } = await rolled();
  await approvedPacket(child, app.clock.now().toISOString());
  await refuses(at, rollOverId, 'changed_since', [child]);
  const undecided = await rolled();
  await approvedPacket(undecided.child, '2026-08-20T08:00:00.000Z');
  await draftPacket(app, undecided.other);
  await draftPacket(app, undecided.child, {
    ...{ status: 'rejected', rejectReasonCode: 'Opened_In_Error', closedBy: undecided.child.id },
    closedAt: app.clock.now(),
  });
  assert.is((await undecided.at.undo(undecided.rollOverId)).status, 200);
});

const approvedPacket = (student: UserRow, closedAt: string): Promise<string> =>
  draftPacket(app, student, {
    ...{ status: 'approved', decision: 'maintain', fromTier: 1, toTier: 1, decisionId: newId() },
    ...{ assembledAt: closedAt, evidenceFrom: '2026-05-01', evidenceHash: '0', recommendation: '{}', facts: '{}' },
    ...{ closedBy: student.id, closedAt },
  });

test('changed since: an enrollment has ended, a leaver is back, a plan was activated', async () => {
  const moved = await rolled();
  await moved.at.enroll(await moved.at.classOf(2, 'ب', { academicYear: '2026-2027' }), [moved.child]);
  await refuses(moved.at, moved.rollOverId, 'changed_since', [moved.child]);
  const removed = await rolled();
  const path = `/api/classes/${removed.madeId}/students/${removed.other.id}`;
  assert.is((await app.delete(path, await as(removed.at.admin))).status, 204);
  await refuses(removed.at, removed.rollOverId, 'changed_since', [removed.other]);
  const back = await rolled();
  await back.at.enroll(await back.at.classOf(4, 'ب', { academicYear: '2026-2027' }), [back.leaver]);
  await refuses(back.at, back.rollOverId, 'changed_since', [back.leaver]);
  const planned = await rolled();
  await openAssignment(app, planned.child, planned.madeId);
  await refuses(planned.at, planned.rollOverId, 'changed_since', [planned.child]);
});

test('at most 20 students are named', async () => {
  const at = await rollingSchool(app);
  const old = await at.classOf(1);
  for (let n = 0; n < 23; n++) await at.student(old);
  const { rollOverId, classes } = (await at.rollOver()).body;
  await owner('enrollment').where({ classId: classes[0]?.toClassId }).update({ enrolledTo: '2026-09-01' });
  const { status, body } = await at.undo(rollOverId);
  assert.is(status, 409);
  assert.is(body.details.length, 20);
});

test('a class that somebody else uses stays, and an open plan goes back with its student', async () => {
  const { at, first, child, madeId, rollOverId } = await rolled();
  const activatedAt = new Date('2026-05-01T08:00:00.000Z');
  const planId = await openAssignment(app, child, madeId, { activatedAt });
  const newcomer = await at.student(await at.classOf(1, 'ز'));
  await at.enroll({ id: madeId }, [newcomer]);
  const { body } = await at.undo<Undone>(rollOverId);
  assert.equal([body.removedClassIds, body.keptClassIds], [[], [madeId]]);
  assert.is((await at.placeOf(newcomer))?.classId, madeId);
  assert.is((await owner('bundle_assignment').where({ id: planId }).first()).classId, first.id);
});

test('an id of another organization, and none', async () => {
  const [own, foreign] = [await rolled(), await rolled()];
  assert.is((await own.at.undo(foreign.rollOverId)).status, 404);
  assert.is((await own.at.undo(9_007_199_254_740)).status, 404);
  assert.is((await own.at.undo(null)).status, 404);
});

test.run();
