// Loads the newest series of many students, each as of its own day, and the open raw signals.
import type { Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { keptPlan } from '#core/platform/statements/kept-plans.ts';
import type { RuleBundle } from '#rules/rulesets/index.ts';
import { accountsIn, probeVoidIn } from '../../evidence/corrections/in-statements.ts';
import type { MeasureCode } from '../engine/benchmark.ts';
import { cbmRules, type TrendType } from '../engine/cbm-rules.ts';
import type { Signal } from '../engine/signals.ts';
import { type SeriesInput, type SeriesTrend, seriesTrend } from '../engine/trend.ts';
import { CbmAlert } from '../store.ts';

/** Local dates: the first day of the school year, and the day as of which to evaluate. */
export interface SeriesOf {
  readonly studentId: number;
  readonly yearFrom: string;
  readonly asOf: string;
}

export interface MonitoredSeries {
  readonly trendType: TrendType;
  /** Local dates of the points from which growth is computed, in order. */
  readonly monitoredOn: readonly string[];
}

interface SeriesRow {
  readonly studentId: number;
  readonly input: SeriesInput;
}

/**
 * Returns per student the series of the newest probe of the school year that is not voided, from the newest trend of
 * that series; students without probes are missing. Throws BundleError without trend rules.
 */
export async function newestSeries(
  trx: Trx,
  bundle: RuleBundle,
  organizationId: string,
  measureCode: MeasureCode,
  students: readonly SeriesOf[],
): Promise<ReadonlyMap<number, MonitoredSeries>> {
  const evaluate = evaluator(bundle, students);
  const rows = await storedSeries(trx, organizationId, measureCode, students);
  return new Map(
    rows.map((row) => {
      const { studentId } = row;
      const { trendType, points } = evaluate(row);
      const monitored = points.filter(({ role }) => role === 'monitoring');
      return [studentId, { trendType, monitoredOn: monitored.map(({ date }) => date) }];
    }),
  );
}

/** As `newestSeries`, with everything that is known of the series of one student. */
export async function newestTrend(
  trx: Trx,
  bundle: RuleBundle,
  organizationId: string,
  measureCode: MeasureCode,
  student: SeriesOf,
): Promise<SeriesTrend | undefined> {
  const [row] = await storedSeries(trx, organizationId, measureCode, [student]);
  return row && evaluator(bundle, [student])(row);
}

function evaluator(bundle: RuleBundle, students: readonly SeriesOf[]): (row: SeriesRow) => SeriesTrend {
  const rules = cbmRules(bundle);
  const asOf = new Map(students.map((one) => [one.studentId, one.asOf]));
  return ({ studentId, input }) => seriesTrend({ ...input, asOf: asOf.get(studentId) ?? input.asOf }, rules);
}

const storedSeries = (
  trx: Trx,
  organizationId: string,
  measureCode: MeasureCode,
  students: readonly SeriesOf[],
): Promise<SeriesRow[]> =>
  rowsOf(
    trx,
    `select t.student_id, r.input
     from unnest(:studentIds::bigint[], :yearsFrom::date[], :days::date[]) as t (student_id, year_from, day)
     cross join lateral (select p.form_family, p.school_year from cbm_probe p
       where p.organization_id = :organizationId and p.measure_code = :measureCode
         and p.student_id = any(${accountsIn({ organizationId: ':organizationId', studentId: 't.student_id' })})
         and p.administered_on between t.year_from and t.day and ${probeVoidIn('p')} is null
       order by p.administered_on desc, p.id desc limit 1) p
     cross join lateral (select r.input from cbm_trend r
       where r.organization_id = :organizationId and r.student_id = t.student_id and r.measure_code = :measureCode
         and r.form_family = p.form_family and r.school_year = p.school_year
       order by r.id desc limit 1) r`,
    {
      organizationId,
      measureCode,
      studentIds: students.map(({ studentId }) => studentId),
      yearsFrom: students.map(({ yearFrom }) => yearFrom),
      days: students.map((one) => one.asOf),
    },
    keptPlan,
  );

/** Returns the ids of the open signals of a kind, by student, oldest first. */
export async function openSignals(
  trx: Trx,
  organizationId: string,
  kind: Signal,
  studentIds: readonly number[],
): Promise<ReadonlyMap<number, readonly string[]>> {
  const rows: { studentId: number; id: string }[] = await CbmAlert.query(trx)
    .where({ organizationId, kind })
    .whereIn('studentId', [...studentIds])
    .whereNull('closedAt')
    .orderBy(['openedAt', 'id'])
    .select('studentId', 'id');
  const found = new Map<number, string[]>();
  for (const { studentId, id } of rows) found.set(studentId, [...(found.get(studentId) ?? []), id]);
  return found;
}
