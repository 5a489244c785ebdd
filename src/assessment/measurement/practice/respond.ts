// Accepts a practice answer. A repeated request returns the stored result; a different answer to the item is refused.
import type { Trx } from '#core/platform/db.ts';
import { conflict, invalid } from '#core/platform/errors.ts';
import { countedLatencyMs } from '../diagnostics/engine/active-time.ts';
import type { AnswerInput } from '../diagnostics/respond.ts';
import type { RequestServices } from '../services.ts';
import { endQueue } from './complete.ts';
import { lockQueue, type OpenQueue } from './queue.ts';
import { answeredIn, PracticeResponse, PracticeServedItem } from './store.ts';

/** The feedback that a child gets on an answer. */
export interface Feedback {
  readonly accepted: true;
  readonly feedbackCode: 'well_done' | 'keep_going';
  /** Answers left in the queue. */
  readonly remaining: number;
}

/**
 * Throws VALIDATION_ERROR for an item that was not served to this student or an option that it does not have; throws
 * CONFLICT `answered`, or `replaced` when a newer queue replaced the item's own.
 */
export async function submitAnswer(
  services: RequestServices,
  trx: Trx,
  studentId: number,
  answer: AnswerInput,
  now: Date,
): Promise<Feedback> {
  const served = await servedTo(trx, studentId, answer.servedItemId);
  const open = await lockQueue(services, trx, served.queueId, now);
  const known = open.responses.find(({ servedItemId }) => servedItemId === served.id);
  if (known) return repeated(open, known, answer);
  if (open.queue.status !== 'ACTIVE') throw conflict('replaced', 'A newer practice replaced this one.');
  const response = await insertResponse(trx, open, served, answer, now);
  const after = { ...open, responses: [...open.responses, response] };
  if (!response.correct && !response.skipped) await services.training.escalate(trx, open.queue, now);
  const feedback = feedbackOn(after, response);
  if (feedback.remaining === 0) await endQueue(services, trx, after, 'COMPLETED', now);
  return feedback;
}

async function servedTo(trx: Trx, studentId: number, servedItemId: string): Promise<PracticeServedItem> {
  const row = await PracticeServedItem.query(trx)
    .alias('i')
    .join('practice_queue as q', (on) => on.on('q.organizationId', 'i.organizationId').andOn('q.id', 'i.queueId'))
    .where({ 'i.id': servedItemId, 'q.studentId': studentId })
    .select('i.*')
    .first();
  if (!row) throw invalid('servedItemId', 'was not served to you in a practice');
  return row;
}

function repeated({ responses, ...open }: OpenQueue, known: PracticeResponse, answer: AnswerInput): Feedback {
  const same =
    known.selectedOptionIndex === (answer.selectedOptionIndex ?? null) &&
    known.reportedLatencyMs === answer.latencyMs &&
    known.optionChanges === (answer.optionChanges ?? 0);
  if (!same) throw conflict('answered', 'This item has been answered already.');
  return feedbackOn({ ...open, responses: responses.filter(({ seq }) => seq <= known.seq) }, known);
}

const feedbackOn = (open: OpenQueue, { correct }: PracticeResponse): Feedback => ({
  accepted: true,
  feedbackCode: correct ? 'well_done' : 'keep_going',
  remaining: open.queue.itemBudget - answeredIn(open),
});

async function insertResponse(
  trx: Trx,
  { queue, rules }: OpenQueue,
  served: PracticeServedItem,
  answer: AnswerInput,
  now: Date,
): Promise<PracticeResponse> {
  const item = rules.bank.find(served.itemId);
  const chosen = answer.selectedOptionIndex ?? null;
  if (chosen !== null && chosen >= (item?.options.length ?? 0))
    throw invalid('selectedOptionIndex', 'is not an option of this item');
  const shown = { servedItemId: served.id, fromMs: Date.parse(served.servedAt), toMs: now.getTime() };
  return PracticeResponse.query(trx).insertAndFetch({
    servedItemId: served.id,
    organizationId: queue.organizationId,
    schoolYear: queue.schoolYear,
    queueId: queue.id,
    seq: served.seq,
    selectedOptionIndex: chosen,
    skipped: chosen === null,
    correct: chosen !== null && chosen === item?.correctIndex,
    reportedLatencyMs: answer.latencyMs,
    latencyMs: countedLatencyMs(answer.latencyMs, shown, []),
    optionChanges: answer.optionChanges ?? 0,
    receivedAt: now.toISOString(),
  });
}
