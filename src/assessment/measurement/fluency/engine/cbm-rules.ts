// The rules of repeated probes, read from a pinned `cbm/trend` document.
import type { Facts, RuleBundle, Table } from '#rules/rulesets/engine/index.ts';
import { decide } from '#rules/rulesets/engine/index.ts';

export const trendTypes = ['insufficient_points', 'trend_below_goal', 'trend_mixed', 'trend_above_goal'] as const;
export type TrendType = (typeof trendTypes)[number];

export interface CbmValues {
  readonly minPoints: number;
  /** Number of newest points that must agree. */
  readonly lastPoints: number;
  readonly baselineProbes: number;
  readonly windowDays: number;
  /** Days within which a passage read again counts as remembered. */
  readonly rereadDays: number;
  /** Correct words a minute, per week. */
  readonly expectedGrowth: number;
  /** `MM-DD` in the calendar year in which the school year ends. */
  readonly goalDay: string;
  readonly dropShare: number;
  readonly pointsBeforeDrop: number;
  /** Correct words a minute, per week. */
  readonly flatSlope: number;
  readonly certainErrors: number;
}

/** A score above one of these was entered wrongly, until a person confirms it. Correct words a minute. */
export interface PlausibleScores {
  readonly highest: number;
  /** Above the newest earlier score of the same forms. */
  readonly highestGain: number;
}

export interface TrendDecision {
  readonly ruleId: string;
  readonly trendType: TrendType;
}

export interface CbmRules {
  readonly values: CbmValues;
  /** Null in version 1, which has no bounds. */
  readonly plausible: PlausibleScores | null;
  /** `cbm/trend@1` */
  readonly ruleVersion: string;
  decideTrend(facts: Facts): TrendDecision;
}

const name = 'cbm/trend';

/** Throws BundleError when the document is missing, RangeError when it lacks a constant. */
export function cbmRules(bundle: RuleBundle): CbmRules {
  const table = bundle.table(name);
  const value = (id: string) => table.document.constants?.[id]?.value;
  const number = (id: string) => required(id, value(id), (found) => typeof found === 'number');
  refuseLongRun(table, number('CBM-RUN-01'));
  return {
    values: {
      minPoints: number('CBM-MIN-01'),
      lastPoints: number('CBM-RUN-01'),
      baselineProbes: number('CBM-BAS-01'),
      windowDays: number('CBM-WIN-01'),
      rereadDays: number('CBM-CMP-01'),
      expectedGrowth: number('CBM-GRW-01'),
      goalDay: required('CBM-END-01', value('CBM-END-01'), (found) => typeof found === 'string'),
      dropShare: number('CBM-DRP-01'),
      pointsBeforeDrop: number('CBM-DRP-02'),
      flatSlope: number('CBM-FLT-01'),
      certainErrors: number('CBM-CRT-01'),
    },
    plausible:
      value('CBM-PLS-01') === undefined ? null : { highest: number('CBM-PLS-01'), highestGain: number('CBM-PLS-02') },
    ruleVersion: `${name}@${bundle.versions[name]}`,
    decideTrend: (facts) => {
      const { ruleId, outcome } = decide(table, facts);
      return { ruleId, trendType: required('outcome', outcome, isTrendType) };
    },
  };
}

/** The table's fact counts how many of the last points are below the line, so its domain must include `lastPoints`. */
function refuseLongRun({ document }: Table, lastPoints: number): void {
  const fact = document.facts.lastBelow;
  if (fact?.type !== 'integer' || fact.max < lastPoints) {
    throw new RangeError(`${name}: CBM-RUN-01 is more than the fact lastBelow holds`);
  }
}

const isTrendType = (word: unknown): word is TrendType => trendTypes.some((type) => type === word);

function required<T>(id: string, found: unknown, fits: (found: unknown) => found is T): T {
  if (!fits(found)) throw new RangeError(`${name}: ${id} is ${String(found)}`);
  return found;
}
