// Serves the next item of the current queue, with a hint when error patterns in training require one.

import type { Trx } from '#core/platform/db.ts';
import { unavailable } from '#core/platform/errors.ts';
import { newId } from '#core/platform/ids.ts';
import { presentServedItem, type ServedItem } from '../../content/index.ts';
import type { RequestServices } from '../services.ts';
import { endQueue } from './complete.ts';
import { nextPracticeStep, nextTarget, type PracticeStep } from './engine/next-item.ts';
import { lockCurrent, type OpenQueue } from './queue.ts';
import { PracticeQueue, PracticeServedItem, stateOf } from './store.ts';

export interface PracticeServing {
  readonly outcome: 'item_served' | 'no_eligible_item' | 'queue_complete';
  readonly served: ServedItem | null;
  readonly support: { readonly kind: 'hint'; readonly textAr: string } | null;
}

const noItem = (outcome: 'no_eligible_item' | 'queue_complete'): PracticeServing => ({
  outcome,
  served: null,
  support: null,
});

/**
 * Serves the next item. `no_eligible_item` is also returned without a queue. The call that finds the last target empty
 * completes the queue.
 */
export async function servePractice(
  services: RequestServices,
  trx: Trx,
  studentId: number,
  now: Date,
): Promise<PracticeServing> {
  const open = await lockCurrent(services, trx, studentId, now);
  if (!open) return noItem('no_eligible_item');
  if (open.queue.status !== 'ACTIVE') return noItem('queue_complete');
  const step = nextPracticeStep(stateOf(open), open.rules);
  if (step.outcome === 'waiting') return repeatServing(open, step.served.servedItemId);
  if (step.outcome === 'item_served') return serve(services, trx, open, step, now);
  if (step.outcome === 'no_eligible_item') await closeTarget(services, trx, open, step.subSkillCode, now);
  return noItem(step.outcome);
}

function repeatServing({ served, rules }: OpenQueue, servedItemId: string): PracticeServing {
  const row = served.find(({ id }) => id === servedItemId);
  const item = row && rules.bank.find(row.itemId);
  if (!item) throw unavailable('The item bank is not available.');
  return presented(presentServedItem(item, row.id, row.seq), row.hintTextAr);
}

const presented = (served: ServedItem, textAr: string | null): PracticeServing => ({
  outcome: 'item_served',
  served,
  support: textAr === null ? null : { kind: 'hint', textAr },
});

type Chosen = Extract<PracticeStep, { outcome: 'item_served' }>;

async function serve(
  services: RequestServices,
  trx: Trx,
  { queue, served, rules }: OpenQueue,
  { item, tier, subSkillCode }: Chosen,
  now: Date,
): Promise<PracticeServing> {
  const hint = await services.training.hintFor(trx, queue, item, now);
  const row = await PracticeServedItem.query(trx).insertAndFetch({
    id: newId(),
    organizationId: queue.organizationId,
    schoolYear: queue.schoolYear,
    queueId: queue.id,
    seq: served.length + 1,
    itemId: item.id,
    itemVersion: item.version,
    subSkillCode,
    difficultyLogit: item.difficulty,
    calibrationProvisional: item.calibration.n < rules.values.trustedCalibrationN,
    selectionTier: tier,
    hintPatternKey: hint?.patternKey ?? null,
    hintTextAr: hint?.textAr ?? null,
    servedAt: now.toISOString(),
  });
  return presented(presentServedItem(item, row.id, row.seq), row.hintTextAr);
}

async function closeTarget(
  services: RequestServices,
  trx: Trx,
  open: OpenQueue,
  subSkillCode: string,
  now: Date,
): Promise<void> {
  const closedSubSkills = [...open.queue.closedSubSkills, subSkillCode];
  const queue = await PracticeQueue.query(trx).patchAndFetchById(open.queue.id, { closedSubSkills });
  const closed = { ...open, queue };
  if (nextTarget(stateOf(closed)) === undefined) await endQueue(services, trx, closed, 'COMPLETED', now);
}
