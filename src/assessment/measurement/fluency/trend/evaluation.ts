// Evaluates a stored series with the rules in force.

import type { Trx } from '#core/platform/db.ts';
import { daysBefore } from '#core/platform/pure/dates/days.ts';
import type { SchoolYearDates } from '#rules/catalogue/index.ts';
import type { RequestServices } from '../../services.ts';
import { type BenchmarkContext, benchmarkFor } from '../benchmarks.ts';
import type { MeasureCode } from '../engine/benchmark.ts';
import type { OrfProbe, Reading } from '../engine/series.ts';
import { type SeriesInput, type SeriesTrend, seriesTrend } from '../engine/trend.ts';
import { activeFluency } from '../rules.ts';
import { CbmProbe, OrfAssessment } from '../store.ts';

export interface SeriesQuery {
  readonly student: BenchmarkContext & { readonly id: number };
  readonly measureCode: MeasureCode;
  readonly formFamily: string;
  readonly year: SchoolYearDates;
  /** `YYYY-MM-DD` */
  readonly asOf: string;
}

export interface EvaluatedSeries {
  readonly series: SeriesQuery;
  readonly input: SeriesInput;
  readonly trend: SeriesTrend;
  readonly ruleVersions: Readonly<Record<string, number>>;
}

/** Throws ENGINE_UNAVAILABLE when no rules are in force. */
export async function evaluateSeries(
  services: RequestServices,
  trx: Trx,
  series: SeriesQuery,
  now: Date,
): Promise<EvaluatedSeries> {
  const { student, year, asOf } = series;
  const { bundle, cbm } = await activeFluency(services, trx, now);
  const cell = { grade: gradeOf(series.formFamily), season: 'EOY' } as const;
  const benchmark = await benchmarkFor(trx, bundle, student, cell);
  const from = daysBefore(year.from, cbm.values.rereadDays);
  const input = {
    yearFrom: year.from,
    asOf,
    benchmark: benchmark.cuts?.meets ?? null,
    probes: await probesOf(trx, series),
    readings: await readingsOf(trx, student.id, from, asOf),
  };
  const ruleVersions = {
    [`benchmark/${benchmark.key}`]: benchmark.version,
    'cbm/trend': bundle.versions['cbm/trend'] ?? 0,
  };
  return { series, input, trend: seriesTrend(input, cbm), ruleVersions };
}

/** `ORF-G3` → 3 */
const gradeOf = (formFamily: string): number => Number(formFamily.slice(-1));

const paperReading = (probeId: number) => `probe:${probeId}`;

async function probesOf(trx: Trx, { student, measureCode, formFamily, year, asOf }: SeriesQuery): Promise<OrfProbe[]> {
  const rows = await CbmProbe.query(trx)
    .where({ organizationId: student.organizationId, studentId: student.id, measureCode, formFamily })
    .whereBetween('administeredOn', [year.from, asOf])
    .orderBy(['administeredOn', 'id']);
  return rows.map(({ id, administeredOn, passageId, score, orfAssessmentId }) => ({
    probeId: id,
    date: administeredOn,
    passageId,
    score,
    readingId: orfAssessmentId ?? paperReading(id),
  }));
}

/** Returns all readings of the student between two dates, in order, including aborted ones. */
async function readingsOf(trx: Trx, studentId: number, from: string, to: string): Promise<Reading[]> {
  const marked = await OrfAssessment.query(trx)
    .where({ studentId })
    .whereBetween('readOn', [from, to])
    .select('id as readingId', 'passageId', 'readOn as date', 'stoppedAt as at')
    .castTo<ReadingRow[]>();
  const onPaper = await CbmProbe.query(trx)
    .where({ studentId })
    .whereNull('orfAssessmentId')
    .whereBetween('administeredOn', [from, to])
    .orderBy('id')
    .select('id', 'passageId', 'administeredOn as date', 'recordedAt as at')
    .castTo<(Omit<ReadingRow, 'readingId'> & { id: number })[]>();
  const all = [...marked, ...onPaper.map(({ id, ...row }) => ({ ...row, readingId: paperReading(id) }))];
  return all.sort(byTime).map(({ readingId, passageId, date }) => ({ readingId, passageId, date }));
}

interface ReadingRow extends Reading {
  /** When it was recorded. */
  readonly at: string;
}

/** Sorting is stable: paper probes of one moment stay in the order of their ids. */
function byTime(left: ReadingRow, right: ReadingRow): number {
  if (left.date !== right.date) return left.date < right.date ? -1 : 1;
  return Date.parse(left.at) - Date.parse(right.at);
}
