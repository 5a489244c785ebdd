// Schemas of aggregates.
import Type, { type Static } from 'typebox';
import { Count, mapOf, named, nullable, object, oneOf, SchoolYearName, Timestamp } from '#core/http/schemas.ts';
import { seasons, sufficiencyBands } from './enums.ts';
import { aggregateBands } from './rules/bands.ts';

/** Null means suppressed, so that no child can be identified. */
const ShownCount = nullable(Count);

const countsOf = <const Word extends string>(words: readonly Word[]) =>
  Object.fromEntries(words.map((word) => [word, ShownCount])) as Record<Word, typeof ShownCount>;

const cell = {
  /** Number of counted students. */
  students: Count,
  counts: object(countsOf(aggregateBands)),
  /** Whether a count is null. */
  suppressed: Type.Boolean(),
};

export const Aggregate = named('Aggregate', object({ tileCode: Type.String(), nameAr: Type.String(), ...cell }));
export type AggregateView = Static<typeof Aggregate>;

export const SufficiencyAggregate = named(
  'SufficiencyAggregate',
  object({ ...countsOf(sufficiencyBands), suppressed: Type.Boolean() }),
);

const ReleaseHead = named(
  'ReleaseHead',
  object({ schoolYear: SchoolYearName, season: oneOf(seasons), releasedAt: Timestamp }),
);

/** Common head of all responses with aggregates. */
export const aggregateHead = {
  basis: oneOf(['live', 'released']),
  /** Null for live counts and before the first release. */
  release: nullable(ReleaseHead),
  /** Moment of the newest run contained. */
  asOf: nullable(Timestamp),
  ruleVersions: mapOf('^[a-z][a-z0-9-]*/[a-z][a-z0-9-]*$', Type.Integer({ minimum: 1 })),
};
