// A live lesson with several playlists of different blueprints, while students work on items of an earlier one. Item
// references are local to a blueprint, so two blueprints may use one reference for two questions.
import { randomUUID } from 'node:crypto';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { BlueprintItem } from '#teaching/lesson-blueprints/index.ts';
import { buildBlueprint, itemOf } from '../../lesson-blueprints/rows.ts';
import { answerTo, type Json, type Lesson, outcomeOf, type Person, useLessons } from '../lesson.ts';

const { app, lesson } = useLessons(test);
const { owner } = app.database;
const answeredBefore = [409, 'CONFLICT', 'itemRefs item_answered'];

/** Creates another blueprint with items of these references. */
const otherBlueprint = (refs: readonly string[], change: Partial<BlueprintItem> = {}) =>
  buildBlueprint(owner, {
    items: refs.map((itemRef) => ({ ...itemOf(itemRef, 'DEC_SYLLABLE'), promptAr: 'سُؤَالٌ آخَرُ', ...change })),
  });

async function begun(): Promise<{ at: Lesson; ada: Person; own: string }> {
  const at = await lesson();
  const [ada] = at.students;
  const [first] = await at.rows<{ blueprintId: string }>('live_playlist', 'playlistNo');
  if (!ada || !first) throw new Error('no student has joined');
  return { at, ada, own: first.blueprintId };
}

const put = (at: Lesson, blueprintId: string, itemRefs: readonly string[]) =>
  app.put<Json>(`/api/sync/sessions/${at.liveId}/playlist`, { blueprintId, itemRefs }, at.teacher);

test('an own item of an earlier playlist is answered: the current playlist can be extended and shortened', async () => {
  const { at, ada } = await begun();
  await at.teach('/ism-run', { studentId: ada.id });
  const other = await otherBlueprint(['b-1', 'b-2', 'b-3']);
  assert.is((await put(at, other, ['b-1', 'b-2'])).status, 200);
  assert.is((await at.answer(ada, answerTo('item-3'))).status, 201);
  for (const refs of [['b-1', 'b-2'], ['b-1', 'b-2', 'b-3'], ['b-2']]) {
    assert.is((await put(at, other, refs)).status, 200, refs.join());
  }
});

test('a mark for an item of an earlier playlist does not prevent a new playlist', async () => {
  const { at, ada } = await begun();
  const set = await at.teach('/personalized-projector/setup', { seats: [{ seatNo: 1, studentId: ada.id }] });
  const { projectorRunId } = set.body;
  const other = await otherBlueprint(['b-1', 'b-2', 'b-3']);
  assert.is((await put(at, other, ['b-1', 'b-2'])).status, 200);
  await at.teach('/personalized-projector/mark', { projectorRunId, marks: [{ seatNo: 1, mark: 'correct' }] });
  assert.is((await at.teach('/personalized-projector/commit', { projectorRunId })).status, 200);
  assert.is((await put(at, other, ['b-1', 'b-2', 'b-3'])).status, 200);
});

test('the reference of an answered item keeps its question, even if another blueprint uses the reference', async () => {
  const { at, ada, own } = await begun();
  const other = await otherBlueprint(['item-1', 'item-2']);
  await at.answer(ada, answerTo('item-1'));
  assert.equal(outcomeOf(await put(at, other, ['item-1', 'item-2'])), answeredBefore);
  assert.is((await put(at, own, ['item-2', 'item-1'])).status, 200, 'the same question in another order');
  const third = await otherBlueprint(['c-1', 'item-2']);
  assert.equal(outcomeOf(await put(at, third, ['c-1'])), answeredBefore, 'it may not be removed either');
});

test('an unanswered reference that no student works on may change its question', async () => {
  const { at, ada } = await begun();
  const other = await otherBlueprint(['item-1', 'item-2'], { correctOptionIndex: 1 });
  assert.is((await put(at, other, ['item-1', 'item-2'])).status, 200);
  await at.answer(ada, answerTo('item-1', false));
  const [row] = await at.rows<{ subSkillCode: string; correct: boolean }>('live_response', 'ledgerNo');
  assert.equal([row?.subSkillCode, row?.correct], ['DEC_SYLLABLE', true]);
  assert.is((await put(at, other, ['item-1', 'item-2'])).status, 200);
});

test('own items and projector seats keep their questions while they are in use', async () => {
  const { at, ada } = await begun();
  await at.teach('/ism-run', { studentId: ada.id, itemRefs: ['item-1'] });
  const other = await otherBlueprint(['item-1', 'item-2'], { correctOptionIndex: 1 });
  assert.equal(outcomeOf(await put(at, other, ['item-1', 'item-2'])), answeredBefore);
  assert.is((await put(at, other, ['item-2'])).status, 200);
  await at.answer(ada, answerTo('item-1'));
  const [row] = await at.rows<Json>('live_response', 'ledgerNo');
  assert.equal([row?.source, row?.subSkillCode, row?.correct], ['ism', 'DEC_WORD', true]);

  const next = await begun();
  await next.at.teach('/personalized-projector/setup', {
    seats: [{ seatNo: 1, studentId: next.ada.id, itemRef: 'item-2' }],
  });
  assert.equal(outcomeOf(await put(next.at, other, ['item-1', 'item-2'])), answeredBefore);
});

test('a repeated signal after the end is a duplicate; a new one is refused', async () => {
  const { at, ada } = await begun();
  const say = (clientEventId: string) =>
    app.post<Json>(`/api/sync/sessions/${at.liveId}/events`, { events: [{ clientEventId, type: 'left' }] }, ada);
  const id = randomUUID();
  assert.equal((await say(id)).body, { accepted: 1, duplicates: 0 });
  await at.control('end');
  const again = await say(id.toUpperCase());
  assert.equal([again.status, again.body], [202, { accepted: 0, duplicates: 1 }]);
  assert.equal(outcomeOf(await say(randomUUID())).slice(0, 2), [409, 'CONFLICT']);
});

test.run();
