// From runs to alerts over HTTP: opened alerts, events, and a second evaluation.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { buildUser, signIn } from '../../../harness/factories.ts';
import { halting } from '../../interventions/classroom.ts';
import { type AnswerBody, allRight, oneNeed, twoNeeds, useRtiRoom } from '../rti-world.ts';

const world = useRtiRoom(test);
const { owner } = world.app.database;

test('a student with everything right has states of skills and no alert', async () => {
  const room = await world.room();
  const student = await world.student(room);
  await world.measure([student], allRight);
  await world.evaluate(student);
  const body = await world.statusOf(room, student);
  assert.is(body.tier, 1);
  assert.is(body.openAlert, null);
  assert.is(body.outcome, 'evaluated');
  assert.is(body.skillStates.length, 6);
  for (const one of body.skillStates) assert.is(one.state, 'on_track');
});

test('RAL-04: two weak roles open a Student_Alert once, and a second look changes nothing', async () => {
  const room = await world.room();
  const student = await world.student(room);
  await world.measure([student], twoNeeds);
  await world.evaluate(student);
  const alert = await world.open(room, student);
  assert.is(alert?.kind, 'Student_Alert');
  assert.is(alert?.ruleId, 'RAL-04');
  assert.is(alert?.classId, room.classRow.id);
  assert.is((await world.told(student, 'rti.alert_opened')).length, 1);
  for (const call of ['second', 'third']) {
    const { status, body } = await world.call(room, `/api/rti/students/${student.id}/evaluate`);
    assert.is(status, 200, `${call} ${JSON.stringify(body)}`);
    assert.equal(body, {
      ...{ outcome: 'evaluated', opened: null, closed: [], skillStateChanges: [] },
      nextRecommendedDataAction: null,
    });
  }
  await world.look(student);
  const log = await owner('rti_evaluation').where({ studentId: student.id }).orderBy('id');
  assert.equal(
    log.map(({ transitions, suppressedKind }) => [transitions.length, suppressedKind]),
    [
      [1, null],
      [0, 'Student_Alert'],
    ],
  );
  assert.is((await world.told(student, 'rti.alert_opened')).length, 1);
});

test('RAL-07: one weak gateway opens a Skill_Alert', async () => {
  const room = await world.room();
  const student = await world.student(room);
  await world.measure([student], oneNeed);
  const first = await world.call(room, `/api/rti/students/${student.id}/evaluate`);
  assert.is(first.body.opened?.kind, 'Skill_Alert', JSON.stringify(first.body));
  assert.is(first.body.opened?.subSkillCode, 'DEC_WORD');
  assert.equal(
    first.body.skillStateChanges.find((one) => one.subSkillCode === 'DEC_WORD'),
    { subSkillCode: 'DEC_WORD', from: null, to: 'monitoring' },
  );
});

test('a halted student: layer A goes on, no alert opens or closes, the answer says what data is missing', async () => {
  const room = await world.room();
  const student = await world.student(room);
  await world.measure([student], { ...twoNeeds, ...halting });
  const { status, body } = await world.call(room, `/api/rti/students/${student.id}/evaluate`);
  assert.is(status, 200);
  assert.is(body.outcome, 'do_not_decide_yet');
  assert.is(body.opened, null);
  assert.is(body.nextRecommendedDataAction, 'administer_more_items');
  assert.ok(body.skillStateChanges.length > 0);
  assert.equal(await world.alerts(room, student), []);
});

test('without an open enrollment: 409 not_enrolled, and nothing is written', async () => {
  const room = await world.room();
  const student = await world.student(room);
  await world.measure([student], twoNeeds);
  const { organizationId } = room;
  const admin = await signIn(world.app, await buildUser(owner, 'ADMIN', { organizationId }));
  await owner('enrollment').where({ studentId: student.id }).update({ enrolledTo: '2026-01-30' });
  const path = `/api/rti/students/${student.id}/evaluate`;
  const { status, body } = await world.http.post<AnswerBody>(path, {}, { token: admin });
  assert.is(status, 409);
  assert.is(body.details[0]?.issue, 'not_enrolled');
  for (const table of ['rti_alert', 'rti_evaluation', 'skill_state', 'skill_measurement', 'skill_state_cursor']) {
    assert.equal(await owner(table).where({ studentId: student.id }), [], table);
  }
});

test.run();
