// Rolls back to an earlier version, by a new row in the timeline: rows are never removed.

import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { conflict } from '#core/platform/errors.ts';
import type { RollbackReason } from '#rules/rulesets/index.ts';
import { type DocumentName, lockActivations, type Versions } from '#rules/rulesets/index.ts';
import { activateNow, type EntryId, noChange } from './activate.ts';
import { activePeriodsOf } from './active-periods.ts';
import { changedPins } from './engine/plans.ts';
import { requireNotNeeded } from './plan-fit.ts';
import { allPending, endSchedule } from './schedule.ts';

export interface Rollback {
  readonly name: DocumentName;
  readonly toVersion: number;
  readonly reason: RollbackReason;
  readonly userId: number;
}

/**
 * A rollback to the version that is in force cancels the document's schedules. Throws CONFLICT `needed_by_plan` when another
 * schedule rests on one of these, `never_active` for a version that was never in force, and what `activateNow` throws.
 */
export async function rollBack(
  services: Services,
  trx: Trx,
  { name, toVersion, reason, userId }: Rollback,
): Promise<EntryId> {
  const { moment, current, ahead } = await lockActivations(trx, services.clock);
  const pins: Versions = { [name]: toVersion };
  const isInForce = changedPins(current, pins).length === 0;
  const isMoving = ahead !== null && changedPins(ahead.versions, pins).length > 0;
  if (isInForce && !isMoving) return withdrawPlans(services, trx, { name, current }, moment);
  const periods = await activePeriodsOf(trx, name, moment);
  if (!periods.some(({ version }) => version === toVersion)) {
    throw conflict('never_active', 'That version never was in force: activate it instead.', 'toVersion');
  }
  return activateNow(services, trx, { pins, kind: 'rollback', reason, userId });
}

async function withdrawPlans(
  services: Services,
  trx: Trx,
  { name, current }: { readonly name: DocumentName; readonly current: Versions },
  now: Date,
): Promise<EntryId> {
  const plans = await allPending(trx);
  const taken = plans.filter(({ versions }) => Object.hasOwn(versions, name));
  const last = taken.at(-1);
  if (!last) throw noChange();
  await requireNotNeeded(services, trx, { current, plans, taken });
  for (const { id } of taken) await endSchedule(trx, id, { outcome: 'withdrawn' }, now);
  return { scheduleId: last.id };
}
