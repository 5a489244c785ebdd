// Schemas of explained behaviour logs and sub-flags.
import Type, { type Static } from 'typebox';
import { Count, named, nullable, object, oneOf, SchoolYearName, Timestamp } from '#core/http/schemas.ts';
import { explainedFrame, listOf, RuleId } from '#rules/rulesets/index.ts';
import { subFlagStates } from '../../../error-patterns/index.ts';

const LoggedResponse = named(
  'LoggedResponse',
  object({
    seq: Type.Integer({ minimum: 1 }),
    itemId: Type.String(),
    subSkillCode: Type.String(),
    answered: Type.Boolean({ description: 'False when skipped.' }),
    correct: Type.Boolean(),
    latencyMs: Count,
    marked: Type.Boolean({ description: 'The log doubts the effort behind it.' }),
  }),
);
export type LoggedResponse = Static<typeof LoggedResponse>;

export const ExplainedBehaviour = named(
  'ExplainedBehaviour',
  object({
    kind: Type.Literal('rbm'),
    ...explainedFrame,
    result: object({
      source: oneOf(['diagnostic', 'practice']),
      sessionId: Type.String(),
      at: Timestamp,
      flags: listOf(RuleId),
    }),
    from: Type.Unsafe<readonly LoggedResponse[]>(
      Type.Array(LoggedResponse, { description: 'The responses of the session, in serving order.' }),
    ),
  }),
);
export type ExplainedBehaviour = Static<typeof ExplainedBehaviour>;

const CountedOccurrence = named(
  'CountedOccurrence',
  object({
    sessionId: Type.String(),
    itemId: Type.String(),
    subSkillCode: Type.String(),
    at: Timestamp,
    designed: Type.Boolean({ description: 'The item was built to detect the pattern.' }),
  }),
);
export type CountedOccurrence = Static<typeof CountedOccurrence>;

export const ExplainedSubFlag = named(
  'ExplainedSubFlag',
  object({
    kind: Type.Literal('subflag'),
    ...explainedFrame,
    result: object({
      schoolYear: SchoolYearName,
      patternKey: Type.String(),
      code: Type.String(),
      level: Type.Integer({ minimum: 1, maximum: 3 }),
      state: oneOf(subFlagStates),
      validOccurrences: Count,
      sessionCount: Count,
      linkedOccurrences: Count,
      occurrencesAfterSupport: Count,
      supportDeliveredAt: nullable(Timestamp),
    }),
    from: Type.Unsafe<readonly CountedOccurrence[]>(
      Type.Array(CountedOccurrence, { description: 'The wrong answers that were counted, oldest first.' }),
    ),
  }),
);
export type ExplainedSubFlag = Static<typeof ExplainedSubFlag>;
