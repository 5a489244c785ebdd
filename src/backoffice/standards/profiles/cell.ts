// One cell of benchmarks, and the rule document that stands for what is expected in it.

import type { Cuts, MeasureCode } from '#assessment/measurement/index.ts';
import type { Season } from '#rules/catalogue/index.ts';
import type { DocumentMeta } from '#rules/rulesets/index.ts';

export const family = 'benchmark';

export interface Cell {
  /** ISO 3166-1 alpha-2; null: every country. */
  readonly country: string | null;
  readonly grade: number;
  readonly measureCode: MeasureCode;
  /** null: any season. */
  readonly season: Season | null;
}

export interface Expectation {
  /** null: nothing is expected. */
  readonly cuts: Cuts | null;
  readonly source: string;
  readonly titleAr: string;
}

export interface BenchmarkDocument extends Cell, Omit<Expectation, 'titleAr'> {
  readonly meta: DocumentMeta;
}

/** `orf-wcpm-sa-g2-boy` */
export const keyOf = ({ country, grade, measureCode, season }: Cell): string =>
  [
    measureCode.toLowerCase().replaceAll('_', '-'),
    country?.toLowerCase() ?? 'global',
    `g${grade}`,
    season?.toLowerCase() ?? 'any',
  ].join('-');

/** The English title is the cell's name; the Arabic one is its author's. */
export function documentOf(
  { country, grade, measureCode, season, cuts, source, titleAr }: Cell & Expectation,
  version: number,
): BenchmarkDocument {
  const cell = { country, grade, measureCode, season };
  const en = `Benchmark ${measureCode}: ${country ?? 'every country'}, grade ${grade}, ${season ?? 'any season'}`;
  return { meta: { family, key: keyOf(cell), version, title: { ar: titleAr, en } }, ...cell, cuts, source };
}
