// Answers of students over HTTP: when they are accepted, duplicates first, and one refusal for the whole batch.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { buildStudent } from '../../../harness/factories.ts';
import { answerTo, type Json, outcomeOf, useLessons } from '../lesson.ts';

const { app, lesson, person } = useLessons(test);
const taken = (accepted: number, duplicates: number) => ({ accepted, duplicates });
const stored = (rows: readonly Json[]) =>
  rows.map(({ itemRef, source, selectedOptionIndex, correct, supportUsed, taskType, subSkillCode }) => [
    ...[itemRef, source, selectedOptionIndex, correct, supportUsed, taskType, subSkillCode],
  ]);

test('the current item, once: the first answer counts, and only staff receive its event', async () => {
  const at = await lesson();
  const [ada, ben] = at.students as [typeof at.teacher, typeof at.teacher];
  const first = answerTo('item-1', false, { supportUsed: true });
  const reply = await at.answer(ada, first);
  assert.equal([reply.status, reply.body], [201, taken(1, 0)]);
  const again = { ...first, clientResponseId: String(first.clientResponseId).toUpperCase() };
  assert.equal((await at.answer(ada, again, answerTo('item-1'))).body, taken(0, 2));
  assert.equal((await at.answer(ben, { ...again, selectedOptionIndex: 0 })).body, taken(0, 1), 'an id of the session');
  assert.equal((await at.answer(ben, answerTo('item-1'))).body, taken(1, 0));
  assert.equal(stored(await at.rows('live_response', 'ledgerNo')), [
    ['item-1', 'current', 1, false, true, 'mcq_text', 'DEC_WORD'],
    ['item-1', 'current', 0, true, false, 'mcq_text', 'DEC_WORD'],
  ]);
  const events = (await at.rows('live_event', 'seq')).filter(({ type }) => type === 'response_recorded');
  assert.equal(
    events.map(({ studentId, data }) => [studentId, data]),
    [
      [ada.id, { studentId: ada.id, itemRef: 'item-1', correct: false, source: 'current' }],
      [ben.id, { studentId: ben.id, itemRef: 'item-1', correct: true, source: 'current' }],
    ],
  );
  const { body } = await at.look('/poll?cursor=0', ada);
  const types = (body.events as Json[]).map(({ type }) => type);
  assert.not(types.includes('response_recorded'), 'students receive no event');
});

test('one refusal refuses the batch: another item, a lock, an unknown option', async () => {
  const at = await lesson();
  const [ada] = at.students as [typeof at.teacher];
  const current = answerTo('item-1');
  assert.equal(outcomeOf(await at.answer(ada, current, answerTo('item-2'))), [
    ...[409, 'CONFLICT', 'responses.1.itemRef not_current'],
  ]);
  assert.equal(outcomeOf(await at.answer(ada, current, answerTo('no-such-item'))).slice(0, 3), [
    ...[409, 'CONFLICT', 'responses.1.itemRef not_current'],
  ]);
  assert.equal(outcomeOf(await at.answer(ada, answerTo('item-2'), { ...current, selectedOptionIndex: 3 })), [
    ...[422, 'VALIDATION_ERROR', 'responses.1.selectedOptionIndex out_of_range'],
  ]);
  await at.control('lock');
  assert.equal(outcomeOf(await at.answer(ada, current)), [409, 'CONFLICT', 'responses.0.itemRef locked']);
  assert.equal(await at.rows('live_response', 'ledgerNo'), [], 'nothing of any batch was stored');
  await at.control('unlock');
  assert.is((await at.answer(ada, current)).status, 201);
});

test('known answers are recognized in every state; new ones are accepted only while the lesson is live', async () => {
  const at = await lesson();
  const [ada, ben] = at.students as [typeof at.teacher, typeof at.teacher];
  const first = answerTo('item-1');
  await at.answer(ada, first);
  await at.control('lock');
  assert.equal((await at.answer(ada, first)).body, taken(0, 1), 'locked');
  await at.control('unlock');
  await at.control('next');
  assert.equal((await at.answer(ada, first, answerTo('item-2'))).body, taken(1, 1), 'moved on');
  await at.control('pause');
  assert.equal((await at.answer(ada, first)).body, taken(0, 1), 'paused');
  assert.equal(outcomeOf(await at.answer(ben, answerTo('item-2'))), [409, 'CONFLICT', 'state invalid_transition']);
  await at.control('end');
  assert.equal((await at.answer(ada, first)).body, taken(0, 1), 'ended');
  assert.equal(outcomeOf(await at.answer(ben, answerTo('item-2'))), [409, 'CONFLICT', 'state invalid_transition']);
});

test('only students who have joined can answer: no other classmate, no other class, no teacher', async () => {
  const at = await lesson({ students: 2, joined: 1 });
  const [, outside] = at.students as [typeof at.teacher, typeof at.teacher];
  const elsewhere = await person(await buildStudent(app.database.owner, (await lesson()).classRow));
  assert.is((await at.answer(outside, answerTo('item-1'))).status, 403);
  assert.is((await at.answer(elsewhere, answerTo('item-1'))).status, 404, 'of another organization');
  assert.is((await at.answer(at.teacher, answerTo('item-1'))).status, 403);
  assert.is((await at.answer(outside, { itemRef: 'item-1' })).status, 403, 'before the body');
});

test('the schema of a batch', async () => {
  const at = await lesson({ students: 1 });
  const [ada] = at.students as [typeof at.teacher];
  const many = Array.from({ length: 41 }, () => answerTo('item-1'));
  for (const answers of [
    [],
    many,
    [{ ...answerTo('item-1'), correct: true }],
    [answerTo('item-1', true, { clientResponseId: 'x' })],
  ]) {
    assert.is((await at.answer(ada, ...answers)).status, 422);
  }
  assert.equal((await at.answer(ada, ...many.slice(1))).body, taken(1, 39));
});

test('an answered item cannot be removed: the playlist keeps it, and the answer stays', async () => {
  const at = await lesson();
  const [ada] = at.students as [typeof at.teacher];
  await at.answer(ada, answerTo('item-1'));
  const path = `/api/sync/sessions/${at.liveId}/playlist`;
  const { blueprintId } = (await at.rows<{ blueprintId: string }>('live_playlist', 'playlistNo'))[0] ?? {};
  const without = await app.put(path, { blueprintId, itemRefs: ['item-2'] }, at.teacher);
  assert.equal(outcomeOf(without).slice(0, 2), [409, 'CONFLICT']);
  assert.is((await app.put(path, { blueprintId, itemRefs: ['item-2', 'item-1'] }, at.teacher)).status, 200);
  assert.equal((await at.answer(ada, answerTo('item-1', false))).body, taken(0, 1));
});

test.run();
