// Schemas of stored rows, one for each kind of row that can be explained.
import Type, { type Static } from 'typebox';
import { Count, named, nullable, object, oneOf, Timestamp } from '#core/http/schemas.ts';
import { listOf, RuleId } from '#rules/rulesets/index.ts';
import {
  comprehensionActions,
  conflictStates,
  decidedReasons,
  haltReasons,
  modifiers,
  pacDecisions,
  patternStates,
  responseCodes,
  routingHints,
} from '../engine/vocabulary.ts';
import {
  CompPattern,
  DeficitBand,
  FactorState,
  HaltAction,
  HaltReason,
  SeverePath,
  Status,
  TileStatus,
  TileValue,
} from '../results/enum-schemas.ts';
import { triggerKinds } from '../results/enums.ts';
import { globalTile } from '../results/tables.ts';

const Action = nullable(HaltAction);

export const SkillResult = named(
  'SkillResult',
  object({
    subSkillCode: Type.String(),
    decidedAt: Timestamp,
    outcome: oneOf(['decided', 'do_not_decide_yet']),
    status: Status,
    decision: oneOf(pacDecisions),
    reason: oneOf([...haltReasons, ...decidedReasons]),
    confidence: nullable(oneOf(['low', 'medium', 'high'])),
    decision_strength: nullable(oneOf(['tentative', 'moderate', 'strong'])),
    modifiers: listOf(oneOf(modifiers)),
    nextRecommendedDataAction: Action,
    itemsNeeded: nullable(Count),
    rules: object({ cis: RuleId, pac: RuleId, ssr: RuleId }),
    facts: object({
      distinctItems: Count,
      sessionCount: Count,
      rawRate: nullable(Type.Number()),
      deficitBand: nullable(DeficitBand),
      conflictState: oneOf(conflictStates),
      patternState: oneOf(patternStates),
      supportDominant: Type.Boolean(),
      slowDominant: Type.Boolean(),
      prereqDominant: Type.Boolean(),
      behaviourCaution: Type.Boolean(),
    }),
    leadingMicroPattern: nullable(Type.String()),
    codeCounts: Type.Partial(object(Object.fromEntries(responseCodes.map((code) => [code, Count]))), {
      additionalProperties: false,
    }),
    newestResponseRef: nullable(Type.String()),
    calibrationProvisional: Type.Boolean(),
  }),
);
export type SkillResult = Static<typeof SkillResult>;

export const DomainResult = named(
  'DomainResult',
  object({
    domainCode: Type.String(),
    decidedAt: Timestamp,
    outcome: oneOf(['decided', 'do_not_decide_yet', 'not_assessed', 'not_in_scope']),
    status: Status,
    reason: nullable(HaltReason),
    nextRecommendedDataAction: Action,
    rules: object({ ddr: RuleId, dsm: nullable(RuleId) }),
    inScope: Count,
    decided: Count,
    coverage: Type.Number(),
    coverageOk: Type.Boolean(),
    rawWeightedDeficitRate: nullable(Type.Number()),
    gatewaySeverity: nullable(Type.Number()),
    validEvidence: Type.Boolean(),
    tileValue: nullable(TileValue),
    severePath: SeverePath,
    modifiers: listOf(oneOf(modifiers)),
    comprehension: nullable(
      object(
        {
          ruleId: nullable(RuleId),
          pattern: nullable(CompPattern),
          compRoutingHint: nullable(oneOf([...routingHints, 'none'])),
          decodingState: nullable(FactorState),
          languageState: nullable(FactorState),
          nextRecommendedDataAction: nullable(oneOf(comprehensionActions)),
        },
        { description: 'On the domain of reading comprehension only.' },
      ),
    ),
  }),
);
export type DomainResult = Static<typeof DomainResult>;

export const TileResult = named(
  'TileResult',
  object({
    tileCode: Type.String({ description: `One of the six, or ${globalTile}.` }),
    status: TileStatus,
    applicable: Type.Boolean(),
    severePath: SeverePath,
  }),
);
export type TileResult = Static<typeof TileResult>;

export const RunResult = named(
  'RunResult',
  object({
    trigger: oneOf(triggerKinds),
    triggerRef: nullable(Type.String()),
    windowFrom: Timestamp,
    windowTo: Timestamp,
    grade: Type.Integer({ minimum: 0 }),
    contextReview: Type.Boolean(),
    outcome: oneOf(['decided', 'do_not_decide_yet']),
    halted: Type.Boolean(),
    nextRecommendedDataAction: Action,
    evaluatedSubSkills: listOf(Type.String()),
    globalStatus: TileStatus,
    inputHash: Type.String(),
    resultHash: Type.String(),
  }),
);
export type RunResult = Static<typeof RunResult>;
