// Schemas of decisions about tiers.
import Type from 'typebox';
import { nextDataActions } from '#assessment/skill-status/index.ts';
import {
  CalendarDate,
  Cuid,
  EnteredDate,
  IntegerId,
  named,
  nullable,
  object,
  oneOf,
  page,
  pageQuery,
  Timestamp,
} from '#core/http/schemas.ts';
import { effectiveReasons, tierDecisions } from '../engine/vocabulary.ts';
import { RtiVersions, SupportTierSchema } from '../recommendation/schemas.ts';

export const DecisionBody = object({
  /** The id from `getRtiRecommendation`; any other is stale. */
  recommendationId: Type.String({ minLength: 1, maxLength: 64 }),
  decision: oneOf(tierDecisions),
  overrideCode: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  effectiveOn: Type.Optional(EnteredDate),
  effectiveReason: Type.Optional(
    oneOf(effectiveReasons, {
      description: 'the student had this support before; `effectiveOn` is then any day of the school year up to today',
    }),
  ),
});

export const TierDecisionView = named(
  'RtiDecision',
  object({
    decisionId: Cuid,
    studentId: IntegerId,
    decision: oneOf(tierDecisions),
    recommendedDecision: oneOf(tierDecisions),
    ...{ fromTier: SupportTierSchema, toTier: SupportTierSchema },
    movementId: nullable(IntegerId),
    overrideCode: nullable(Type.String()),
    effectiveOn: CalendarDate,
    effectiveReason: nullable(oneOf(effectiveReasons)),
    committedAt: Timestamp,
    decidedBy: IntegerId,
    packetId: nullable(Cuid),
    closedAlertId: nullable(Cuid),
    ruleVersions: RtiVersions,
  }),
);

/** The evidence about the student is insufficient; nothing was written. */
export const NotDecided = named(
  'RtiNotDecided',
  object({ outcome: oneOf(['do_not_decide_yet']), nextRecommendedDataAction: nullable(oneOf(nextDataActions)) }),
);

export const DecisionList = named('RtiDecisionList', page(TierDecisionView));
export const DecisionQuery = object({ ...pageQuery });
