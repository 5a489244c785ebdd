// Layer A follows each run once, whether it is called after every run or after several; no step up is announced twice or during
// a halt.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { UserRow } from '../../../harness/factories.ts';
import { firstPart, halting } from '../../interventions/classroom.ts';
import { allRight, oneNeed, useRtiRoom } from '../rti-world.ts';

const world = useRtiRoom(test);
const { owner } = world.app.database;

/** A skill that improves: new answers outweigh the old ones. */
const onlyWords = { DEC_WORD: 'CCCCCCCC' };

const statesOf = async ({ id: studentId }: UserRow) => {
  const rows = await owner('skill_state').where({ studentId }).orderBy('id');
  return rows.map(({ subSkillCode, fromState, state, ruleId }) => ({ subSkillCode, fromState, state, ruleId }));
};
const measurementsOf = async ({ id: studentId }: UserRow) => {
  const rows = await owner('skill_measurement').where({ studentId }).orderBy(['subSkillCode', 'endedAt']);
  return rows.map(({ subSkillCode, endedOn, status }) => ({ subSkillCode, endedOn, status }));
};

test('following every run and following several at once give the same states', async () => {
  const room = await world.room();
  const [often, once] = [await world.student(room), await world.student(room)];
  const parts = [oneNeed, onlyWords, allRight, onlyWords, onlyWords];
  for (const letters of parts) {
    await world.measure([often, once], letters);
    await world.evaluate(often);
    world.days(20);
  }
  await world.evaluate(once);
  assert.equal(await statesOf(once), await statesOf(often));
  assert.equal(await measurementsOf(once), await measurementsOf(often));
  assert.ok((await statesOf(once)).some(({ fromState, state }) => fromState === 'monitoring' && state === 'on_track'));
  const notified = async (student: UserRow) =>
    (await world.told(student, 'subskill.state_up')).map(({ subSkillCode, from, to }) => [subSkillCode, from, to]);
  assert.equal(await notified(once), await notified(often));
});

test('LSA-05 and LSA-06: a step up is announced once, with its row', async () => {
  const room = await world.room();
  const student = await world.student(room);
  for (const letters of [allRight, allRight, allRight, allRight]) {
    await world.measure([student], letters);
    await world.evaluate(student);
    await world.look(student);
    world.days(21);
  }
  const ups = (await world.told(student, 'subskill.state_up')).filter((one) => one.subSkillCode === 'RC_LITERAL');
  assert.is(ups.length, 1);
  const [row] = await owner('skill_state').where({
    studentId: student.id,
    subSkillCode: 'RC_LITERAL',
    state: 'maintenance',
  });
  assert.equal(ups[0], {
    ...{ studentId: student.id, skillStateId: row.id, snapshotId: row.snapshotId, subSkillCode: 'RC_LITERAL' },
    ...{ from: 'on_track', to: 'maintenance' },
  });
  assert.is(row.ruleId, 'LSA-06');
});

test('in a halt states advance and nothing is announced, nor afterwards', async () => {
  const room = await world.room();
  const student = await world.student(room);
  for (const letters of [allRight, { ...allRight, ...halting }, { RC_LITERAL: 'CCCC' }, { RC_LITERAL: 'CCCC' }]) {
    await world.measure([student], letters);
    world.days(25);
  }
  await world.evaluate(student);
  const states = await statesOf(student);
  assert.ok(states.some(({ subSkillCode, state }) => subSkillCode === 'RC_LITERAL' && state === 'maintenance'));
  assert.equal(await world.told(student, 'subskill.state_up'), []);
});

test('students measured before the first evaluation are caught up on by the daily job', async () => {
  const room = await world.room();
  const student = await world.student(room);
  await world.measure([student], firstPart());
  await owner('rti_evaluation_request').where({ studentId: student.id }).delete();
  await world.look(student);
  assert.is((await statesOf(student)).length, 6);
  await world.look(student);
  assert.is((await statesOf(student)).length, 6);
});

test('two who look at once follow each run once', async () => {
  const room = await world.room();
  const students = [await world.student(room), await world.student(room), await world.student(room)];
  await world.measure(students, allRight);
  await Promise.all([
    ...students.map((student) => world.look(student)),
    world.look(...students.toReversed()),
    world.evaluate(...students),
  ]);
  for (const student of students) assert.is((await statesOf(student)).length, 6);
});

test.run();
