// Explains why a student is in a tier: the movement and its decision.
import type { Services } from '#core/module/services.ts';
import type { ReadTransaction } from '#core/platform/db.ts';
import { inAnyOrganization } from '#core/platform/statements/any-organization.ts';
import { explainDecision } from '../decisions/replay/explainer.ts';
import { RtiDecision } from '../rows/decisions.ts';
import { StoredTierMovement, type TierMovement } from '../rows/movements.ts';
import type { ExplainedMovement } from './schemas.ts';

/** Returns undefined for a row that the caller cannot see. Uses the pinned rules only. */
export async function explainMovement(
  reading: ReadTransaction,
  services: Services,
  id: number,
): Promise<ExplainedMovement | undefined> {
  const { row, made } = await reading(async (trx) => ({
    row: (await StoredTierMovement.query(trx).modify(inAnyOrganization).where({ id }).first()) as
      | TierMovement
      | undefined,
    made: await RtiDecision.query(trx).modify(inAnyOrganization).where({ movementId: id }).first(),
  }));
  const decision = made && (await explainDecision(reading, services, made.id));
  if (!row || !made || !decision) return undefined;
  const { organizationId, studentId, fromTier, toTier, effectiveOn, decidedBy } = row;
  return {
    ...{ stampId: `movement:${id}`, kind: 'movement', organizationId, studentId },
    ...{ asOf: row.committedAt, ruleVersions: { ...row.ruleVersions } },
    result: { fromTier, toTier, effectiveOn, source: { type: row.sourceType, id: row.sourceId }, decidedBy },
    decisions: decision.decisions,
    matchesStored: decision.matchesStored && made.fromTier === fromTier && made.toTier === toTier,
    ...{ sentence: decision.sentence, nearestChange: decision.nearestChange, decision },
  };
}
