// Schemas of a recommendation about a tier, of its reasons, and of what would make a decision possible.
import Type from 'typebox';
import { nextDataActions } from '#assessment/skill-status/index.ts';
import {
  CalendarDate,
  Count,
  IntegerId,
  mapOf,
  named,
  nullable,
  object,
  oneOf,
  Timestamp,
} from '#core/http/schemas.ts';
import { ConstantsView, FlipDistanceView, RuleId, TraceView } from '#rules/rulesets/index.ts';
import { fidelityGates, sufficiencies, sufficiencyReasons } from '../../interventions/index.ts';
import { responses, reviewTypes, tierDecisions } from '../engine/vocabulary.ts';

export const SupportTierSchema = named('SupportTier', Type.Integer({ minimum: 1, maximum: 3 }));

export const RtiVersions = named('RtiVersions', mapOf('^[a-z-]+/[a-z0-9-]+$', Type.Integer({ minimum: 1 })));

const RecommendationKey = Type.String({ minLength: 32, maxLength: 32, pattern: '^[0-9a-f]{32}$' });

/** The fields that decisions and packets freeze. */
const frozenAdvice = {
  recommendationId: RecommendationKey,
  studentId: IntegerId,
  outcome: oneOf(['recommended', 'do_not_decide_yet']),
  decision: nullable(oneOf(tierDecisions)),
  fromTier: SupportTierSchema,
  toTier: nullable(SupportTierSchema),
  ruleId: RuleId,
  reason: oneOf(sufficiencyReasons),
  dataSufficiency: oneOf(sufficiencies),
  fidelity: named(
    'PooledFidelity',
    object({
      ...{ planned: Count, credited: Count },
      rate: nullable(Type.Number({ minimum: 0, maximum: 1 })),
      gate: oneOf(fidelityGates),
    }),
  ),
  progress: oneOf(responses),
  requiredPacket: nullable(oneOf(reviewTypes)),
  nextRecommendedDataAction: nullable(oneOf(nextDataActions)),
  ruleVersions: RtiVersions,
};

export const FrozenAdviceView = named('FrozenRtiRecommendation', object(frozenAdvice));

const DecisionPossible = named(
  'DecisionPossible',
  object({
    ...{ weeksMissing: Count, creditsMissing: Count, pointsMissing: Count },
    earliestOn: nullable(CalendarDate),
  }),
);

export const AdviceView = named(
  'RtiRecommendation',
  object({
    ...frozenAdvice,
    decisionPossible: DecisionPossible,
    ...{ trace: TraceView, constants: ConstantsView, flipDistance: nullable(FlipDistanceView) },
    asOf: Timestamp,
  }),
);
