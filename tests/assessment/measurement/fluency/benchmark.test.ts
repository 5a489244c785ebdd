// Benchmarks: the shipped working defaults, and which profile applies.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import {
  type BenchmarkProfile,
  benchmarksOf,
  resolveBenchmark,
  verdictOf,
} from '#assessment/measurement/fluency/engine/benchmark.ts';
import { seasons } from '#rules/catalogue/engine/catalogue.ts';
import { parseRuleDocument, pinBundle } from '#rules/rulesets/index.ts';
import { validators } from '../../../rules/rulesets/document-schemas.ts';
import { bundle } from './series.ts';

const shipped = benchmarksOf(bundle);

/** meets/approaching/below for BOY, MOY, EOY. */
const workingDefaults = [
  [null, [10, 6, 3], [18, 12, 6]],
  [
    [18, 12, 6],
    [25, 17, 9],
    [32, 22, 11],
  ],
  [
    [32, 22, 11],
    [38, 27, 14],
    [45, 32, 16],
  ],
  [
    [45, 32, 16],
    [52, 37, 19],
    [60, 43, 21],
  ],
];

test('the global set has a cell for every grade and season, with the working defaults', () => {
  assert.is(shipped.length, 12);
  for (const [at, row] of workingDefaults.entries()) {
    for (const [index, season] of seasons.entries()) {
      const cell = { country: 'SA', grade: at + 1, measureCode: 'ORF_WCPM', season } as const;
      const found = resolveBenchmark(shipped, cell);
      const cuts = found?.cuts ?? null;
      assert.equal(cuts && [cuts.meets, cuts.approaching, cuts.below], row[index], `grade ${at + 1} ${season}`);
      assert.is(found?.resolvedBy, 'global_fallback');
      assert.is(found?.country, null);
    }
  }
});

test('every profile is marked as a working default', () => {
  for (const { source } of shipped) assert.match(source, 'Working default, not a norm');
});

const cell = { country: 'EG', grade: 3, measureCode: 'ORF_WCPM', season: 'EOY' } as const;
const profile = (key: string, overrides: Partial<BenchmarkProfile>): BenchmarkProfile => ({
  key,
  version: 1,
  country: 'EG',
  grade: 3,
  measureCode: 'ORF_WCPM',
  season: 'EOY',
  cuts: { meets: 3, approaching: 2, below: 1 },
  source: 'made for a test',
  ...overrides,
});

test('an exact profile precedes the country’s default, which precedes the global one', () => {
  const exact = profile('exact', {});
  const countryDefault = profile('default', { season: null });
  const others = [
    profile('elsewhere', { country: 'JO' }),
    profile('other-season', { season: 'BOY' }),
    profile('other-grade', { grade: 2 }),
    profile('other-measure', { measureCode: 'OTHER' }),
  ];
  const resolved = (...own: readonly BenchmarkProfile[]) => resolveBenchmark([...shipped, ...others, ...own], cell);
  assert.is(resolved(countryDefault, exact)?.key, 'exact');
  assert.is(resolved(countryDefault, exact)?.resolvedBy, 'exact');
  assert.is(resolved(countryDefault)?.key, 'default');
  assert.is(resolved(countryDefault)?.resolvedBy, 'country_default');
  assert.is(resolved()?.key, 'orf-wcpm-global-g3-eoy');
});

test('null cuts of a country are final: there is no fallback', () => {
  const found = resolveBenchmark([...shipped, profile('none', { cuts: null })], cell);
  assert.is(found?.cuts, null);
});

test('verdicts: each cut is reached at the rounded value itself', () => {
  const cuts = { meets: 32, approaching: 22, below: 11 };
  const expected: [number, string][] = [
    [32, 'meets'],
    [31.99996, 'meets'],
    [31.9999, 'approaching'],
    [22, 'approaching'],
    [21.9, 'below'],
    [11, 'below'],
    [10.9, 'severe'],
    [0, 'severe'],
  ];
  for (const [value, verdict] of expected) assert.is(verdictOf(cuts, value), verdict, String(value));
  assert.is(verdictOf(null, 50), 'not_assessed');
});

test('a profile with foreign sections is refused at load, one whose cuts do not fall when it is read', () => {
  const document = {
    meta: { family: 'benchmark', key: 'x', version: 1, title: { ar: 'م', en: 'B' } },
    country: 'EG',
    grade: 3,
    measureCode: 'ORF_WCPM',
    season: null,
    cuts: { meets: 3, approaching: 2, below: 1 },
    source: 'made for a test',
  };
  assert.ok(parseRuleDocument(JSON.stringify(document), validators));
  for (const wrong of [
    { country: 'Egypt' },
    { season: 'SUMMER' },
    { grade: 5 },
    { extra: 1 },
    { cuts: { meets: 3 } },
  ]) {
    assert.throws(() => parseRuleDocument(JSON.stringify({ ...document, ...wrong }), validators), 'SCHEMA');
  }
  const rising = parseRuleDocument(
    JSON.stringify({ ...document, cuts: { meets: 1, approaching: 2, below: 3 } }),
    validators,
  );
  assert.throws(() => benchmarksOf(pinBundle([rising])), 'must fall');
});

test.run();
