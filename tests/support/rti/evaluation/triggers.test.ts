// timeout: 180s
// Triggers of evaluations: each once, one failing student does not affect others, and alerts of students who leave are closed.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { cbmAlertOpened, orfScored } from '#assessment/measurement/index.ts';
import { macroUpdated, recomputeStudents } from '#assessment/skill-status/index.ts';
import { appendEvents, type NewEvent, newEvent } from '#core/module/events.ts';
import { inContext } from '#core/platform/db.ts';
import { contextFlagChanged } from '#identity/context-flags/index.ts';
import { studentEnrollmentChanged } from '#identity/people/index.ts';
import { fidelityChanged } from '#support/fidelity/index.ts';
import { lockSupport } from '#support/interventions/index.ts';
import { evaluateOrganization } from '#support/rti/evaluation/daily.ts';
import { evaluationJobs } from '#support/rti/evaluation/jobs.ts';
import { serveRequests } from '#support/rti/evaluation/serve.ts';
import { relayAll } from '../../../../workers/relay.ts';
import { buildClass, buildUser, signIn, type UserRow } from '../../../harness/factories.ts';
import { capturedLog, noQueues } from '../../../workers/support.ts';
import type { Room } from '../../interventions/classroom.ts';
import { twoNeeds, useRtiRoom } from '../rti-world.ts';

const world = useRtiRoom(test);
const { owner } = world.app.database;
const { services } = world;
const { log } = capturedLog();

let room: Room;
let student: UserRow;
test.before.each(async () => {
  room = await world.room();
  student = await world.student(room);
});

const relay = () => relayAll(services, noQueues, evaluationJobs.reactions ?? [], log);
function capturedJobs() {
  const ids: string[] = [];
  const add = async (jobs: readonly { id: string }[]) => void ids.push(...jobs.map(({ id }) => id));
  return { queues: { ...noQueues, add }, ids: () => ids };
}

const requestOf = ({ id: studentId }: UserRow) => owner('rti_evaluation_request').where({ studentId }).first();
const organizationId = () => room.organizationId;
const tell = (event: NewEvent) =>
  inContext(services.db, { organizationId: organizationId() }, (trx) =>
    appendEvents(trx, world.app.clock.now(), [event]),
  );

const triggers = (): readonly NewEvent[] => {
  const studentId = student.id;
  const series = { studentId, measureCode: 'ORF_WCPM' } as const;
  return [
    newEvent(orfScored, organizationId(), { studentId, assessmentId: 'a' }),
    newEvent(cbmAlertOpened, organizationId(), { ...series, kind: 'cbm_acute_drop', alertId: 'a' }),
    newEvent(contextFlagChanged, organizationId(), { studentId, flagId: 1 }),
    newEvent(fidelityChanged, organizationId(), { studentId, assignmentId: 'a', gate: 'fail' }),
    newEvent(studentEnrollmentChanged, organizationId(), { studentId }),
  ];
};

test('each trigger asks for an evaluation, which is made once', async () => {
  for (const event of triggers()) {
    await tell(event);
    await relay();
    const asked = await requestOf(student);
    assert.ok(asked.requestedSeq > asked.processedSeq, event.kind.topic);
    await Promise.all([world.evaluate(student), world.evaluate(student)]);
    const served = await requestOf(student);
    assert.is(served.processedSeq, asked.requestedSeq, event.kind.topic);
  }
});

test('a run asks in its own transaction, so that nothing is lost between the two', async () => {
  await world.measure([student], twoNeeds);
  const { requestedSeq, processedSeq } = await requestOf(student);
  assert.equal([requestedSeq, processedSeq], [1, 0]);
});

test('a run asks once: the job begins with its commit, and its event asks for nothing', async () => {
  await world.measure([student], twoNeeds);
  const added = capturedJobs();
  const own = () => added.ids().filter((id) => id.startsWith(`rti-evaluation-${student.id}-`));
  await serveRequests(services, organizationId(), [student.id]);
  await recomputeStudents({ ...services, ...added }, organizationId(), [student.id], 'rule_activation');
  assert.equal(own(), [`rti-evaluation-${student.id}-2`]);
  await serveRequests(services, organizationId(), [student.id]);
  const { id: studentId } = student;
  await tell(
    newEvent(macroUpdated, organizationId(), { studentId, runId: 'r', halted: false, skills: [], domains: [] }),
  );
  await relayAll(services, added.queues, evaluationJobs.reactions ?? [], log);
  assert.is(own().length, 1);
});

test('a recompute that finds everything as it was asks too', async () => {
  await world.measure([student], twoNeeds);
  await world.evaluate(student);
  await recomputeStudents(services, organizationId(), [student.id], 'rule_activation');
  const { requestedSeq, processedSeq } = await requestOf(student);
  assert.ok(requestedSeq > processedSeq);
});

test('students of whom nothing is to be written are not locked, neither by the day nor after a trigger', async () => {
  await world.measure([student], twoNeeds);
  await world.evaluate(student);
  // That the alert stays open is logged once.
  await world.look(student);
  await tell(newEvent(studentEnrollmentChanged, organizationId(), { studentId: student.id }));
  await relay();
  await inContext(owner, { organizationId: organizationId() }, async (trx) => {
    await trx.raw('set local idle_in_transaction_session_timeout = 0');
    await lockSupport(trx, organizationId(), [student.id]);
    await evaluateOrganization(services, organizationId());
  });
  const { requestedSeq, processedSeq } = await requestOf(student);
  assert.is(processedSeq, requestedSeq);
});

test('the sweep finds who was asked for and forgotten', async () => {
  await world.measure([student], twoNeeds);
  world.app.clock.advance(60_000);
  const added = capturedJobs();
  await evaluationJobs.schedules?.[0]?.run(services, added.queues);
  assert.ok(added.ids().includes(`rti-evaluation-${student.id}-1`), added.ids().join());
});

test('one who fails harms no other of the batch, is tried again later, and is put aside after ten times', async () => {
  const [broken, sound] = [student, await world.student(room)];
  await world.measure([broken, sound], twoNeeds);
  await owner.raw(
    `create function refuse_one() returns trigger language plpgsql as $$ begin
       if new.student_id = ${broken.id} then raise exception 'broken'; end if; return new; end $$;
     create trigger refuse_one before insert on rti_alert for each row execute function refuse_one();`,
  );
  for (let attempt = 1; attempt <= 10; attempt += 1) {
    await serveRequests(services, organizationId(), [broken.id, sound.id]).catch(() => undefined);
    const { attempts, processedSeq } = await requestOf(broken);
    assert.equal([attempts, processedSeq], [attempt, 0]);
    world.app.clock.advance(2 * 60 * 60 * 1000);
  }
  assert.is((await world.open(room, sound))?.kind, 'Student_Alert');
  assert.equal(await owner('skill_state').where({ studentId: broken.id }), [], 'nothing half-written');
  assert.ok((await requestOf(broken)).parkedAt);
  assert.is((await owner('platform_alert').where({ code: 'RTI_EVALUATION_PARKED' })).length, 1);
  await owner.raw('drop trigger refuse_one on rti_alert');
  await tell(newEvent(orfScored, organizationId(), { studentId: broken.id, assessmentId: 'b' }));
  await relay();
  await world.evaluate(broken);
  assert.is((await world.open(room, broken))?.kind, 'Student_Alert', 'something new is known');
});

test('ALT-13: who leaves has no open or dismissed alert left; who goes to another class keeps theirs', async () => {
  const mover = await world.student(room);
  const waved = await world.student(room);
  await world.measure([student, mover, waved], twoNeeds);
  await world.evaluate(student, mover, waved);
  const dismissed = await world.open(room, waved);
  await world.call(room, `/api/rti/alerts/${dismissed?.alertId}/dismiss`, {
    overrideCode: 'Alr_Measurement_Artifact_07',
  });
  const admin = await signIn(world.app, await buildUser(owner, 'ADMIN', { organizationId: organizationId() }));
  const { schoolId } = await owner('class').where({ id: room.classRow.id }).first();
  const next = await buildClass(owner, { grade: 2, organizationId: organizationId(), schoolId });
  for (const { id } of [student, waved]) {
    const { status } = await world.http.delete(`/api/classes/${room.classRow.id}/students/${id}`, { token: admin });
    assert.ok(status < 300, String(status));
  }
  const moved = await world.http.post(`/api/classes/${next.id}/students`, { studentIds: [mover.id] }, { token: admin });
  assert.ok(moved.status < 300, JSON.stringify(moved.body));
  await relay();
  await world.evaluate(student, mover, waved);
  const left = async (one: UserRow) =>
    (await owner('rti_alert').where({ studentId: one.id })).map(({ state, closeReason }) => [state, closeReason]);
  assert.equal(await left(student), [['closed', 'student_left']]);
  assert.equal(await left(waved), [['closed', 'student_left']]);
  assert.equal(await left(mover), [['open', null]]);
});

test('an erased student has no open alert left', async () => {
  await world.measure([student], twoNeeds);
  await world.evaluate(student);
  const admin = await signIn(world.app, await buildUser(owner, 'ADMIN', { organizationId: organizationId() }));
  const { status } = await world.http.post(`/api/students/${student.id}/erasure`, undefined, { token: admin });
  assert.ok(status < 300, String(status));
  await relay();
  await world.evaluate(student);
  const rows = await owner('rti_alert').where({ studentId: student.id });
  assert.equal(
    rows.map(({ state, closeReason }) => [state, closeReason]),
    [['closed', 'student_left']],
  );
});

test('the daily job finds students in a class or with an alert left, whatever events were lost', async () => {
  const gone = await world.student(room);
  await world.measure([student, gone], twoNeeds);
  await world.evaluate(gone);
  await owner('rti_evaluation_request').where({ organizationId: organizationId() }).delete();
  await owner('enrollment').where({ studentId: gone.id }).update({ enrolledTo: '2026-01-15' });
  await evaluateOrganization(services, organizationId());
  assert.is((await world.open(room, student))?.kind, 'Student_Alert');
  assert.equal(
    (await owner('rti_alert').where({ studentId: gone.id })).map(({ closeReason }) => closeReason),
    ['student_left'],
  );
});

test.run();
