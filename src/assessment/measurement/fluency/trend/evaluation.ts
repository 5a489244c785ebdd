// Evaluates a stored series with the rules in force.

import type { Trx } from '#core/platform/db.ts';
import { localDate } from '#core/platform/pure/dates/calendar.ts';
import { daysAfter, daysBefore } from '#core/platform/pure/dates/days.ts';
import { localMidnight, type SchoolYearDates } from '#rules/catalogue/index.ts';
import { loadCorrections } from '../../evidence/corrections/load.ts';
import { present } from '../../evidence/engine/corrections.ts';
import type { RequestServices } from '../../services.ts';
import { type BenchmarkContext, benchmarkFor } from '../benchmarks.ts';
import type { MeasureCode } from '../engine/benchmark.ts';
import type { OrfProbe, Reading } from '../engine/series.ts';
import { type SeriesInput, type SeriesTrend, seriesTrend } from '../engine/trend.ts';
import { activeFluency } from '../rules.ts';
import { CbmProbe, OrfAssessment } from '../store.ts';

export interface SeriesQuery {
  readonly student: BenchmarkContext & { readonly id: number; readonly timeZone: string };
  readonly measureCode: MeasureCode;
  readonly formFamily: string;
  readonly year: SchoolYearDates;
  /** `YYYY-MM-DD` */
  readonly asOf: string;
  /** Whether corrections of later days count too; default false. */
  readonly correctedSince?: boolean;
}

/** A probe that is no point of the series. */
export interface VoidedProbe {
  readonly probeId: number;
  readonly date: string;
  readonly score: number;
  readonly voidId: number;
}

export interface EvaluatedSeries {
  readonly series: SeriesQuery;
  readonly input: SeriesInput;
  /** By date. */
  readonly voided: readonly VoidedProbe[];
  readonly trend: SeriesTrend;
  readonly ruleVersions: Readonly<Record<string, number>>;
}

/**
 * Evaluates what is the student's and not voided at the end of the day, or now. Throws ENGINE_UNAVAILABLE when no rules
 * are in force.
 */
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
  const counting = await countingAt(trx, series, now);
  const { probes, voided } = await probesOf(trx, series, counting);
  const input = {
    yearFrom: year.from,
    asOf,
    benchmark: benchmark.cuts?.meets ?? null,
    probes,
    readings: await readingsOf(trx, student.organizationId, counting, from, asOf),
  };
  const ruleVersions = {
    [`benchmark/${benchmark.key}`]: benchmark.version,
    'cbm/trend': bundle.versions['cbm/trend'] ?? 0,
  };
  return { series, input, voided, trend: seriesTrend(input, cbm), ruleVersions };
}

/** `ORF-G3` → 3 */
const gradeOf = (formFamily: string): number => Number(formFamily.slice(-1));

const paperReading = (probeId: number) => `probe:${probeId}`;

/** Whose evidence counts, and which is voided. */
interface Counting {
  readonly accountIds: readonly number[];
  voidOf(probe: Pick<CbmProbe, 'id' | 'orfAssessmentId'>): number | null;
  voidOfReading(readingId: string): number | null;
}

/** Corrections of a day count in the series of that day. */
async function countingAt(
  trx: Trx,
  { student: { organizationId, id, timeZone }, asOf, correctedSince = false }: SeriesQuery,
  now: Date,
): Promise<Counting> {
  const corrections = await loadCorrections(trx, organizationId, [id]);
  const isPast = asOf < localDate(now, timeZone) && !correctedSince;
  const at = isPast ? lastMoment(asOf, timeZone) : present;
  const voidOfReading = (readingId: string) => corrections.voidAt('orf', readingId, at);
  return {
    accountIds: corrections.accountsAt(id, at),
    voidOf: (probe) =>
      corrections.voidAt('cbm', String(probe.id), at) ??
      (probe.orfAssessmentId === null ? null : voidOfReading(probe.orfAssessmentId)),
    voidOfReading,
  };
}

const lastMoment = (date: string, timeZone: string): Date =>
  new Date(localMidnight(daysAfter(date, 1), timeZone).getTime() - 1);

async function probesOf(
  trx: Trx,
  { student, measureCode, formFamily, year, asOf }: SeriesQuery,
  { accountIds, voidOf }: Counting,
): Promise<{ readonly probes: OrfProbe[]; readonly voided: VoidedProbe[] }> {
  const rows = await CbmProbe.query(trx)
    .where({ organizationId: student.organizationId, measureCode, formFamily })
    .whereIn('studentId', [...accountIds])
    .whereBetween('administeredOn', [year.from, asOf])
    .orderBy(['administeredOn', 'id']);
  const probes = rows.filter((row) => voidOf(row) === null);
  return {
    probes: probes.map(({ id, administeredOn, passageId, score, orfAssessmentId }) => ({
      probeId: id,
      date: administeredOn,
      passageId,
      score,
      readingId: orfAssessmentId ?? paperReading(id),
    })),
    voided: rows.flatMap((row) => {
      const voidId = voidOf(row);
      return voidId === null ? [] : [{ probeId: row.id, date: row.administeredOn, score: row.score, voidId }];
    }),
  };
}

/** Returns all readings of the student between two dates, in order, including aborted ones, without voided ones. */
async function readingsOf(
  trx: Trx,
  organizationId: string,
  { accountIds, voidOf, voidOfReading }: Counting,
  from: string,
  to: string,
): Promise<Reading[]> {
  const marked = await OrfAssessment.query(trx)
    .where({ organizationId })
    .whereIn('studentId', [...accountIds])
    .whereBetween('readOn', [from, to])
    .select('id as readingId', 'passageId', 'readOn as date', 'stoppedAt as at')
    .castTo<ReadingRow[]>();
  const onPaper = await CbmProbe.query(trx)
    .where({ organizationId })
    .whereIn('studentId', [...accountIds])
    .whereNull('orfAssessmentId')
    .whereBetween('administeredOn', [from, to])
    .orderBy('id')
    .select('id', 'passageId', 'administeredOn as date', 'recordedAt as at')
    .castTo<(Omit<ReadingRow, 'readingId'> & { id: number })[]>();
  const all = [
    ...marked.filter(({ readingId }) => voidOfReading(readingId) === null),
    ...onPaper
      .filter(({ id }) => voidOf({ id, orfAssessmentId: null }) === null)
      .map(({ id, ...row }) => ({ ...row, readingId: paperReading(id) })),
  ];
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
