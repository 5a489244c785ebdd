// The single writer of tiers.

import { appendEvents, newEvent } from '#core/module/events.ts';
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { conflict, invalid } from '#core/platform/errors.ts';
import { schoolYearOf } from '#rules/catalogue/index.ts';
import { lockSupport, type SupportTier, supportTiers, versionsOf } from '../../interventions/index.ts';
import { closeByDecision } from '../alerts/close.ts';
import type { RtiRules } from '../engine/compiled.ts';
import type { MovementSource } from '../enums.ts';
import { evaluateStudents } from '../evaluation/evaluate.ts';
import { tierMoved } from '../events.ts';
import { StoredTierMovement, type TierMovement } from '../rows/movements.ts';
import type { RtiSituation } from '../situations/situation.ts';
import { rtiSituationsOf } from '../situations/situations.ts';

export interface TierMove {
  readonly organizationId: string;
  readonly studentId: number;
  /** The tier that the decision was based on. */
  readonly expectedFromTier: SupportTier;
  readonly toTier: SupportTier;
  /** Local date, not before the newest movement. */
  readonly effectiveOn: string;
  /** The student had the support before; a first movement may then be dated before the enrollment. */
  readonly isEarlierSupport?: boolean;
  readonly source: { readonly type: MovementSource; readonly id: string };
  /** User id. */
  readonly actor: number;
  /** Taken under the lock of the student's support. */
  readonly now: Date;
}

export interface Moved {
  readonly movementId: number;
  readonly closedAlertId: string | null;
}

class HaltedError extends Error {
  override readonly name = 'HaltedError';
}

/**
 * Locks the student's support, moves, closes the open alert, evaluates again. Throws CONFLICT `not_enrolled`, `tier_changed`
 * or `tier_bound`; VALIDATION_ERROR for a date before the newest movement; HaltedError, a programming error, when the
 * student is halted: routes check that before.
 */
export async function moveTier(trx: Trx, services: Services, move: TierMove): Promise<Moved> {
  const { organizationId, studentId, now } = move;
  await lockSupport(trx, organizationId, [studentId]);
  const { situations, rules } = await rtiSituationsOf(trx, services, { organizationId, studentIds: [studentId], now });
  const situation = situations.get(studentId);
  if (!situation?.enrollment) throw notEnrolled();
  requireMove(move, situation);
  const movementId = await append(trx, move, situation, rules);
  const decision = move.toTier > move.expectedFromTier ? 'escalate' : 'de_escalate';
  const deciding = {
    organizationId,
    studentId,
    decision,
    packet: null,
    moved: true,
    now,
    today: situation.today,
  } as const;
  const closedAlertId = await closeByDecision(trx, deciding);
  const { expectedFromTier: fromTier, toTier } = move;
  await appendEvents(trx, now, [newEvent(tierMoved, organizationId, { studentId, movementId, fromTier, toTier })]);
  await evaluateStudents(trx, services, { organizationId, studentIds: [studentId], now });
  return { movementId, closedAlertId };
}

function requireMove(move: TierMove, situation: RtiSituation): void {
  const { expectedFromTier, toTier, effectiveOn, isEarlierSupport = false } = move;
  const { tier, tierSince, movedOn, halted, dataIncomplete } = situation;
  if (tier !== expectedFromTier) throw conflict('tier_changed', 'The student is in another tier by now.');
  if (Math.abs(toTier - tier) !== 1 || !supportTiers.includes(toTier)) {
    throw conflict('tier_bound', 'A student is moved by one tier, and there is none beyond the last.');
  }
  if (halted || dataIncomplete) throw new HaltedError('nothing is decided about a student who is halted');
  const isFirst = isEarlierSupport && movedOn === null;
  if (effectiveOn < tierSince && !isFirst) throw invalid('effectiveOn', 'out_of_range');
}

/** The documents in the stamp of a movement. */
const documents = [
  ...['profile/settings', 'rti/data-sufficiency', 'rti/tier-recommendation', 'rti/decision-packet'],
  ...['fidelity/gate', 'fidelity/settings'],
];

async function append(trx: Trx, move: TierMove, { timeZone }: RtiSituation, rules: RtiRules): Promise<number> {
  const committedAt = move.now.toISOString();
  const row: Omit<TierMovement, 'id'> = {
    ...{ organizationId: move.organizationId, studentId: move.studentId },
    schoolYear: schoolYearOf(committedAt, timeZone, rules.skills.catalogue.schoolYearStart).name,
    ...{ fromTier: move.expectedFromTier, toTier: move.toTier, effectiveOn: move.effectiveOn },
    ...{ sourceType: move.source.type, sourceId: move.source.id },
    ...{ decidedBy: move.actor, committedAt, ruleVersions: versionsOf(rules, documents) },
  };
  const stored = await StoredTierMovement.query(trx).insert(row).returning('id');
  return stored.id;
}

/** The refusal for a student who is in no class: no decision is allowed. */
export const notEnrolled = () => conflict('not_enrolled', 'The student is in no class.');
