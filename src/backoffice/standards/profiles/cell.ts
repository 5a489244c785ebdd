// A cell of benchmarks, and the rule document that holds its expected values.

import type { Cuts, MeasureCode } from '#assessment/measurement/index.ts';
import type { Season } from '#rules/catalogue/index.ts';
import type { DocumentMeta } from '#rules/rulesets/index.ts';

export const benchmarkFamily = 'benchmark';

export interface ProfileCell {
  /** ISO 3166-1 alpha-2; null for every country. */
  readonly country: string | null;
  readonly grade: number;
  readonly measureCode: MeasureCode;
  /** Null for any season. */
  readonly season: Season | null;
}

export interface Expectation {
  /** Null where nothing is expected. */
  readonly cuts: Cuts | null;
  readonly source: string;
  readonly titleAr: string;
}

export interface BenchmarkDocument extends ProfileCell, Omit<Expectation, 'titleAr'> {
  readonly meta: DocumentMeta;
}

/** The key of a cell's document, such as `orf-wcpm-sa-g2-boy`. */
export const cellKeyOf = ({ country, grade, measureCode, season }: ProfileCell): string =>
  [
    measureCode.toLowerCase().replaceAll('_', '-'),
    country?.toLowerCase() ?? 'global',
    `g${grade}`,
    season?.toLowerCase() ?? 'any',
  ].join('-');

/** The English title is the name of the cell, the Arabic one is written by the author. */
export function benchmarkDocumentOf(
  { country, grade, measureCode, season, cuts, source, titleAr }: ProfileCell & Expectation,
  version: number,
): BenchmarkDocument {
  const cell = { country, grade, measureCode, season };
  const en = `Benchmark ${measureCode}: ${country ?? 'every country'}, grade ${grade}, ${season ?? 'any season'}`;
  return {
    meta: { family: benchmarkFamily, key: cellKeyOf(cell), version, title: { ar: titleAr, en } },
    ...cell,
    cuts,
    source,
  };
}
