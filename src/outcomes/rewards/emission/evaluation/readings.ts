// Growth in oral reading: a better verdict than before, and a trend that has risen above its goal.
import { accountsIn, cbmRules, type Verdict, voidIn } from '#assessment/measurement/index.ts';
import type { Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { keptPlan } from '#core/platform/statements/kept-plans.ts';
import type { PossibleGrowth } from '../../ledger/record.ts';
import { type EvaluationContext, type Fact, type GrowthSource, withoutCode } from './growth-source.ts';

/** Worst to best; `not_assessed` has no rank. */
const verdictOrder = ['severe', 'below', 'approaching', 'meets'] as const satisfies readonly Verdict[];

const rankOf = (verdict: Verdict | null): number => (verdictOrder as readonly (Verdict | null)[]).indexOf(verdict);

interface Reading {
  readonly id: string;
  readonly studentId: number;
  readonly schoolYear: string;
  readonly verdict: Verdict;
  /** Verdict of the newest earlier scored reading of the school year that has a rank. */
  readonly before: Verdict | null;
  readonly stoppedAt: string;
  /** Whether the student read the passage recently enough to remember it. */
  readonly remembered: boolean;
}

/** The only measure that is read aloud. */
const measureCode = 'ORF_WCPM';

export const growthOfReading: GrowthSource = async (trx, context, facts) => {
  const readings = await readingsOf(trx, context, facts);
  return (fact) => {
    const reading = readings.get(readingOf(fact));
    return reading?.studentId === fact.studentId && isBetter(reading) ? [growthBy(reading)] : [];
  };
};

const isBetter = ({ remembered, before, verdict }: Reading): boolean =>
  !remembered && before !== null && rankOf(verdict) > rankOf(before);

const growthBy = ({ id, schoolYear, verdict, stoppedAt }: Reading): PossibleGrowth => ({
  ...{ sourceKind: 'band_progression', naturalKey: `${measureCode}:${id}`, schoolYear },
  ...{ sourceType: 'orf_assessment', sourceId: id, reached: verdict, ...withoutCode },
  ...{ sessionKey: `orf:${id}`, occurredAt: stoppedAt },
});

const readingOf = ({ payload }: Fact): string => String(payload.assessmentId);

/** Whether earlier evidence was voided when the reading was stopped. */
const wasVoided = (kind: 'orf' | 'cbm', refId: string): string =>
  voidIn({ kind, organizationId: 'a.organization_id', refId, at: 'a.stopped_at' });

/** Keyed by id. Readings that were broken off or read from paper count too, voided ones do not. */
async function readingsOf(
  trx: Trx,
  { organizationId, bundle }: EvaluationContext,
  facts: readonly Fact[],
): Promise<ReadonlyMap<string, Reading>> {
  const readings = await rowsOf<Reading>(
    trx,
    `select a.id, a.student_id, a.school_year, a.verdict, a.stopped_at,
       (select b.verdict from orf_assessment b where b.organization_id = a.organization_id and b.student_id = any(a.accounts)
          and b.school_year = a.school_year and b.status = 'SCORED' and b.verdict = any(:verdicts::text[])
          and (b.stopped_at, b.id) < (a.stopped_at, a.id) and ${wasVoided('orf', 'b.id')} is null order by b.stopped_at desc, b.id desc limit 1) as before,
       exists (select from orf_assessment b where b.organization_id = a.organization_id and b.student_id = any(a.accounts)
          and b.passage_id = a.passage_id and (b.stopped_at, b.id) < (a.stopped_at, a.id)
          and b.read_on >= a.read_on - :rereadDays::integer and ${wasVoided('orf', 'b.id')} is null)
       or exists (select from cbm_probe p where p.organization_id = a.organization_id and p.student_id = any(a.accounts)
          and p.passage_id = a.passage_id and p.orf_assessment_id is null and p.recorded_at < a.stopped_at
          and p.administered_on between a.read_on - :rereadDays::integer and a.read_on
          and ${wasVoided('cbm', 'p.id::text')} is null) as remembered
     from (select a.organization_id, a.id, a.student_id, a.school_year, a.verdict, a.stopped_at, a.passage_id, a.read_on,
         ${accountsIn({ organizationId: 'a.organization_id', studentId: 'a.student_id', at: 'a.stopped_at' })}
         as accounts
       from orf_assessment a
       where a.organization_id = :organizationId and a.id = any(:ids::text[]) and a.status = 'SCORED') a`,
    {
      ...{ organizationId, ids: facts.map(readingOf), verdicts: [...verdictOrder] },
      rereadDays: cbmRules(bundle).values.rereadDays,
    },
    keptPlan,
  );
  return new Map(readings.map((reading) => [reading.id, reading]));
}

interface Trend {
  readonly id: number;
  readonly probeId: number;
  readonly schoolYear: string;
}

const trendOf = ({ payload }: Fact): number => Number(payload.trendId);

/** The event is raised only when the trend type changes. A trend that a correction of evidence moved is no growth. */
export const growthOfTrend: GrowthSource = async (trx, { organizationId }, facts) => {
  const rows = await rowsOf<Trend>(
    trx,
    `select t.id, t.probe_id, t.school_year from cbm_trend t
     where t.organization_id = :organizationId and t.id = any(:ids::bigint[]) and t.trend_type = 'trend_above_goal'
       and not t.by_correction`,
    { organizationId, ids: facts.map(trendOf) },
    keptPlan,
  );
  const trends = new Map(rows.map((row) => [row.id, row]));
  return (fact) => {
    const trend = trends.get(trendOf(fact));
    return trend ? [growthByTrend(trend, fact)] : [];
  };
};

const growthByTrend = ({ probeId, schoolYear }: Trend, { payload, happenedAt }: Fact): PossibleGrowth => ({
  ...{ sourceKind: 'cbm_trend_above_goal', naturalKey: `${String(payload.measureCode)}:${probeId}`, schoolYear },
  ...{ sourceType: 'cbm_probe', sourceId: String(probeId), reached: null, ...withoutCode },
  ...{ sessionKey: `probe:${probeId}`, occurredAt: happenedAt },
});
