// Answers of one student, taken under the lock of the session: what was locked or moved on before them refuses them, what
// comes after finds them taken.
import type { Trx } from '#core/platform/db.ts';
import { conflict, invalid } from '#core/platform/errors.ts';
import type { BlueprintItem } from '../../lesson-blueprints/index.ts';
import { type AnswerInput, type FreshAnswer, freshAnswers, misshapenAt, refusalOf } from '../engine/answers.ts';
import { finishRuns } from '../own-items/course.ts';
import { type LiveOwnRun, runningRuns } from '../own-items/store.ts';
import { appendLiveEvents, type NewLiveEvent } from '../rows/events.ts';
import { liveItems } from '../rows/playlist.ts';
import { requireState } from '../rows/require-state.ts';
import { appendResponses, knownAnswers, type NewResponse } from '../rows/responses.ts';
import type { LiveSessionRow } from '../rows/session.ts';

export interface Taken {
  readonly accepted: number;
  readonly duplicates: number;
}

/**
 * The row is locked. What is known is recognised before anything else is asked, in every state: a device that was not told
 * that its batch arrived sends it again. VALIDATION_ERROR `out_of_range`; CONFLICT `invalid_transition`, `locked`, `not_current`.
 */
export async function takeAnswers(
  trx: Trx,
  row: LiveSessionRow,
  studentId: number,
  sent: readonly AnswerInput[],
  now: Date,
): Promise<Taken> {
  const inputs = sent.map((input) => ({ ...input, clientResponseId: input.clientResponseId.toLowerCase() }));
  const ids = inputs.map(({ clientResponseId }) => clientResponseId);
  const fresh = freshAnswers(inputs, await knownAnswers(trx, row, studentId, ids));
  if (fresh.length === 0) return { accepted: 0, duplicates: inputs.length };
  const [run] = await runningRuns(trx, row, [studentId]);
  const items = await answerableItems(trx, row, run);
  requireAnswerable(row, fresh, items, run);
  const responses = fresh.map(({ input }) => responseOf(studentId, input, items, run));
  await appendResponses(trx, row, responses, now);
  await appendLiveEvents(trx, row, responses.map(recorded), now);
  if (run) await finishRuns(trx, row, [studentId], now);
  return { accepted: fresh.length, duplicates: inputs.length - fresh.length };
}

/** Of the playlist; the student's own items as they were in the one that they were taken from. */
async function answerableItems(trx: Trx, row: LiveSessionRow, run: LiveOwnRun | undefined) {
  const own = run ? await liveItems(trx, row, run.playlistNo) : [];
  const items = [...(await liveItems(trx, row)), ...own.filter(({ itemRef }) => run?.itemRefs.includes(itemRef))];
  return new Map(items.map((item) => [item.itemRef, item]));
}

function requireAnswerable(
  row: LiveSessionRow,
  fresh: readonly FreshAnswer[],
  items: ReadonlyMap<string, BlueprintItem>,
  run: LiveOwnRun | undefined,
): void {
  const misshapen = misshapenAt(fresh, items);
  if (misshapen !== undefined) throw invalid(`responses.${misshapen}.selectedOptionIndex`, 'out_of_range');
  requireState(row, ['live']);
  const { currentItemRef, responsesLocked } = row;
  const refusal = refusalOf(fresh, { currentItemRef, responsesLocked, ownItemRefs: run?.itemRefs ?? [], items });
  if (refusal) throw conflict(refusal.issue, messages[refusal.issue], `responses.${refusal.at}.itemRef`);
}

const messages = {
  locked: 'Answers are not taken at the moment.',
  not_current: 'This item is not asked at the moment.',
} as const;

function responseOf(
  studentId: number,
  input: AnswerInput,
  items: ReadonlyMap<string, BlueprintItem>,
  run: LiveOwnRun | undefined,
): NewResponse {
  const { clientResponseId, itemRef, selectedOptionIndex, supportUsed = false } = input;
  const item = items.get(itemRef);
  if (!item) throw new RangeError(`${itemRef} was let through without an item`);
  const own = run?.itemRefs.includes(itemRef) ? run.id : null;
  return {
    ...{ studentId, item, source: own === null ? 'current' : 'ism', runId: own, clientResponseId },
    ...{ selectedOptionIndex, supportUsed, correct: selectedOptionIndex === item.correctOptionIndex },
  };
}

/** As staff is told of an answer. */
export const recorded = ({ studentId, item: { itemRef }, correct, source }: NewResponse): NewLiveEvent => ({
  type: 'response_recorded',
  studentId,
  data: { studentId, itemRef, correct, source },
});
