// Replays a stored trend from its input and its stamped rules, with the question to the table.
import { canonicalJson } from '#core/platform/pure/canonical-json.ts';
import { type Facts, type RuleBundle, replayQuestion, type TracedCall } from '#rules/rulesets/index.ts';
import { benchmarksOf } from '../engine/benchmark.ts';
import { type CbmRules, cbmRules } from '../engine/cbm-rules.ts';
import { rateProbes } from '../engine/series.ts';
import { type SeriesTrend, seriesTrend, watchedPoints } from '../engine/trend.ts';
import type { CbmTrend } from '../store.ts';
import type { ProbeNode } from './schemas.ts';

export interface ReplayedTrend {
  readonly rules: CbmRules;
  readonly trend: SeriesTrend;
  readonly calls: readonly TracedCall[];
}

/** Replays the trend. `bundle` contains the versions with which it is stamped. */
export function replayTrend({ input }: Pick<CbmTrend, 'input'>, bundle: RuleBundle): ReplayedTrend {
  const asked: Facts[] = [];
  const rules = cbmRules(bundle);
  const decideTrend = (facts: Facts) => {
    asked.push(facts);
    return rules.decideTrend(facts);
  };
  const trend = seriesTrend(input, { ...rules, decideTrend });
  const calls = asked.flatMap((facts) => replayQuestion(bundle.table('cbm/trend'), facts) ?? []);
  return { rules, trend, calls };
}

/** Returns whether the row equals the replay, and its input the stamped benchmark. */
export function isSame(row: CbmTrend, { trend }: ReplayedTrend, bundle: RuleBundle): boolean {
  const [benchmark] = benchmarksOf(bundle);
  return (
    canonicalJson(columnsOf(row)) === canonicalJson(columnsOf(trend)) &&
    row.input.asOf === row.asOf &&
    row.input.benchmark === (benchmark?.cuts?.meets ?? null)
  );
}

type Columns = 'trendType' | 'ruleId' | 'ruleVersion' | 'aimSlope' | 'slope' | 'slopeError' | 'decisionWeek';

const columnsOf = (found: Pick<CbmTrend & SeriesTrend, Columns>) => [
  ...[found.trendType, found.ruleId, found.ruleVersion],
  ...[found.aimSlope, found.slope, found.slopeError, found.decisionWeek],
];

/** Returns the probes of the input by date, each with its role. */
export function probeNodes({ input }: Pick<CbmTrend, 'input'>, { rules, trend }: ReplayedTrend): ProbeNode[] {
  const { points, baseline, goal } = trend;
  const watched = goal && baseline ? watchedPoints(points, baseline, input.asOf, rules.values) : [];
  const watchedIds = new Set(watched.flatMap(({ probeIds }) => probeIds));
  const aims = new Map(points.flatMap(({ probeIds, aim }) => probeIds.map((probeId) => [probeId, aim] as const)));
  return rateProbes(input.probes, input.readings, rules.values).map(
    ({ probeId, date, score, passageId, role: rated }) => ({
      probeId,
      at: date,
      wcpm: score,
      passageId,
      role: trend.roles.get(probeId) ?? rated,
      excluded: rated === 'not_comparable',
      watched: watchedIds.has(probeId),
      aim: aims.get(probeId) ?? null,
    }),
  );
}
