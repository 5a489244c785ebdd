// Benchmark profiles. A profile is one cell: a measure in a grade and season, for one country or all. Profiles are rule
// documents of family `benchmark`, one key per cell.

import { round4 } from '#core/platform/pure/round.ts';
import type { Season } from '#rules/catalogue/engine/index.ts';
import type { DocumentMeta, DocumentName, RuleBundle } from '#rules/rulesets/engine/index.ts';
import type { measureCodes } from '../../enums.ts';

export type MeasureCode = (typeof measureCodes)[number];

export const verdicts = ['meets', 'approaching', 'below', 'severe', 'not_assessed'] as const;
export type Verdict = (typeof verdicts)[number];

/** Minimum value of each band, in the unit of the measure; a value under `below` is severe. */
export interface Cuts {
  readonly meets: number;
  readonly approaching: number;
  readonly below: number;
}

export interface BenchmarkProfile {
  readonly key: string;
  readonly version: number;
  /** ISO 3166-1 alpha-2; null for every country. */
  readonly country: string | null;
  readonly grade: number;
  readonly measureCode: string;
  /** Null for any season. */
  readonly season: Season | null;
  /** Null when nothing is expected in this cell. */
  readonly cuts: Cuts | null;
  readonly source: string;
}

export interface BenchmarkCell {
  readonly country: string;
  readonly grade: number;
  readonly measureCode: MeasureCode;
  readonly season: Season;
}

export const resolvedBy = ['exact', 'country_default', 'global_fallback'] as const;
export type ResolvedBy = (typeof resolvedBy)[number];
export type ResolvedProfile = BenchmarkProfile & { readonly resolvedBy: ResolvedBy };

interface BenchmarkDocument extends Omit<BenchmarkProfile, 'key' | 'version'> {
  readonly meta: DocumentMeta;
}

/** Returns the profiles of a bundle, by key. Throws RangeError when cuts do not fall from band to band. */
export function benchmarksOf(bundle: RuleBundle): BenchmarkProfile[] {
  return Object.keys(bundle.versions)
    .filter((name) => name.startsWith('benchmark/'))
    .sort()
    .map((name) => profileOf(bundle.values<BenchmarkDocument>(name as DocumentName)));
}

function profileOf({ meta, country, grade, measureCode, season, cuts, source }: BenchmarkDocument): BenchmarkProfile {
  if (cuts && !(cuts.meets > cuts.approaching && cuts.approaching > cuts.below)) {
    throw new RangeError(`benchmark/${meta.key}: the cuts must fall from meets to below`);
  }
  return { key: meta.key, version: meta.version, country, grade, measureCode, season, cuts, source };
}

/**
 * Returns the exact cell, else the country's default for all seasons, else the global one; undefined when there is
 * none.
 */
export function resolveBenchmark(
  profiles: readonly BenchmarkProfile[],
  cell: BenchmarkCell,
): ResolvedProfile | undefined {
  const measured = profiles.filter(
    ({ grade, measureCode }) => grade === cell.grade && measureCode === cell.measureCode,
  );
  const find = (country: string | null, season: Season | null) =>
    measured.find((profile) => profile.country === country && profile.season === season);
  const exact = find(cell.country, cell.season);
  if (exact) return { ...exact, resolvedBy: 'exact' };
  const countryDefault = find(cell.country, null);
  if (countryDefault) return { ...countryDefault, resolvedBy: 'country_default' };
  const fallback = find(null, cell.season) ?? find(null, null);
  return fallback && { ...fallback, resolvedBy: 'global_fallback' };
}

/** Returns the band of a value; `not_assessed` without cuts. */
export function verdictOf(cuts: Cuts | null, value: number): Verdict {
  if (!cuts) return 'not_assessed';
  const measured = round4(value);
  if (measured >= cuts.meets) return 'meets';
  if (measured >= cuts.approaching) return 'approaching';
  return measured >= cuts.below ? 'below' : 'severe';
}
