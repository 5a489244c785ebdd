// Observations of teachers over HTTP, and their counts in the summary during the lesson.
import { randomUUID } from 'node:crypto';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { buildClass, buildPrincipal, buildStudent, buildTeacher, buildUser } from '../../../harness/factories.ts';
import { answerTo, type Json, outcomeOf, useLessons } from '../lesson.ts';

const { app, lesson, person } = useLessons(test);
const { owner } = app.database;
const seen = (studentId: number, observationCode: string, more: Json = {}): Json => ({
  ...{ clientObservationId: randomUUID(), studentId, observationCode },
  ...more,
});

test('each observation is stored once, also when a batch is repeated; the summary counts them', async () => {
  const at = await lesson();
  const [ada, ben] = at.students as [typeof at.teacher, typeof at.teacher];
  const prompting = seen(ada.id, 'needed_prompting', { subSkillCode: 'DEC_WORD' });
  const batch = [prompting, seen(ada.id, 'needed_prompting'), seen(ben.id, 'not_present'), prompting];
  const reply = await at.teach('/observation', { observations: batch });
  assert.equal([reply.status, reply.body], [201, { accepted: 3, duplicates: 1 }]);
  assert.equal((await at.teach('/observation', { observations: batch })).body, { accepted: 0, duplicates: 4 });
  const events = (await at.rows('live_event', 'seq')).filter(({ type }) => type === 'observation_recorded');
  assert.equal(events[0]?.data, { studentId: ada.id, observationCode: 'needed_prompting', subSkillCode: 'DEC_WORD' });
  await at.answer(ben, answerTo('item-1'));
  await at.answer(ada, answerTo('item-1', false));
  const { body } = await at.look('/summary');
  assert.equal(body.perStudent, [
    {
      ...{ studentId: ada.id, present: true, answered: 1, correct: 0 },
      observations: [{ observationCode: 'needed_prompting', count: 2 }],
    },
    {
      ...{ studentId: ben.id, present: false, answered: 1, correct: 1 },
      observations: [{ observationCode: 'not_present', count: 1 }],
    },
  ]);
  assert.equal((body.perItem as Json[])[0], { itemRef: 'item-1', answered: 2, correct: 1 });
  assert.equal([body.state, (body.participants as Json[]).length, body.deliveries], ['live', 2, []]);
});

test('allowed: a student of the class, a known sub-skill, a known code', async () => {
  const at = await lesson({ students: 1 });
  const [ada] = at.students as [typeof at.teacher];
  const other = await buildClass(owner, {
    organizationId: at.organizationId,
    schoolId: at.classRow.schoolId,
    grade: 2,
  });
  const outOfReach = await buildStudent(owner, other);
  const refused = async (...observations: readonly Json[]) =>
    outcomeOf(await at.teach('/observation', { observations }));
  assert.equal((await refused(seen(ada.id, 'was_quiet')))[0], 422);
  assert.equal(await refused(seen(999_999_999, 'not_present'), seen(outOfReach.id, 'not_present')), [404, 'NOT_FOUND']);
  assert.equal(await refused(seen(outOfReach.id, 'not_present')), [403, 'PERMISSION_DENIED']);
  await owner('class_teacher').insert({
    ...{ organizationId: at.organizationId, classId: other.id, teacherUserId: at.teacher.id, role: 'SECONDARY' },
  });
  assert.equal(await refused(seen(ada.id, 'not_present'), seen(outOfReach.id, 'not_present')), [
    ...[422, 'VALIDATION_ERROR', 'observations.1.studentId not_in_class'],
  ]);
  assert.equal(await refused(seen(ada.id, 'read_with_flow', { subSkillCode: 'DEC_NONE' })), [
    ...[422, 'VALIDATION_ERROR', 'observations.0.subSkillCode unknown_sub_skill'],
  ]);
  assert.equal(await at.rows('live_observation', 'ledgerNo'), []);
});

test('allowed while the lesson is taught, for all teachers of the class', async () => {
  const at = await lesson({ students: 1, begun: false });
  const [ada] = at.students as [typeof at.teacher];
  const observe = (as = at.teacher) =>
    app.post(`/api/sync/sessions/${at.liveId}/observation`, { observations: [seen(ada.id, 'participated_fully')] }, as);
  const invalid = [409, 'CONFLICT', 'state invalid_transition'];
  assert.equal(outcomeOf(await observe()), invalid, 'draft');
  await at.teach('/start', {});
  await at.control('pause');
  assert.is((await observe()).status, 201, 'paused');
  const second = await person(await buildTeacher(owner, at.classRow, 'SECONDARY'));
  assert.is((await observe(second)).status, 201);
  const { organizationId } = at;
  const school = { id: at.classRow.schoolId, organizationId };
  for (const user of [await buildUser(owner, 'ADMIN', { organizationId }), await buildPrincipal(owner, school)]) {
    const reader = await person(user);
    assert.is((await observe(reader)).status, 403, user.primaryPersona);
    assert.is((await at.look('/summary', reader)).status, 200, user.primaryPersona);
  }
  assert.is((await observe(ada)).status, 403);
  assert.is((await at.look('/summary', ada)).status, 403);
  await at.control('end');
  assert.equal(outcomeOf(await observe()), invalid, 'ended');
});

test.run();
