// Answers of one student, accepted under the lock of the live lesson, so that they are ordered with locking and moving on.
import type { Trx } from '#core/platform/db.ts';
import { conflict, invalid } from '#core/platform/errors.ts';
import type { BlueprintItem } from '../../lesson-blueprints/index.ts';
import { firstOutOfRange, type LiveAnswerInput, type NewAnswer, newAnswersOf, refusalOf } from '../engine/answers.ts';
import { finishRuns } from '../own-items/runs.ts';
import { type LiveOwnRun, runningRuns } from '../own-items/store.ts';
import { appendLiveEvents, type NewLiveEvent } from '../rows/events.ts';
import type { LiveLessonRow } from '../rows/live-lesson.ts';
import { requireLiveState } from '../rows/live-lesson.ts';
import { liveItems } from '../rows/playlist.ts';
import { appendLiveResponses, knownAnswers, type NewResponse } from '../rows/responses.ts';

export interface BatchResult {
  readonly accepted: number;
  readonly duplicates: number;
}

/**
 * Scores and stores answers. Known answers are recognized first and in every state, because a device sends a batch again
 * until it receives a response. The caller holds the lock. Throws VALIDATION_ERROR `out_of_range`, and CONFLICT
 * `invalid_transition`, `locked` or `not_current`.
 */
export async function acceptAnswers(
  trx: Trx,
  row: LiveLessonRow,
  studentId: number,
  sent: readonly LiveAnswerInput[],
  now: Date,
): Promise<BatchResult> {
  const inputs = sent.map((input) => ({ ...input, clientResponseId: input.clientResponseId.toLowerCase() }));
  const ids = inputs.map(({ clientResponseId }) => clientResponseId);
  const fresh = newAnswersOf(inputs, await knownAnswers(trx, row, studentId, ids));
  if (fresh.length === 0) return { accepted: 0, duplicates: inputs.length };
  const [run] = await runningRuns(trx, row, [studentId]);
  const items = await answerableItems(trx, row, run);
  requireAnswerable(row, fresh, items, run);
  const responses = fresh.map(({ input }) => responseOf(studentId, input, items, run));
  await appendLiveResponses(trx, row, responses, now);
  await appendLiveEvents(trx, row, responses.map(responseRecorded), now);
  if (run) await finishRuns(trx, row, [studentId], now);
  return { accepted: fresh.length, duplicates: inputs.length - fresh.length };
}

/** Returns the items of the playlist and the student's own items, in the version of the playlist of their run. */
async function answerableItems(trx: Trx, row: LiveLessonRow, run: LiveOwnRun | undefined) {
  const own = run ? await liveItems(trx, row, run.playlistNo) : [];
  const items = [...(await liveItems(trx, row)), ...own.filter(({ itemRef }) => run?.itemRefs.includes(itemRef))];
  return new Map(items.map((item) => [item.itemRef, item]));
}

function requireAnswerable(
  row: LiveLessonRow,
  fresh: readonly NewAnswer[],
  items: ReadonlyMap<string, BlueprintItem>,
  run: LiveOwnRun | undefined,
): void {
  const outOfRange = firstOutOfRange(fresh, items);
  if (outOfRange !== undefined) throw invalid(`responses.${outOfRange}.selectedOptionIndex`, 'out_of_range');
  requireLiveState(row, ['live']);
  const { currentItemRef, responsesLocked } = row;
  const refusal = refusalOf(fresh, { currentItemRef, responsesLocked, ownItemRefs: run?.itemRefs ?? [], items });
  if (refusal) throw conflict(refusal.issue, messages[refusal.issue], `responses.${refusal.at}.itemRef`);
}

const messages = {
  locked: 'Answers are locked at the moment.',
  not_current: 'This item cannot be answered at the moment.',
} as const;

function responseOf(
  studentId: number,
  input: LiveAnswerInput,
  items: ReadonlyMap<string, BlueprintItem>,
  run: LiveOwnRun | undefined,
): NewResponse {
  const { clientResponseId, itemRef, selectedOptionIndex, supportUsed = false } = input;
  const item = items.get(itemRef);
  if (!item) throw new RangeError(`${itemRef} has no item`);
  const own = run?.itemRefs.includes(itemRef) ? run.id : null;
  return {
    studentId,
    item,
    source: own === null ? 'current' : 'ism',
    runId: own,
    clientResponseId,
    selectedOptionIndex,
    supportUsed,
    correct: selectedOptionIndex === item.correctOptionIndex,
  };
}

/** The event about an answer, for staff. */
export const responseRecorded = ({ studentId, item: { itemRef }, correct, source }: NewResponse): NewLiveEvent => ({
  type: 'response_recorded',
  studentId,
  data: { studentId, itemRef, correct, source },
});
