// Schemas of the engine's responses to teachers and administrators.
import Type from 'typebox';
import {
  Count,
  Cuid,
  IntegerId,
  mapOf,
  named,
  nullable,
  object,
  oneOf,
  page,
  pageQuery,
  Timestamp,
} from '#core/http/schemas.ts';
import {
  comprehensionActions,
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
} from '../results/enum-schemas.ts';
import { ruleFamilies } from '../rules/pipelines.ts';

const Modifiers = Type.Array(oneOf(modifiers));
const RuleId = named('RuleId', Type.String());
/** `SSR@1` */
const RuleStamp = named('RuleStamp', Type.String({ pattern: '^[A-Z-]+@[0-9]+$' }));
/** `family/key` → version of every document that took part. */
export const RuleVersions = named('RuleVersions', mapOf('^[a-z-]+/[a-z0-9-]+$', Type.Integer({ minimum: 1 })));

/** Present only when a status is missing: the reason, and what to measure next. */
const halt = {
  code: Type.Optional(Type.Literal('DO_NOT_DECIDE_YET')),
  nextRecommendedDataAction: Type.Optional(HaltAction),
};

const ofStudent = {
  studentId: IntegerId,
  runId: nullable(Cuid),
  asOf: nullable(Timestamp),
  pending: Type.Boolean(),
  judgedUnder: nullable(
    object(
      { bundleId: Cuid, at: Timestamp },
      {
        description:
          'The bundle of rules under which the student was evaluated last, and when. It may be newer than the run: an evaluation that gives the same results appends no run, so ruleVersions and asOf stay those of the run.',
      },
    ),
  ),
  outcome: oneOf(['decided', 'do_not_decide_yet']),
  halted: Type.Boolean(),
  nextRecommendedDataAction: Type.Optional(HaltAction),
  ruleVersions: RuleVersions,
};

const SkillView = named(
  'Skill',
  object({
    snapshotId: nullable(IntegerId),
    subSkillCode: Type.String(),
    domainCode: Type.String(),
    nameAr: Type.String(),
    status: Status,
    outcome: oneOf(['decided', 'do_not_decide_yet', 'not_assessed']),
    reason: nullable(oneOf([...haltReasons, ...decidedReasons])),
    confidence: nullable(oneOf(['low', 'medium', 'high'])),
    decision_strength: nullable(oneOf(['tentative', 'moderate', 'strong'])),
    modifiers: Modifiers,
    evidence: object({
      distinctItems: Count,
      sessionCount: Count,
      rawDeficitRate: nullable(Type.Number()),
      deficitBand: nullable(DeficitBand),
      calibrationProvisional: Type.Boolean(),
    }),
    decidedAt: nullable(Timestamp),
    ruleId: nullable(RuleId),
    ruleVersion: nullable(RuleStamp),
    ...halt,
    itemsNeeded: Type.Optional(Count),
  }),
);

export const SkillStatusView = named('SkillStatus', object({ ...ofStudent, items: Type.Array(SkillView) }));

const DomainView = named(
  'DomainSnapshot',
  object({
    domainCode: Type.String(),
    nameAr: Type.String(),
    tileCode: Type.String(),
    status: Status,
    outcome: oneOf(['decided', 'do_not_decide_yet', 'not_assessed', 'not_in_scope']),
    inScope: Count,
    decided: Count,
    coverageOk: Type.Boolean(),
    rawWeightedDeficitRate: nullable(Type.Number()),
    gatewaySeverity: nullable(Type.Number()),
    severePath: SeverePath,
    modifiers: Modifiers,
    ruleId: RuleId,
    ruleVersion: nullable(RuleStamp),
    reason: Type.Optional(HaltReason),
    ...halt,
  }),
);

const Pattern = nullable(CompPattern);
const RoutingHint = named('RoutingHint', oneOf([...routingHints, 'none']));

export const DomainStatusView = named(
  'DomainStatus',
  object({
    ...ofStudent,
    domains: Type.Array(DomainView),
    comprehension: object({
      pattern: Pattern,
      compRoutingHint: RoutingHint,
      decodingState: FactorState,
      languageState: FactorState,
      ruleId: nullable(RuleId),
      nextRecommendedDataAction: nullable(oneOf(comprehensionActions)),
    }),
    compDiagnosticPattern: Pattern,
    compRoutingHint: RoutingHint,
    tiles: Type.Array(
      object({
        tileCode: Type.String(),
        nameAr: Type.String(),
        status: TileStatus,
        applicable: Type.Boolean(),
        severePath: SeverePath,
        ruleVersion: nullable(RuleStamp),
      }),
    ),
    global: object({ tileCode: Type.Literal('GLOBAL'), status: TileStatus, ruleVersion: nullable(RuleStamp) }),
  }),
);

export const PatternHistoryQuery = named(
  'PatternHistoryQuery',
  object({
    ...pageQuery,
    subSkillCode: Type.Optional(Type.String({ pattern: '^[A-Z]+(_[A-Z]+)*$', maxLength: 40 })),
  }),
);
export const PatternHistoryView = page(
  object({
    runId: Cuid,
    asOf: Timestamp,
    subSkillCode: Type.String(),
    cisRuleId: RuleId,
    pacRuleId: RuleId,
    decision: oneOf(pacDecisions),
    reason: oneOf([...haltReasons, ...decidedReasons]),
    patternState: oneOf(patternStates),
    leadingMicroPattern: nullable(Type.String()),
    codeCounts: Type.Partial(object(Object.fromEntries(responseCodes.map((code) => [code, Count]))), {
      additionalProperties: false,
    }),
    ruleVersion: RuleStamp,
  }),
);

export const BehaviorLogQuery = named('BehaviorLogQuery', object(pageQuery));
export const BehaviorLogView = page(
  object({
    source: oneOf(['diagnostic', 'practice']),
    sessionId: Type.String(),
    at: Timestamp,
    flags: Type.Array(Type.String({ pattern: '^RBM-\\d{2}$' })),
    facts: mapOf('^[A-Za-z]+$', Type.Number()),
    ruleVersion: RuleStamp,
  }),
);

export const RuleLayersQuery = named('RuleLayersQuery', object({ family: Type.Optional(oneOf(ruleFamilies)) }));
export const RuleLayersView = named(
  'RuleLayers',
  object({
    layers: Type.Array(
      object({
        order: Type.Integer({ minimum: 1 }),
        family: oneOf(ruleFamilies),
        key: Type.String(),
        version: Type.Integer({ minimum: 1 }),
        ruleVersion: RuleStamp,
        activatedAt: Timestamp,
        sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
        document: Type.Unknown(),
      }),
    ),
  }),
);
