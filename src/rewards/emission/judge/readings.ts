// Growth in oral reading: a verdict that is better than the one before it, and a series that has come to lie above its goal.
import { cbmRules, type Verdict } from '../../../measurement/index.ts';
import type { Trx } from '../../../platform/db.ts';
import { rowsOf } from '../../../platform/sql.ts';
import { type Judge, type Judging, withoutCode } from './judging.ts';

/** Worst to best; a reading that was not assessed has no place. */
const verdictOrder = ['severe', 'below', 'approaching', 'meets'] as const satisfies readonly Verdict[];

const placeOf = (verdict: Verdict | null): number => (verdictOrder as readonly (Verdict | null)[]).indexOf(verdict);

interface Reading {
  readonly schoolYear: string;
  readonly verdict: Verdict;
  /** Of the newest earlier scored reading of the school year that has a place. */
  readonly before: Verdict | null;
  readonly stoppedAt: string;
  /** The student has read the passage within the time in which one is remembered. */
  readonly remembered: boolean;
}

/** There is one measure that is read aloud. */
const measureCode = 'ORF_WCPM';

export const growthOfReading: Judge = async (trx, judging, { payload }) => {
  const assessmentId = String(payload.assessmentId);
  const reading = await readingOf(trx, judging, assessmentId);
  if (!reading || reading.remembered || reading.before === null) return [];
  if (placeOf(reading.verdict) <= placeOf(reading.before)) return [];
  return [
    {
      ...{
        sourceKind: 'band_progression',
        naturalKey: `${measureCode}:${assessmentId}`,
        schoolYear: reading.schoolYear,
      },
      ...{ sourceType: 'orf_assessment', sourceId: assessmentId, reached: reading.verdict, ...withoutCode },
      ...{ sessionKey: `orf:${assessmentId}`, occurredAt: reading.stoppedAt },
    },
  ];
};

/** Whatever was read counts, also what was broken off or read from paper. */
async function readingOf(trx: Trx, judging: Judging, assessmentId: string): Promise<Reading | undefined> {
  const { organizationId, studentId, bundle } = judging;
  const [reading] = await rowsOf<Reading>(
    trx,
    `select a.school_year, a.verdict, a.stopped_at,
       (select b.verdict from orf_assessment b where b.organization_id = a.organization_id and b.student_id = a.student_id
          and b.school_year = a.school_year and b.status = 'SCORED' and b.verdict = any(:verdicts::text[])
          and (b.stopped_at, b.id) < (a.stopped_at, a.id) order by b.stopped_at desc, b.id desc limit 1) as before,
       exists (select from orf_assessment b where b.organization_id = a.organization_id and b.student_id = a.student_id
          and b.passage_id = a.passage_id and (b.stopped_at, b.id) < (a.stopped_at, a.id)
          and b.read_on >= a.read_on - :rereadDays::integer)
       or exists (select from cbm_probe p where p.organization_id = a.organization_id and p.student_id = a.student_id
          and p.passage_id = a.passage_id and p.orf_assessment_id is null and p.recorded_at < a.stopped_at
          and p.administered_on between a.read_on - :rereadDays::integer and a.read_on) as remembered
     from orf_assessment a where a.organization_id = :organizationId and a.student_id = :studentId
       and a.id = :assessmentId and a.status = 'SCORED'`,
    {
      ...{ organizationId, studentId, assessmentId, verdicts: [...verdictOrder] },
      rereadDays: cbmRules(bundle).values.rereadDays,
    },
  );
  return reading;
}

interface Trend {
  readonly probeId: number;
  readonly schoolYear: string;
}

/** That the trend was another one before is what the event tells. */
export const growthOfTrend: Judge = async (trx, { organizationId }, { payload, happenedAt }) => {
  const [trend] = await rowsOf<Trend>(
    trx,
    `select t.probe_id, t.school_year from cbm_trend t
     where t.organization_id = :organizationId and t.id = :id and t.trend_type = 'trend_above_goal'`,
    { organizationId, id: Number(payload.trendId) },
  );
  if (!trend) return [];
  const { probeId, schoolYear } = trend;
  return [
    {
      ...{ sourceKind: 'cbm_trend_above_goal', naturalKey: `${String(payload.measureCode)}:${probeId}`, schoolYear },
      ...{ sourceType: 'cbm_probe', sourceId: String(probeId), reached: null, ...withoutCode },
      ...{ sessionKey: `probe:${probeId}`, occurredAt: happenedAt },
    },
  ];
};
