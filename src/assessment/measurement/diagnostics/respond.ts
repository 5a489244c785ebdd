// Accepts an answer to a served item. A repeated request returns the stored result; a different answer to the item is
// refused.
import type { Trx } from '#core/platform/db.ts';
import { conflict, invalid } from '#core/platform/errors.ts';
import { countedLatencyMs, heardLatencyMs } from './engine/active-time.ts';
import type { OpenSession } from './session.ts';
import { DiagnosticResponse, type DiagnosticServedItem, DiagnosticSession, eventRow } from './store.ts';

export interface AnswerInput {
  readonly servedItemId: string;
  readonly selectedOptionIndex?: number;
  readonly skipped?: true;
  readonly latencyMs: number;
  readonly optionChanges?: number;
}

export interface Accepted {
  readonly seq: number;
  /** The session's responses including this one. */
  readonly responses: readonly DiagnosticResponse[];
}

/**
 * Stores the response. Throws VALIDATION_ERROR for an item that this session did not serve or an option that it does
 * not have; throws CONFLICT `answered`.
 */
export async function acceptResponse(trx: Trx, open: OpenSession, answer: AnswerInput, now: Date): Promise<Accepted> {
  const served = open.served.find(({ id }) => id === answer.servedItemId);
  if (!served) throw invalid('servedItemId', 'was not served in this session');
  const known = open.responses.find(({ servedItemId }) => servedItemId === served.id);
  if (known) return repeated(open, known, answer);
  const response = await DiagnosticResponse.query(trx)
    .insert(scoreResponse(open, served, answer, now))
    .returning('*');
  await DiagnosticSession.query(trx)
    .findById(open.session.id)
    .patch({ activeMsUsed: open.session.activeMsUsed + response.latencyMs });
  return { seq: served.seq, responses: [...open.responses, response] };
}

function repeated({ responses }: OpenSession, known: DiagnosticResponse, answer: AnswerInput): Accepted {
  const same =
    known.selectedOptionIndex === (answer.selectedOptionIndex ?? null) &&
    known.reportedLatencyMs === answer.latencyMs &&
    known.optionChanges === (answer.optionChanges ?? 0);
  if (!same) throw conflict('answered', 'This item has been answered already.');
  return { seq: known.seq, responses: responses.filter(({ seq }) => seq <= known.seq) };
}

/**
 * Returns the scored response row without writing it. Throws VALIDATION_ERROR for an option that the item does not
 * have.
 */
export function scoreResponse(
  { session, events, rules }: OpenSession,
  served: DiagnosticServedItem,
  answer: Omit<AnswerInput, 'servedItemId'>,
  now: Date,
): DiagnosticResponse {
  const item = rules.bank.find(served.itemId);
  const chosen = answer.selectedOptionIndex ?? null;
  if (chosen !== null && chosen >= (item?.options.length ?? 0))
    throw invalid('selectedOptionIndex', 'is not an option of this item');
  const known = events.map(eventRow);
  const shown = { servedItemId: served.id, fromMs: Date.parse(served.servedAt), toMs: now.getTime() };
  return DiagnosticResponse.fromJson({
    servedItemId: served.id,
    organizationId: session.organizationId,
    schoolYear: session.schoolYear,
    sessionId: session.id,
    seq: served.seq,
    selectedOptionIndex: chosen,
    skipped: chosen === null,
    correct: chosen !== null && chosen === item?.correctIndex,
    reportedLatencyMs: answer.latencyMs,
    latencyMs: countedLatencyMs(answer.latencyMs, shown, known),
    heardMs: heardLatencyMs(answer.latencyMs, shown, known),
    optionChanges: answer.optionChanges ?? 0,
    receivedAt: now.toISOString(),
  });
}
