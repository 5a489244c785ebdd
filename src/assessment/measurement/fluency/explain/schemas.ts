// Schemas of an explained trend: the stored row, its one decision, and the probes behind it.
import Type, { type Static } from 'typebox';
import { CalendarDate, IntegerId, named, nullable, object, oneOf, SchoolYearName } from '#core/http/schemas.ts';
import { explainedFrame, RuleId } from '#rules/rulesets/index.ts';
import { measureCodes } from '../../enums.ts';
import { trendTypes } from '../engine/cbm-rules.ts';
import { probeRoles } from '../engine/series.ts';

const perWeek = 'Correct words a minute, per week.';
const roleMeaning =
  'baseline: one of the first comparable probes, at whose median the aim line begins. monitoring: growth is read from it. outside_window: comparable, but on the day of the anchor, or too old for the trend. not_comparable: its passage had been read a short time before, and it counts for nothing.';
const WordsPerMinute = named('WordsPerMinute', Type.Number({ minimum: 0 }));

const ProbeNode = named(
  'ProbeNode',
  object({
    probeId: IntegerId,
    at: CalendarDate,
    wcpm: WordsPerMinute,
    passageId: Type.String(),
    role: oneOf(probeRoles, { description: roleMeaning }),
    excluded: Type.Boolean({
      description: 'The passage had been read a short time before: the probe counts for nothing.',
    }),
    watched: Type.Boolean({ description: 'Growth is read from it: after the baseline and not too long ago.' }),
    aim: nullable(Type.Number({ description: 'Where the aim line stands on its day.' })),
  }),
);
export type ProbeNode = Static<typeof ProbeNode>;

export const ExplainedTrend = named(
  'ExplainedTrend',
  object({
    kind: Type.Literal('trend'),
    ...explainedFrame,
    result: object({
      measureCode: oneOf(measureCodes),
      formFamily: Type.String(),
      schoolYear: SchoolYearName,
      asOf: CalendarDate,
      probeId: IntegerId,
      trendType: named('TrendType', oneOf(trendTypes)),
      ruleId: RuleId,
      slopePerWeek: nullable(Type.Number({ description: perWeek })),
      aimSlopePerWeek: nullable(Type.Number({ description: perWeek })),
      slopeError: nullable(Type.Number({ minimum: 0, description: 'Standard error of the slope.' })),
      decisionWeek: nullable(Type.Integer({ minimum: 1 })),
      benchmark: nullable(WordsPerMinute),
    }),
    from: Type.Unsafe<readonly ProbeNode[]>(
      Type.Array(ProbeNode, { description: 'The probes of the series as they were known then, by date.' }),
    ),
  }),
);
export type ExplainedTrend = Static<typeof ExplainedTrend>;
