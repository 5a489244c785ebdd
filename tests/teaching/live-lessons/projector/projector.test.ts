// Projector runs over HTTP: seats without names, correctable marks, and answers that are created once.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { newId } from '#core/platform/ids.ts';
import { answerTo, type Json, outcomeOf, useLessons } from '../lesson.ts';

const { app, lesson } = useLessons(test);
const base = '/personalized-projector';
type At = Awaited<ReturnType<typeof lesson>>;

const seated = (at: At, ...more: readonly Json[]) =>
  at.teach(`${base}/setup`, {
    seats: at.students.map(({ id: studentId }, place) => ({ seatNo: place + 1, studentId, ...more[place] })),
  });
const marked = (at: At, projectorRunId: unknown, ...marks: readonly (readonly [number, string, number?])[]) =>
  at.teach(`${base}/mark`, {
    projectorRunId,
    marks: marks.map(([seatNo, mark, selectedOptionIndex]) => ({
      ...{ seatNo, mark },
      ...(selectedOptionIndex !== undefined && { selectedOptionIndex }),
    })),
  });
/** Returns the values of `mark_calls` in the record of changes. */
async function marksOnRecord(entityId: unknown): Promise<number[]> {
  const { owner } = app.database;
  const entries = await owner('audit_entry').where({
    entity: 'live_projector_run',
    entityId,
    operation: 'markProjector',
  });
  return entries.map(({ after }: { after: { mark_calls: number } }) => after.mark_calls).sort();
}
const committed = (at: At, projectorRunId: unknown) => at.teach(`${base}/commit`, { projectorRunId });

test('seats, marks, commit: marks become answers once, also for students who have not joined', async () => {
  const at = await lesson({ students: 4, joined: 1 });
  const [ada] = at.students as [typeof at.teacher];
  await at.answer(ada, answerTo('item-1'));
  const setup = await seated(at, {}, { itemRef: 'item-3' });
  assert.equal([setup.status, setup.body.state], [201, 'open']);
  const display = setup.body.display as Json[];
  assert.equal(
    display.map(({ seatNo }) => seatNo),
    [1, 2, 3, 4],
  );
  assert.equal(Object.keys(display[0] ?? {}).sort(), [
    ...['optionSpeechAr', 'options', 'passageAr', 'promptAr', 'seatNo', 'speechAr'],
  ]);
  const { projectorRunId } = setup.body;
  const key = await at.look(`${base}/answer-key`);
  assert.is(key.body.projectorRunId, projectorRunId);
  assert.equal(
    (key.body.seats as Json[]).map(({ seatNo, studentId, itemRef, correctOptionIndex }) => [
      ...[seatNo, studentId, itemRef, correctOptionIndex],
    ]),
    at.students.map(({ id }, place) => [place + 1, id, ['item-2', 'item-3', 'item-1', 'item-1'][place], 0]),
  );
  assert.equal((await marked(at, projectorRunId, [1, 'correct'], [2, 'no_answer'])).body, { marked: 2, remaining: 2 });
  const more = await marked(at, projectorRunId, [1, 'not_correct', 2], [3, 'correct', 0]);
  assert.equal(more.body, { marked: 2, remaining: 1 }, 'a mark replaces a mark');
  assert.equal(await marksOnRecord(projectorRunId), [1, 2], 'each request with marks is recorded once');
  const answer = { projectorRunId, committed: 2, skipped: 2 };
  assert.equal((await committed(at, projectorRunId)).body, answer);
  assert.equal((await committed(at, projectorRunId)).body, answer);
  const rows = (await at.rows('live_response', 'ledgerNo')).map(({ studentId, itemRef, source, ...row }) => [
    ...[studentId, itemRef, source, row.selectedOptionIndex, row.correct],
  ]);
  assert.equal(rows, [
    [ada.id, 'item-1', 'current', 0, true],
    [ada.id, 'item-2', 'projector', 2, false],
    [at.students[2]?.id, 'item-1', 'projector', 0, true],
  ]);
  const events = (await at.rows('live_event', 'seq')).filter(({ type }) => type === 'projector_committed');
  assert.equal(
    events.map(({ data }) => data),
    [{ runId: projectorRunId, committed: 2, skipped: 2 }],
  );
  const { body } = await at.look('/summary');
  assert.equal(
    (body.perStudent as Json[]).map(({ present }) => present),
    [true, true],
  );
  assert.is((await at.look(`${base}/answer-key`)).status, 404, 'none is open');
  assert.equal(outcomeOf(await marked(at, projectorRunId, [4, 'correct'])), [
    ...[409, 'CONFLICT', 'projectorRunId invalid_transition'],
  ]);
});

test('a student who has answered otherwise is skipped, and a seat without a remaining item is left out', async () => {
  const at = await lesson({ students: 2 });
  const [ada, ben] = at.students as [typeof at.teacher, typeof at.teacher];
  const { projectorRunId } = (await seated(at)).body;
  await marked(at, projectorRunId, [1, 'not_correct'], [2, 'correct']);
  await at.answer(ada, answerTo('item-1'));
  assert.equal((await committed(at, projectorRunId)).body, { projectorRunId, committed: 1, skipped: 1 });
  await at.teach('/ism-run', { studentId: ben.id });
  await at.answer(ben, ...['item-2', 'item-3', 'item-4', 'item-5', 'item-6'].map((itemRef) => answerTo(itemRef)));
  assert.equal(
    ((await seated(at)).body.display as Json[]).map(({ seatNo }) => seatNo),
    [1],
  );
});

test('refused: repeated seats or students, unknown seats, runs and items, contradictory marks', async () => {
  const at = await lesson({ students: 2 });
  const [ada, ben] = at.students as [typeof at.teacher, typeof at.teacher];
  const setup = async (...seats: readonly Json[]) => outcomeOf(await at.teach(`${base}/setup`, { seats }));
  const invalid = (detail: string) => [422, 'VALIDATION_ERROR', detail];
  const seat = (seatNo: number, studentId: number, more: Json = {}) => ({ seatNo, studentId, ...more });
  assert.equal(await setup(seat(1, ada.id), seat(1, ben.id)), invalid('seats.1.seatNo repeated'));
  assert.equal(await setup(seat(1, ada.id), seat(2, ada.id)), invalid('seats.1.studentId repeated'));
  assert.equal(await setup(seat(1, ada.id, { itemRef: 'item-9' })), invalid('seats.0.itemRef unknown_item'));
  assert.equal((await setup(seat(41, ada.id))).slice(0, 2), [422, 'VALIDATION_ERROR']);
  assert.equal(await setup(seat(1, 999_999_999)), [404, 'NOT_FOUND']);
  assert.equal(await at.rows('live_projector_run', 'openedAt'), []);
  const { projectorRunId } = (await seated(at)).body;
  const marks = async (...list: readonly (readonly [number, string, number?])[]) =>
    outcomeOf(await marked(at, projectorRunId, ...list));
  assert.equal(await marks([1, 'correct'], [9, 'correct']), invalid('marks.1.seatNo unknown_seat'));
  assert.equal(await marks([1, 'correct'], [1, 'no_answer']), invalid('marks.1.seatNo repeated'));
  assert.equal(await marks([1, 'correct', 1]), invalid('marks.0.selectedOptionIndex contradicts_mark'));
  assert.equal(await marks([1, 'not_correct', 0]), invalid('marks.0.selectedOptionIndex contradicts_mark'));
  assert.equal(await marks([1, 'not_correct', 3]), invalid('marks.0.selectedOptionIndex out_of_range'));
  assert.equal(outcomeOf(await marked(at, newId(), [1, 'correct'])), [404, 'NOT_FOUND']);
  assert.equal(outcomeOf(await committed(at, newId())), [404, 'NOT_FOUND']);
  assert.is((await marked(at, projectorRunId, [1, 'correct'])).body.remaining, 1);
});

test('a new setup discards the previous run, the end the open one; a committed run returns its result again', async () => {
  const at = await lesson({ students: 2 });
  const first = (await seated(at)).body.projectorRunId;
  await marked(at, first, [1, 'correct']);
  const second = (await seated(at)).body.projectorRunId;
  const gone = [409, 'CONFLICT', 'projectorRunId invalid_transition'];
  assert.equal(outcomeOf(await committed(at, first)), gone);
  await marked(at, second, [1, 'correct']);
  const kept = (await committed(at, second)).body;
  const third = (await seated(at)).body.projectorRunId;
  await marked(at, third, [2, 'correct']);
  await at.control('end');
  assert.equal((await committed(at, second)).body, kept);
  assert.equal(
    [outcomeOf(await committed(at, third)), outcomeOf(await marked(at, third, [1, 'correct']))],
    [gone, gone],
  );
  assert.equal(outcomeOf(await seated(at)), [409, 'CONFLICT', 'state invalid_transition']);
  const states = (await at.rows('live_projector_run', 'openedAt')).map(({ state }) => state).sort();
  assert.equal(states, ['committed', 'discarded', 'discarded']);
  assert.is((await at.rows('live_response', 'ledgerNo')).length, 1);
});

test.run();
