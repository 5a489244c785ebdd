// Schemas of one decision of one layer: the question, the rule that answered, the reason, and the nearest change.
import Type, { type Static, type TSchema } from 'typebox';
import { Cuid, IntegerId, mapOf, named, nullable, object, Timestamp } from '#core/http/schemas.ts';

/** A read-only list. */
export const listOf = <T extends TSchema>(item: T) => Type.Unsafe<readonly Static<T>[]>(Type.Array(item));

const words = '^[A-Za-z][A-Za-z0-9_]*$';
export const RuleId = named('RuleId', Type.String({ description: 'A row of a decision table, such as `SSR-03`.' }));
const RuleStamp = named(
  'RuleStamp',
  Type.String({
    pattern: '^[A-Z-]+@[0-9]+$',
    description: 'Layer and version, such as `SSR@1`.',
  }),
);
const FactValue = named('FactValue', Type.Union([Type.Number(), Type.String({ maxLength: 2_000 }), Type.Boolean()]));
const Facts = named('DecisionFacts', mapOf(words, FactValue));

const Condition = named(
  'TracedCondition',
  object({
    fact: Type.String(),
    operator: Type.String(),
    value: Type.Union([FactValue, listOf(FactValue)]),
    valueRef: Type.Optional(Type.String({ description: 'The constant that the literal stands for.' })),
    at: Type.String({ description: 'Place in the rule, such as `all.1.not`.' }),
    actual: FactValue,
    negated: Type.Boolean({ description: 'The rule asks for the opposite of the comparison.' }),
  }),
);

const TraceStep = named(
  'DecisionTraceStep',
  object({
    ruleId: RuleId,
    failed: Type.Optional(Condition),
    held: Type.Optional(listOf(Condition)),
  }),
);

const Hit = {
  ruleId: RuleId,
  outcome: Type.String(),
  params: mapOf(words, Type.Unknown()),
};

const Change = named('Change', object({ fact: Type.String(), from: FactValue, to: FactValue }));

export const FlipDistanceView = named(
  'FlipDistance',
  object({
    changes: listOf(Change),
    distance: Type.Number({ minimum: 0, description: 'Sum over the changed facts, each 0 to 1 of its domain.' }),
    ruleId: RuleId,
    outcome: Type.String(),
    facts: Facts,
  }),
);

export const TraceView = listOf(TraceStep);
export const ConstantsView = mapOf(
  '^[A-Z][A-Z0-9-]*$',
  object({ value: FactValue, unit: Type.Optional(Type.String()), rationale: Type.String() }),
);

const asked = {
  layer: Type.String({ description: 'Family of the table in upper case: ADR, CIS, BND, PAC, SSR, DDR, DSM, ESC, …' }),
  ruleVersion: RuleStamp,
  documentSha256: Type.String({ pattern: '^[0-9a-f]{64}$', description: 'Of the canonical text of the document.' }),
  facts: Facts,
  trace: TraceView,
  constants: ConstantsView,
};
const hits = listOf(object(Hit));

/** A question below the requested result; a collect table answers with `hits`. */
export const QuestionView = named('Question', Type.Union([object({ ...asked, ...Hit }), object({ ...asked, hits })]));
export type QuestionView = Static<typeof QuestionView>;

/** Key by which nodes refer to questions: layer and number, such as `ADR.3`. */
export const QuestionKey = '^[A-Z-]+\\.[0-9]+$';

const subject = Type.String({ description: 'Whom the question was about: a sub-skill or a domain.' });

/** The decision of the requested result; `flipDistance` is null when the table decides the same for all facts. */
export const DecisionView = named(
  'Decision',
  Type.Union([
    object({ ...asked, subject, ...Hit, flipDistance: nullable(FlipDistanceView) }),
    object({ ...asked, subject, hits }),
  ]),
);
export type DecisionView = Static<typeof DecisionView>;

export const NearestChangeView = named(
  'NearestChange',
  object(
    {
      layer: Type.String(),
      subject: Type.String(),
      ruleVersion: RuleStamp,
      changes: listOf(Change),
      distance: Type.Number({ minimum: 0 }),
      ruleId: RuleId,
      outcome: Type.String(),
      text: Type.String({ description: 'The change in words.' }),
    },
    { description: 'The least that would have to be different in the deciding layer for another result.' },
  ),
);
export type NearestChangeView = Static<typeof NearestChangeView>;

export const SentenceView = named(
  'Sentence',
  object(
    {
      key: Type.String({ pattern: '^[a-z]+(\\.[a-zA-Z]+)+$', description: 'What the sentence says.' }),
      args: mapOf(words, Type.Union([Type.Number(), Type.String(), Type.Null()])),
      ar: Type.String(),
      en: Type.String(),
    },
    { description: 'Words for people, without codes; `args` are the values behind them.' },
  ),
);
export type SentenceView = Static<typeof SentenceView>;

/** The common fields of explained results that asked one table alone, beside the row and its inputs. */
export const explainedFrame = {
  stampId: Type.String(),
  organizationId: Cuid,
  studentId: IntegerId,
  asOf: Timestamp,
  ruleVersions: mapOf('^[a-z-]+/[a-z0-9-]+$', Type.Integer({ minimum: 1 })),
  decisions: Type.Unsafe<readonly DecisionView[]>(
    Type.Array(DecisionView, { description: 'Empty where the stored facts are not those that the table asks for.' }),
  ),
  matchesStored: Type.Boolean({ description: 'Asked again with its own rules, the row comes out as it is stored.' }),
  sentence: SentenceView,
  nearestChange: nullable(NearestChangeView),
};
