// Serves the next item of an open session.

import type { Trx } from '#core/platform/db.ts';
import { unavailable } from '#core/platform/errors.ts';
import { newId } from '#core/platform/ids.ts';
import { presentServedItem, type ServedItem } from '../../content/index.ts';
import { type NextStep, nextStep } from './engine/next-item.ts';
import type { OpenSession } from './session.ts';
import { DiagnosticEvent, DiagnosticServedItem, DiagnosticSession, stateOf } from './store.ts';

export interface Serving {
  readonly outcome: 'item_served' | 'no_eligible_item' | 'session_complete' | 'time_cap_reached';
  readonly served: ServedItem | null;
}

/** Serves the next item. The request also ends a pause. */
export async function serveNext(trx: Trx, open: OpenSession, now: Date): Promise<Serving> {
  await endPause(trx, open, now);
  const step = nextStep(stateOf(open), open.rules);
  if (step.outcome === 'waiting')
    return { outcome: 'item_served', served: itemOut(open, step.served.itemId, step.served) };
  if (step.outcome === 'item_served') return { outcome: 'item_served', served: await serve(trx, open, step, now) };
  if (step.outcome === 'no_eligible_item') await closeSubSkill(trx, open.session, step.subSkillCode);
  return { outcome: step.outcome, served: null };
}

async function endPause(trx: Trx, { session }: OpenSession, now: Date): Promise<void> {
  if (session.status !== 'PAUSED') return;
  const { id: sessionId, organizationId, schoolYear } = session;
  await DiagnosticSession.query(trx).findById(sessionId).patch({ status: 'IN_PROGRESS' });
  const at = now.toISOString();
  await DiagnosticEvent.query(trx).insert({
    organizationId,
    schoolYear,
    sessionId,
    type: 'resume',
    at,
    receivedAt: at,
  });
}

function itemOut(
  { rules }: OpenSession,
  itemId: string,
  { servedItemId, seq }: { servedItemId: string; seq: number },
): ServedItem {
  const item = rules.bank.find(itemId);
  if (!item) throw unavailable('The item bank is not available.');
  return presentServedItem(item, servedItemId, seq);
}

type Served = Extract<NextStep, { outcome: 'item_served' }>;

async function serve(trx: Trx, open: OpenSession, step: Served, now: Date): Promise<ServedItem> {
  const row = servedItem(open, step, now);
  await DiagnosticServedItem.query(trx).insert(row);
  return presentServedItem(step.item, row.id, row.seq);
}

/** Returns the row of an item that is served now, without writing it. */
export function servedItem({ session, served }: OpenSession, step: Served, now: Date): DiagnosticServedItem {
  return DiagnosticServedItem.fromJson({
    id: newId(),
    organizationId: session.organizationId,
    schoolYear: session.schoolYear,
    sessionId: session.id,
    seq: served.length + 1,
    itemId: step.item.id,
    itemVersion: step.item.version,
    subSkillCode: step.subSkillCode,
    difficultyLogit: step.item.difficulty,
    selectionTier: step.tier,
    servedAt: now.toISOString(),
  });
}

async function closeSubSkill(trx: Trx, session: DiagnosticSession, subSkillCode: string): Promise<void> {
  await DiagnosticSession.query(trx)
    .findById(session.id)
    .patch({ closedSubSkills: [...session.closedSubSkills, subSkillCode] });
}
