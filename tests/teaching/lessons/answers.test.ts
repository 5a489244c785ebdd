// Distributed lessons for students, their answers, offline answers, and the effect of answers.
import { randomUUID } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { buildClass, buildTeacher, signIn } from '../../harness/factories.ts';
import { sentStatements } from '../../harness/statements/sent-statements.ts';
import { type Json, type Pupil, reported } from '../../support/interventions/workflow/draft-bodies.ts';
import { answers, useLesson } from './lesson.ts';

const test = suite('answers in blueprint sessions');
const lesson = useLesson(test);

const asStudent = ({ id, organizationId }: Pupil) =>
  signIn(lesson().plans.shell.app, {
    id,
    organizationId,
    primaryPersona: 'STUDENT',
    scope: 'ORGANIZATION',
    email: null,
  });
const offline = (id: string, responses: readonly Json[], token?: string) =>
  lesson().post(`/api/sessions/${id}/offline-responses`, { responses }, token);
const stored = async (id: string) => (await lesson().rows('session_response')).filter((row) => row.sessionId === id);

const itemsOf = (session: Json = {}) => session.items as Json[];

test('a student receives distributed lessons without keys, bundle, tier and other students', async () => {
  const { session, one, idle, get, answer } = lesson();
  const draft = await session();
  const id = await session(['accept', 'distribute-online']);
  await answer(one, id, answers(2));
  const { body } = await get('/api/sessions/assigned', await asStudent(one));
  const [mine] = body.items as Json[];
  assert.equal(
    { ...mine, items: itemsOf(mine).length },
    {
      ...{ sessionId: id, titleAr: 'نَقْرَأُ الْكَلِمَاتِ', items: 6, answered: 2 },
    },
  );
  assert.equal(Object.keys(itemsOf(mine)[0] ?? {}).sort(), [
    ...['itemRef', 'optionSpeechAr', 'options', 'passageAr', 'promptAr', 'speechAr'],
  ]);
  assert.equal((await get('/api/sessions/assigned', await asStudent(idle))).body.items, []);
  for (const other of [draft, id]) {
    assert.equal(reported(await answer(idle, other, answers(1))), [404, 'NOT_FOUND'], 'no recipient');
  }
  assert.equal(reported(await answer(one, draft, answers(1))), [409, 'CONFLICT', 'state invalid_transition']);
});

test('the first answer to an item counts; a repeat is a duplicate; one invalid answer refuses all', async () => {
  const { session, one, answer } = lesson();
  const id = await session(['accept', 'distribute-online']);
  const [first = {}, second = {}] = answers(2);
  assert.equal((await answer(one, id, [first])).body, { accepted: 1, duplicates: 0 });
  const changed = { ...first, clientResponseId: randomUUID(), selectedOptionIndex: 2 };
  const again = { ...first, itemRef: 'item-gone', selectedOptionIndex: 4 };
  assert.equal((await answer(one, id, [again, changed, second, second])).body, { accepted: 1, duplicates: 3 });
  assert.equal(
    reported(
      await answer(one, id, [...answers(3).slice(2), { ...first, clientResponseId: randomUUID(), itemRef: 'item-9' }]),
    ),
    [...[422, 'VALIDATION_ERROR', 'responses.1.itemRef unknown_item']],
  );
  assert.equal(
    reported(await answer(one, id, [{ ...second, clientResponseId: randomUUID(), selectedOptionIndex: 3 }])),
    [...[422, 'VALIDATION_ERROR', 'responses.0.selectedOptionIndex out_of_range']],
  );
  assert.equal(
    (await stored(id)).map(({ itemRef, correct }) => [itemRef, correct]),
    [
      ['item-1', true],
      ['item-2', true],
    ],
  );
});

test('the same answers sent concurrently by two devices are stored once', async () => {
  const { session, one, answer } = lesson();
  const id = await session(['accept', 'distribute-online']);
  const mine = answers(3, 3);
  const replies = await Promise.all(Array.from({ length: 6 }, () => answer(one, id, mine)));
  assert.equal(
    replies.map(({ status }) => status),
    [201, 201, 201, 201, 201, 201],
  );
  assert.is(
    replies.reduce((sum, { body }) => sum + Number(body.accepted), 0),
    6,
  );
  assert.is((await stored(id)).length, 6);
});

test('a pack is valid for a day: first names, segments, items with keys; its version depends on the content', async () => {
  const { session, get, one, two, plans, edit, post } = lesson();
  const { app } = plans.shell;
  const id = await session([], {});
  assert.equal(reported(await get(`/api/sessions/${id}/offline-pack`)), [409, 'CONFLICT', 'state invalid_transition']);
  await post(`/api/sessions/${id}/accept`);
  const { body } = await get(`/api/sessions/${id}/offline-pack`);
  assert.is(body.expiresAt, new Date(app.clock.now().getTime() + 86_400_000).toISOString());
  assert.equal(body.recipients, [
    { studentId: one.id, firstNameAr: 'مستخدم' },
    { studentId: two.id, firstNameAr: 'مستخدم' },
  ]);
  assert.equal([(body.segments as Json[]).length, (body.items as Json[])[0]?.correctOptionIndex], [2, 0]);
  await edit(id, { scheduledOn: '2026-01-13' });
  assert.is((await get(`/api/sessions/${id}/offline-pack`)).body.version, body.version);
  const other = await session(['accept']);
  assert.is.not((await get(`/api/sessions/${other}/offline-pack`)).body.version, body.version);
});

test('offline answers: late, in any order and repeated, each stored once; for recipients, by a teacher of the class only', async () => {
  const { session, post, edit, one, two, idle, plans } = lesson();
  const { app } = plans.shell;
  const id = await session(['accept']);
  const mine = answers(2, 1).map((row) => ({ ...row, studentId: one.id }));
  const theirs = answers(1).map((row) => ({ ...row, studentId: two.id, supportUsed: true }));
  assert.equal((await offline(id, [...mine.toReversed(), ...theirs])).body, { accepted: 4, duplicates: 0 });
  assert.equal((await offline(id, [...theirs, ...mine])).body, { accepted: 0, duplicates: 4 });
  assert.equal(
    reported(
      await offline(
        id,
        answers(1).map((row) => ({ ...row, studentId: idle.id })),
      ),
    ),
    [...[422, 'VALIDATION_ERROR', 'responses.0.studentId not_included']],
  );
  assert.is((await offline(id, mine, await plans.admin(one))).status, 403);
  const elsewhere = await buildTeacher(app.database.owner, await buildClass(app.database.owner, { ...schoolOf(one) }));
  assert.is((await offline(id, mine, await signIn(app, elsewhere))).status, 403);
  await edit(id, { delivery: { deliveredOn: '2026-01-12', presentStudentIds: [one.id] } });
  const late = answers(5)
    .slice(3)
    .map((row) => ({ ...row, studentId: one.id }));
  app.clock.set(new Date(app.clock.now().getTime() + 8 * 86_400_000).toISOString());
  const token = await signIn(app, one.teacher);
  assert.equal((await offline(id, late.slice(0, 1), token)).body, { accepted: 1, duplicates: 0 });
  app.clock.set(new Date(app.clock.now().getTime() + 1).toISOString());
  assert.equal(reported(await offline(id, late, token)), [409, 'CONFLICT', 'state expired']);
  assert.is((await stored(id)).length, 5);
  app.clock.set('2026-01-12T08:00:00.000Z');
  const called = await session(['accept']);
  await post(`/api/sessions/${called}/cancel`, { reasonCode: 'Staff_Absent' });
  assert.equal(reported(await offline(called, mine)), [409, 'CONFLICT', 'state invalid_transition']);
});

const schoolOf = ({ organizationId, classRow }: Pupil) => ({ organizationId, schoolId: classRow.schoolId });

test('answers count for the needed support: correct alone, correct with support, wrong', async () => {
  const { session, plans, answer, get } = lesson();
  const fresh = await plans.classmate(lesson().one, null);
  await plans.measure(
    fresh,
    {
      DEC_SYLLABLE: 'CCCC',
      DEC_WORD: 'UUUU',
      LK_SOUND: 'CCCC',
      LIS_LITERAL: 'CCCC',
      VOC_MEANING: 'CCCC',
      RC_LITERAL: 'CCCC',
    },
    13,
  );
  await plans.given(fresh);
  const counted = async () => {
    const { body } = await get(`/api/cluster/student/${fresh.id}/preview`);
    const skill = (body.skills as { subSkillCode: string; taskTypes: Json[] }[]).find(
      (one) => one.subSkillCode === 'DEC_WORD',
    );
    return skill?.taskTypes.find(({ taskType }) => taskType === 'mcq_text');
  };
  const before = await counted();
  const id = await session(['accept', 'distribute-online'], { recipientStudentIds: [fresh.id] });
  const [one = {}, two = {}, three = {}] = answers(2, 1);
  await answer(fresh, id, [one, { ...two, supportUsed: true }, three]);
  const after = await counted();
  assert.equal(
    ['Level_1', 'Level_2', 'Level_3'].map((level) => Number(after?.[level]) - Number(before?.[level] ?? 0)),
    [1, 1, 1],
  );
});

test('answers after the delivery are evaluated with the next lesson of the step, once', async () => {
  const { session, plans, edit, answer, one } = lesson();
  const { app } = plans.shell;
  const pupil = await plans.classmate(one);
  const assignmentId = await plans.given(pupil);
  const whole = { recipientStudentIds: [pupil.id] };
  const scored = async () => {
    const { steps } = await plans.row(pupil, assignmentId);
    return [steps[0]?.scored, steps[0]?.correct];
  };
  const first = await session(['accept'], whole);
  const [firstAnswer = {}, ...late] = answers(4, 1).map((row) => ({ ...row, studentId: pupil.id }));
  await offline(first, [firstAnswer]);
  await edit(first, { delivery: { deliveredOn: '2026-01-12', presentStudentIds: [pupil.id] } });
  assert.equal((await offline(first, [firstAnswer, ...late])).body, { accepted: 4, duplicates: 1 });
  assert.equal(await scored(), [1, 1]);
  const second = await session(['accept', 'distribute-online'], whole);
  await answer(pupil, second, [{ ...answers(0, 6)[5] }]);
  app.clock.set('2026-01-13T08:00:00.000Z');
  const token = await signIn(app, one.teacher);
  await edit(second, { delivery: { deliveredOn: '2026-01-13', presentStudentIds: [pupil.id] } }, token);
  assert.equal(await scored(), [6, 4]);
  app.clock.set('2026-01-12T08:00:00.000Z');
});

test('a halt prevents a new lesson and an inclusion, but not answers in a distributed lesson', async () => {
  const { session, plans, answer, edit, create, one, rows } = lesson();
  const turning = await plans.classmate(one);
  await plans.given(turning);
  const id = await session(['accept', 'distribute-online'], { recipientStudentIds: [turning.id] });
  await plans.measure(turning, { LK_FORM: 'CCC' }, 9);
  const made = await create({ recipientStudentIds: [turning.id] });
  assert.equal(
    (made.body.recipients as Json[]).map(({ reasonCode }) => reasonCode),
    ['do_not_decide_yet'],
  );
  assert.is((await answer(turning, id, answers(1))).status, 201);
  assert.is((await edit(id, { delivery: { deliveredOn: '2026-01-12', presentStudentIds: [turning.id] } })).status, 200);
  const own = (await rows('bundle_delivery')).filter(({ sourceId }) => sourceId === id);
  assert.equal(
    own.map(({ halted }) => halted),
    [true],
  );
});

test('the number of statements does not depend on the number of students and lessons', async () => {
  const { session, get, create, one, two, idle, halted, unmeasured } = lesson();
  const token = await asStudent(one);
  const asked = async () =>
    (await sentStatements(lesson().plans.shell.app.services.db, () => get('/api/sessions/assigned', token))).length;
  const few = await asked();
  await session(['accept', 'distribute-online']);
  await session(['accept', 'distribute-online']);
  assert.is(await asked(), few);
  const made = async (ids: readonly number[]) =>
    (await sentStatements(lesson().plans.shell.app.services.db, () => create({ recipientStudentIds: ids }))).length;
  await made([one.id]);
  assert.is(await made([one.id, two.id, idle.id, halted.id, unmeasured.id]), await made([one.id]));
});

test.run();
