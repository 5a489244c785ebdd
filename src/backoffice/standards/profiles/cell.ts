// A cell of benchmarks, and the rule document that holds its expected values.

import type { Cuts, MeasureCode } from '#assessment/measurement/index.ts';
import type { Season } from '#rules/catalogue/index.ts';
import type { DocumentMeta } from '#rules/rulesets/index.ts';

export const family = 'benchmark';

export interface Cell {
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

export interface BenchmarkDocument extends Cell, Omit<Expectation, 'titleAr'> {
  readonly meta: DocumentMeta;
}

/** The key of a cell's document, such as `orf-wcpm-sa-g2-boy`. */
export const keyOf = ({ country, grade, measureCode, season }: Cell): string =>
  [
    measureCode.toLowerCase().replaceAll('_', '-'),
    country?.toLowerCase() ?? 'global',
    `g${grade}`,
    season?.toLowerCase() ?? 'any',
  ].join('-');

/** The English title is the name of the cell, the Arabic one is written by the author. */
export function documentOf(
  { country, grade, measureCode, season, cuts, source, titleAr }: Cell & Expectation,
  version: number,
): BenchmarkDocument {
  const cell = { country, grade, measureCode, season };
  const en = `Benchmark ${measureCode}: ${country ?? 'every country'}, grade ${grade}, ${season ?? 'any season'}`;
  return { meta: { family, key: keyOf(cell), version, title: { ar: titleAr, en } }, ...cell, cuts, source };
}
