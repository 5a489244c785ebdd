// Schemas of an explained result: the stored row and the tree of its inputs.
import Type, { type Static } from 'typebox';
import { Cuid, IntegerId, mapOf, named, nullable, object, oneOf, Timestamp } from '#core/http/schemas.ts';
import {
  DecisionView,
  listOf,
  NearestChangeView,
  QuestionKey,
  QuestionView,
  RuleId,
  SentenceView,
} from '#rules/rulesets/index.ts';
import { errorClasses, evidenceSources } from '../../measurement/index.ts';
import { orderedStatuses, responseCodes, tileValues } from '../engine/vocabulary.ts';
import { RuleVersions } from '../reads/schemas.ts';
import { SeverePath, Status, TileValue } from '../results/enum-schemas.ts';
import { DomainResult, RunResult, SkillResult, TileResult } from './result-schemas.ts';

const stampId = nullable(
  Type.String({ description: 'The newest stored row that says this, up to the run; null where no row was stored.' }),
);

const decisions = listOf(Type.String({ pattern: QuestionKey, description: 'Keys of `questions`.' }));

const ChosenItem = named(
  'ChosenItem',
  object(
    {
      prompt: Type.String({ description: 'What was asked; what was spoken follows in quotes.' }),
      chosen: nullable(Type.String({ description: 'Null when the item was skipped.' })),
      right: Type.String(),
    },
    { description: 'Null for an oral reading.' },
  ),
);

export const ResponseNode = named(
  'ResponseNode',
  object({
    kind: Type.Literal('response'),
    responseRef: Type.String({ description: '`sessionId/itemId`' }),
    sessionId: Type.String(),
    itemId: Type.String(),
    subSkillCode: Type.String(),
    source: oneOf(evidenceSources),
    endedAt: Timestamp,
    sessionAnalysable: Type.Boolean(),
    stored: object({
      analysable: Type.Boolean(),
      answered: Type.Boolean(),
      attempt: oneOf(['first', 'repeat']),
      correct: Type.Boolean(),
      support: oneOf(['none', 'auto_support']),
      speed: oneOf(['normal', 'slow']),
      errorClass: oneOf(errorClasses),
      microPattern: nullable(Type.String()),
      behaviourMark: Type.Boolean(),
    }),
    ruleId: RuleId,
    code: named('ResponseCode', oneOf(responseCodes)),
    scored: Type.Boolean(),
    weight: Type.Number({ description: 'Source weight × code weight; 0 when not scored.' }),
    deficit: Type.Number({ description: '0 (right) to 1 (wrong).' }),
    item: nullable(ChosenItem),
    sentence: SentenceView,
    decisions,
  }),
);
export type ResponseNode = Static<typeof ResponseNode>;

export const SkillNode = named(
  'SkillNode',
  object({
    kind: Type.Literal('skill'),
    stampId,
    subSkillCode: Type.String(),
    ruleId: nullable(RuleId),
    outcome: oneOf(['decided', 'do_not_decide_yet', 'not_assessed']),
    status: Status,
    sentence: SentenceView,
    decisions,
    from: listOf(ResponseNode),
  }),
);
export type SkillNode = Static<typeof SkillNode>;

export const ExplainedDomainNode = named(
  'DomainNode',
  object({
    kind: Type.Literal('domain'),
    stampId,
    domainCode: Type.String(),
    ruleId: RuleId,
    outcome: oneOf(['decided', 'do_not_decide_yet', 'not_assessed', 'not_in_scope']),
    status: Status,
    tileValue: nullable(TileValue),
    severePath: SeverePath,
    sentence: SentenceView,
    decisions,
    from: listOf(SkillNode),
  }),
);
export type ExplainedDomainNode = Static<typeof ExplainedDomainNode>;

/** A tile is the worst of its domains, without a table. */
export const ExplainedTileNode = named(
  'TileNode',
  object({
    kind: Type.Literal('tile'),
    stampId,
    tileCode: Type.String(),
    status: oneOf([...tileValues, 'Not_Assessed']),
    applicable: Type.Boolean(),
    severePath: SeverePath,
    sentence: SentenceView,
    from: listOf(ExplainedDomainNode),
  }),
);
export type ExplainedTileNode = Static<typeof ExplainedTileNode>;

const Node = named('Node', Type.Union([ExplainedTileNode, ExplainedDomainNode, SkillNode, ResponseNode]));

export const AnswerFlipView = named(
  'AnswerFlip',
  object(
    {
      answers: Type.Integer({ minimum: 1, maximum: 3 }),
      responseRefs: listOf(Type.String({ description: '`sessionId/itemId`' })),
      status: oneOf(orderedStatuses),
    },
    { description: 'The fewest answers of the sub-skill that, the other way about, give another status.' },
  ),
);
export type AnswerFlipView = Static<typeof AnswerFlipView>;

const Alongside = named(
  'Alongside',
  object({
    stampId,
    subSkillCode: Type.String(),
    status: Status,
    facts: listOf(oneOf(['coreWeakDomains', 'prereqConfirmedWeak', 'domainPeersWeak'])),
  }),
);

export const ExplainedResult = named(
  'ExplainedResult',
  object({
    stampId: Type.String(),
    kind: oneOf(['skill', 'domain', 'tile', 'run']),
    organizationId: Cuid,
    studentId: IntegerId,
    asOf: Timestamp,
    runId: Cuid,
    bundleId: Cuid,
    ruleVersions: RuleVersions,
    result: Type.Union([SkillResult, DomainResult, TileResult, RunResult]),
    decisions: Type.Unsafe<readonly DecisionView[]>(
      Type.Array(DecisionView, { description: 'Made for this result, in the order in which its layers asked.' }),
    ),
    matchesStored: Type.Boolean({
      description: 'Executed again with its own rules, the row comes out as it is stored.',
    }),
    sentence: SentenceView,
    nearestChange: nullable(NearestChangeView),
    answerFlip: object(
      { better: nullable(AnswerFlipView), worse: nullable(AnswerFlipView) },
      { description: 'Of a sub-skill; null where no three answers lead there, and for statuses without an order.' },
    ),
    from: Type.Unsafe<readonly Static<typeof Node>[]>(
      Type.Array(Node, {
        description:
          'A run and GLOBAL come from tiles, a tile from domains, a domain from sub-skills in scope, a sub-skill from responses.',
      }),
    ),
    alongside: Type.Unsafe<readonly Static<typeof Alongside>[]>(
      Type.Array(Alongside, { description: 'Other weaknesses of the student that the facts of a sub-skill speak of.' }),
    ),
    questions: mapOf(QuestionKey, QuestionView),
  }),
);
export type ExplainedResult = Static<typeof ExplainedResult>;
