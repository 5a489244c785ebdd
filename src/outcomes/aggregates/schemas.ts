// Schemas of what is said of many children at once.
import Type, { type Static } from 'typebox';
import { Count, mapOf, named, nullable, object, oneOf, SchoolYear, Timestamp } from '#core/http/schemas.ts';
import { seasons, sufficiencyBands } from './enums.ts';
import { aggregateBands } from './rules/bands.ts';

/** Null: hidden, so that no child can be recognised. */
const ShownCount = nullable(Count);

const countsOf = <const Word extends string>(words: readonly Word[]) =>
  Object.fromEntries(words.map((word) => [word, ShownCount])) as Record<Word, typeof ShownCount>;

const cell = {
  /** Those counted. */
  students: Count,
  counts: object(countsOf(aggregateBands)),
  /** A count is null. */
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
  object({ schoolYear: SchoolYear, season: oneOf(seasons), releasedAt: Timestamp }),
);

/** What every answer about many children begins with. */
export const aggregateHead = {
  basis: oneOf(['live', 'released']),
  /** Null: live, or nothing was released yet. */
  release: nullable(ReleaseHead),
  /** Of the newest run contained. */
  asOf: nullable(Timestamp),
  ruleVersions: mapOf('^[a-z][a-z0-9-]*/[a-z][a-z0-9-]*$', Type.Integer({ minimum: 1 })),
};
