// Rolls back to an earlier version, by a new row in the timeline: rows are never removed.

import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { conflict } from '#core/platform/errors.ts';
import type { RollbackReason } from '#rules/rulesets/index.ts';
import { type DocumentName, lockActivations } from '#rules/rulesets/index.ts';
import { activateNow, type EntryId, noChange } from './activate.ts';
import { activePeriodsOf } from './active-periods.ts';
import { endSchedule, pendingFor } from './schedule.ts';

export interface Rollback {
  readonly name: DocumentName;
  readonly toVersion: number;
  readonly reason: RollbackReason;
  readonly userId: number;
}

/**
 * A rollback to the version that is in force cancels the document's schedules. Throws CONFLICT `never_active` for a version
 * that was never in force, and what `activateNow` throws.
 */
export async function rollBack(
  services: Services,
  trx: Trx,
  { name, toVersion, reason, userId }: Rollback,
): Promise<EntryId> {
  const timeline = await lockActivations(trx, services.clock);
  const current = new Map<string, number>(Object.entries(timeline.current)).get(name);
  if (current === toVersion) return withdrawPlans(trx, name, timeline.moment);
  const periods = await activePeriodsOf(trx, name, timeline.moment);
  if (!periods.some(({ version }) => version === toVersion)) {
    throw conflict('never_active', 'That version never was in force: activate it instead.', 'toVersion');
  }
  return activateNow(services, trx, { pins: { [name]: toVersion }, kind: 'rollback', reason, userId });
}

async function withdrawPlans(trx: Trx, name: DocumentName, now: Date): Promise<EntryId> {
  const plans = await pendingFor(trx, name);
  const last = plans.at(-1);
  if (!last) throw noChange();
  for (const { id } of plans) await endSchedule(trx, id, { outcome: 'withdrawn' }, now);
  return { scheduleId: last.id };
}
