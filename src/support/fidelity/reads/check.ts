// One assignment: the present count, the newest stored count, and a recount on request.
import type { Static } from 'typebox';
import { appendEvents } from '#core/module/events.ts';
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { notFound } from '#core/platform/errors.ts';
import { type BundleAssignment, interventionRules, underLock, versionsOf } from '../../interventions/index.ts';
import { countedAssignments } from '../counting/facts.ts';
import { fidelityEvent, recount } from '../counting/recount.ts';
import { newestSnapshots } from '../counting/store.ts';
import { fidelityDocuments } from '../engine/count.ts';
import { presentCheck, presentRecord } from './present.ts';
import type { FidelityCheck, FidelityRecord } from './schemas.ts';

interface Asked {
  readonly services: Services;
  readonly trx: Trx;
  readonly now: Date;
}

/** Writes nothing. Throws ENGINE_UNAVAILABLE. */
export async function checkFidelity(
  { services, trx, now }: Asked,
  row: BundleAssignment,
): Promise<Static<typeof FidelityCheck>> {
  const rules = interventionRules((await services.rules.at(trx, now)).rules);
  const [plan] = await countedAssignments(trx, [row], now, rules);
  if (!plan) throw notFound();
  const { id: assignmentId, studentId } = row;
  const of = { assignmentId, studentId, asOf: plan.facts.asOf, ruleVersions: versionsOf(rules, fidelityDocuments) };
  return presentCheck(plan.count, of);
}

/** Throws NOT_FOUND for an assignment without a count. */
export async function newestRecord(
  trx: Trx,
  { organizationId, id }: BundleAssignment,
): Promise<Static<typeof FidelityRecord>> {
  const newest = (await newestSnapshots(trx, organizationId, [id])).get(id);
  if (!newest) throw notFound();
  return presentRecord(newest.snapshot);
}

/** Raises the event even without a change, so that tiers and alerts are evaluated again. Throws ENGINE_UNAVAILABLE. */
export async function recomputeFidelity(
  asked: Asked,
  { organizationId, id, studentId }: BundleAssignment,
): Promise<Static<typeof FidelityRecord>> {
  const { services, trx, now } = await underLock(asked, { organizationId, studentId });
  const rules = interventionRules((await services.rules.at(trx, now)).rules);
  const before = (await newestSnapshots(trx, organizationId, [id])).get(id);
  const of = { organizationId, assignmentIds: [id], studentIds: [studentId], now };
  const snapshot = (await recount(trx, of, rules)).get(id);
  if (!snapshot) throw notFound();
  if (snapshot.id === before?.snapshot.id) await appendEvents(trx, now, [fidelityEvent(snapshot)]);
  return presentRecord(snapshot);
}
