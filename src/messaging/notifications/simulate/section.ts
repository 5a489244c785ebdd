// The section of a report about a kind of notification: outcomes of the requests of the last days, and rows that are no longer kept.
import Type, { type Static } from 'typebox';
import { Count, named, nullable, object, oneOf } from '#core/http/schemas.ts';
import { type SimulationCounts, simulatedDays } from '#rules/rulesets/index.ts';
import { simulatedOutcomes } from '../engine/simulate.ts';
import type { SimulatedKind } from './kind.ts';

export const NoticesSection = named(
  'ImpactOnNotifications',
  object({
    windowDays: Count,
    ...{ kind: Type.String(), requests: Count },
    outcomes: Type.Array(object({ outcome: oneOf(simulatedOutcomes), before: Count, after: Count })),
    /** Days that rows are kept, and rows that a shorter time would remove at once. */
    retention: object({ daysBefore: nullable(Count), daysAfter: Count, removedAtOnce: Count }),
  }),
);

/** How a count of a simulation is named. */
export const noticeCountName = (what: string): string => `notification ${what}`;

export function noticesSection(
  { hitsOf }: SimulationCounts,
  { kind, daysBefore, daysAfter }: SimulatedKind,
): Static<typeof NoticesSection> {
  const outcomes = simulatedOutcomes.map((outcome) => ({ outcome, ...hitsOf(noticeCountName(outcome)) }));
  return {
    ...{ windowDays: simulatedDays, kind },
    requests: outcomes.reduce((sum, { before }) => sum + before, 0),
    outcomes: outcomes.filter(({ before, after }) => before + after > 0),
    retention: { daysBefore, daysAfter, removedAtOnce: hitsOf(noticeCountName('removed')).after },
  };
}
