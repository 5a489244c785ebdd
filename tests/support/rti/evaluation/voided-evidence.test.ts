// timeout: 180s
// Voided evidence in tiers and alerts (ALT-15): it is no measurement, an acute alert that rests on it closes, and what
// opened it is not spent. Runs of before replay as they were.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { recomputeStudents } from '#assessment/skill-status/index.ts';
import { readReplayedInputs } from '#assessment/skill-status/replay/evidence.ts';
import { replayRun } from '#assessment/skill-status/replay/replay.ts';
import { readRun } from '#assessment/skill-status/results/stored-input.ts';
import { pipelineOf } from '#assessment/skill-status/rules/pipelines.ts';
import { inContext } from '#core/platform/db.ts';
import type { UserRow } from '../../../harness/factories.ts';
import { firstPart, type Room } from '../../interventions/classroom.ts';
import { allRight, useRtiRoom } from '../rti-world.ts';

const test = suite('voided evidence');
const world = useRtiRoom(test);
const { app, services } = world;
const { owner } = app.database;

let room: Room;
test.before.each(async () => {
  app.clock.set('2026-01-05T08:00:00.000Z');
  room = await world.room();
});

const newestSession = async ({ id: studentId }: UserRow): Promise<string> =>
  (await owner('diagnostic_session').where({ studentId }).orderBy('finishedAt', 'desc').first('id')).id;

async function takeBack(sessionId: string): Promise<number> {
  const { status, body } = await world.call(room, `/api/diagnostic-sessions/${sessionId}/void`, {
    reasonCode: 'wrong_student',
  });
  assert.is(status, 201, JSON.stringify(body));
  return (body as unknown as { voidId: number }).voidId;
}

/** What the relay and the workers do, after the moment of the correction. */
async function follow(student: UserRow): Promise<void> {
  app.clock.advance(1);
  await recomputeStudents(services, room.organizationId, [student.id], 'evidence_corrected');
  await world.look(student);
}

/** Adequate, and weak when enough days have passed for the newer answers to settle it: RAL-02. */
async function fallen(): Promise<UserRow> {
  const student = await world.student(room);
  await world.measure([student], allRight);
  await world.look(student);
  world.days(15);
  await world.measure([student], firstPart({ DEC_WORD: 'UUUU' }));
  await world.look(student);
  const alert = await world.open(room, student);
  assert.equal([alert?.kind, alert?.subSkillCode], ['acute_regression_review', 'DEC_WORD']);
  return student;
}

test('the alert closes as soon as the newest measurement is voided, and opens anew when it is restored', async () => {
  const student = await fallen();
  world.days(1);
  const voidId = await takeBack(await newestSession(student));
  await world.look(student);
  const [closed] = await world.alerts(room, student);
  assert.equal([closed?.state, closed?.closeReason], ['closed', 'evidence_voided'], 'before any recompute');
  await follow(student);
  assert.is(await world.open(room, student), undefined);
  const [told] = (await world.told(student, 'rti.alert_closed')).slice(-1);
  assert.is(told?.closeReason, 'evidence_voided');
  world.days(1);
  const restored = await world.call(room, `/api/evidence-voids/${voidId}/restore`);
  assert.is(restored.status, 200, JSON.stringify(restored.body));
  await follow(student);
  const again = await world.open(room, student);
  assert.equal([again?.kind, again?.subSkillCode], ['acute_regression_review', 'DEC_WORD'], 'it was not spent');
});

test('it also closes when the measurement is voided from which the student fell', async () => {
  const student = await fallen();
  const [first] = await owner('diagnostic_session').where({ studentId: student.id }).orderBy('finishedAt').select('id');
  world.days(1);
  // Within the seven days of a teacher.
  await owner('diagnostic_session').where({ id: first.id }).update({ finishedAt: '2026-01-15T08:00:00.000Z' });
  await takeBack(first.id);
  await follow(student);
  const alerts = await world.alerts(room, student);
  assert.equal(
    alerts.filter(({ kind }) => kind === 'acute_regression_review').map(({ closeReason }) => closeReason),
    ['evidence_voided'],
  );
});

test('another alert follows its own rule: the weak sub-skill is gone with its evidence', async () => {
  const student = await world.student(room);
  await world.measure([student], allRight);
  world.days(60);
  await world.measure([student], firstPart({ DEC_WORD: 'UUUU', LIS_LITERAL: 'UUUU' }));
  await world.look(student);
  assert.is((await world.open(room, student))?.kind, 'Student_Alert');
  world.days(1);
  await takeBack(await newestSession(student));
  await follow(student);
  const [alert] = await world.alerts(room, student);
  assert.equal([alert?.state, alert?.closeReason], ['closed', 'condition_cleared']);
  const { skillStates } = await world.statusOf(room, student);
  assert.is(skillStates.find(({ subSkillCode }) => subSkillCode === 'DEC_WORD')?.lastStatus, 'adequate');
});

test('runs of before the void replay to the same bytes, and the run after it names it', async () => {
  const student = await fallen();
  const before = await owner('sse_run').where({ studentId: student.id }).orderBy('seq');
  // The clock stands: the void comes after the run all the same.
  const voidId = await takeBack(await newestSession(student));
  await follow(student);
  const [after] = await owner('sse_run').where({ studentId: student.id }).orderBy('seq', 'desc').limit(1);
  assert.equal([after.trigger, after.seq > before.at(-1).seq], ['evidence_corrected', true]);
  assert.is(readRun(after).input.sessions.length, 1);
  assert.type(voidId, 'number');
  const rows = [...before, after];
  await inContext(services.db, { organizationId: room.organizationId }, async (trx) => {
    const gathered = await readReplayedInputs(trx, services, rows);
    for (const row of rows) {
      const rules = await services.rules.pinned(trx, row.ruleVersions);
      assert.equal(gathered(row, pipelineOf(rules)), readRun(row).input);
      assert.equal((await replayRun(trx, services.rules, row.id)).mismatches, []);
    }
  });
});

test('a void beside a recompute: each run reads all of a session or nothing of it', async () => {
  const student = await fallen();
  world.days(1);
  const sessionId = await newestSession(student);
  const runs = Array.from({ length: 4 }, () =>
    recomputeStudents(services, room.organizationId, [student.id], 'rule_activation'),
  );
  await Promise.all([takeBack(sessionId), ...runs]);
  await follow(student);
  const rows = await owner('sse_run').where({ studentId: student.id }).orderBy('seq');
  const [{ at }] = await owner('evidence_void').where({ refId: sessionId });
  for (const row of rows.slice(1)) {
    const holds = readRun(row).input.sessions.some((one: { sessionId: string }) => one.sessionId === sessionId);
    assert.is(holds, Date.parse(row.asOf) < Date.parse(at), `${row.asOf} beside ${at}`);
  }
});

test.run();
