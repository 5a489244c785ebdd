// A session that is answered in one go, by the same decisions as one that is answered item by item: simulated children have
// months of history, which is stored a session at a time.
import type { Item } from '../../content/index.ts';
import type { Trx } from '../../platform/db.ts';
import { nextStep } from './engine/next-item.ts';
import { type AnswerInput, responseRow } from './respond.ts';
import { servedRow } from './serve.ts';
import type { OpenSession } from './session.ts';
import { DiagnosticResponse, DiagnosticServedItem, DiagnosticSession, stateOf } from './store.ts';

export interface Turn {
  /** With the item among what was served. */
  readonly open: OpenSession;
  /** None when there is nothing more to answer. */
  readonly item: Item | undefined;
}

/** What the student sees next; a sub-skill without an eligible item is closed on the way. */
export function turnOf(open: OpenSession, now: Date): Turn {
  const step = nextStep(stateOf(open), open.rules);
  if (step.outcome === 'no_eligible_item') return turnOf(closed(open, step.subSkillCode), now);
  if (step.outcome !== 'item_served') return { open, item: undefined };
  const served = DiagnosticServedItem.fromJson(servedRow(open, step, now));
  return { open: { ...open, served: [...open.served, served] }, item: step.item };
}

const closed = ({ session, ...record }: OpenSession, subSkillCode: string): OpenSession => ({
  ...record,
  session: session.$clone().$set({ closedSubSkills: [...session.closedSubSkills, subSkillCode] }),
});

/** The session with an answer to the item that was served last. Throws RangeError before the first one. */
export function answered(open: OpenSession, answer: Omit<AnswerInput, 'servedItemId'>, now: Date): OpenSession {
  const served = open.served.at(-1);
  if (!served) throw new RangeError('nothing has been served');
  const response = DiagnosticResponse.fromJson(responseRow(open, served, { ...answer, servedItemId: served.id }, now));
  const activeMsUsed = open.session.activeMsUsed + response.latencyMs;
  return {
    ...open,
    session: open.session.$clone().$set({ activeMsUsed }),
    responses: [...open.responses, response],
  };
}

/** Stores what was served and answered since the session was started in this transaction. */
export async function storeSitting(trx: Trx, { session, served, responses }: OpenSession): Promise<void> {
  await DiagnosticServedItem.query(trx).insert([...served]);
  await DiagnosticResponse.query(trx).insert([...responses]);
  const { id, activeMsUsed, closedSubSkills } = session;
  await DiagnosticSession.query(trx).findById(id).patch({ activeMsUsed, closedSubSkills });
}
