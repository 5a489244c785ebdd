// Schemas of explanations of tiers: an alert and a skill state down to the responses, a movement down to its decision.
import Type, { type Static } from 'typebox';
import { ExplainedResult } from '#assessment/skill-status/index.ts';
import { CalendarDate, IntegerId, named, nullable, object, oneOf, Timestamp } from '#core/http/schemas.ts';
import { explainedFrame, RuleId } from '#rules/rulesets/index.ts';
import { ExplainedProfile, mostIntensiveTier } from '../../interventions/index.ts';
import { ExplainedDecision } from '../decisions/replay/explainer.ts';
import { alertStates, closeReasons, rtiAlertKinds, skillStates } from '../engine/vocabulary.ts';
import { movementSources } from '../enums.ts';

export const ExplainedAlert = named(
  'ExplainedRtiAlert',
  object({
    kind: Type.Literal('alert'),
    ...explainedFrame,
    result: object({
      kind: oneOf(rtiAlertKinds),
      state: oneOf(alertStates),
      ruleId: RuleId,
      subSkillCode: nullable(Type.String()),
      openedAt: Timestamp,
      closeReason: nullable(oneOf(closeReasons)),
    }),
    /** The profile of the student when the alert opened, down to the responses; null without one. */
    profile: nullable(ExplainedProfile),
  }),
);
export type ExplainedAlert = Static<typeof ExplainedAlert>;

export const ExplainedSkillState = named(
  'ExplainedSkillState',
  object({
    kind: Type.Literal('skill-state'),
    ...explainedFrame,
    result: object({
      subSkillCode: Type.String(),
      fromState: nullable(oneOf(skillStates)),
      state: oneOf(skillStates),
      ruleId: RuleId,
      decidedOn: CalendarDate,
    }),
    /** The run of the change, down to the responses. */
    run: ExplainedResult,
  }),
);
export type ExplainedSkillState = Static<typeof ExplainedSkillState>;

const Tier = Type.Integer({ minimum: 1, maximum: mostIntensiveTier });

export const ExplainedMovement = named(
  'ExplainedTierMovement',
  object({
    kind: Type.Literal('movement'),
    ...explainedFrame,
    result: object({
      fromTier: Tier,
      toTier: Tier,
      effectiveOn: CalendarDate,
      source: object({ type: oneOf(movementSources), id: Type.String() }),
      decidedBy: IntegerId,
    }),
    /** The decision that moved the student, also one of a packet. */
    decision: ExplainedDecision,
  }),
);
export type ExplainedMovement = Static<typeof ExplainedMovement>;
