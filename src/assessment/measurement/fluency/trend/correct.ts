// Evaluates the series of a student again after a correction, without a new probe.
import type { Trx } from '#core/platform/db.ts';
import { unavailable } from '#core/platform/errors.ts';
import { localDate } from '#core/platform/pure/dates/calendar.ts';
import { rowsOf } from '#core/platform/sql.ts';
import type { StudentInScope } from '#identity/people/index.ts';
import { lastDayOf, type SchoolYearDates, yearOfDay } from '#rules/catalogue/index.ts';
import { accountsIn, probeVoidIn } from '../../evidence/corrections/in-statements.ts';
import type { RequestServices } from '../../services.ts';
import type { CbmProbe } from '../store.ts';
import { evaluateSeries } from './evaluation.ts';
import { recordPastTrend, recordTrend } from './record.ts';

/**
 * Stores the trends of all series of the school year of `now`, in which signals open and close, and before them those of
 * the year of `day`, on which the corrected evidence was taken. The correction is stored, and the caller holds the lock of
 * the student. Throws ENGINE_UNAVAILABLE in the middle of an upgrade.
 */
export async function correctSeries(
  services: RequestServices,
  trx: Trx,
  student: StudentInScope,
  now: Date,
  day?: string,
): Promise<void> {
  const asOf = localDate(now, student.timeZone);
  const year = await yearOfDay(services, trx, asOf, now);
  const past = day === undefined ? year : await yearOfDay(services, trx, day, now);
  const current = await seriesOf(trx, student, year, asOf);
  const ended = past.from < year.from ? await seriesOf(trx, student, past, lastDayOf(past)) : [];
  if (current.length + ended.length > 0 && (await hasOneTrendForEachProbe(trx))) {
    throw unavailable(
      'The service is being upgraded. Evidence of repeated probes can be corrected when that has ended.',
    );
  }
  const recordEnded = current.length > 0 ? recordPastTrend : recordTrend;
  for (const one of ended) await correctOne(services, trx, { ...one, student }, recordEnded, now);
  for (const one of current) await correctOne(services, trx, { ...one, student }, recordTrend, now);
}

interface CorrectedSeries extends Pick<CbmProbe, 'measureCode' | 'formFamily'> {
  readonly year: SchoolYearDates;
  readonly asOf: string;
  /** The newest one. */
  readonly probeId: number;
}

async function correctOne(
  services: RequestServices,
  trx: Trx,
  { probeId, ...found }: CorrectedSeries & { readonly student: StudentInScope },
  record: typeof recordTrend,
  now: Date,
): Promise<void> {
  const evaluated = await evaluateSeries(services, trx, { ...found, correctedSince: true }, now);
  const { student, measureCode, formFamily, year } = found;
  const { organizationId, id: studentId } = student;
  const series = { organizationId, studentId, measureCode, formFamily, schoolYear: year.name, probeId };
  await record(trx, { ...series, byCorrection: true }, evaluated, now);
}

/** Whether the key of the previous release still admits one trend for a probe. */
async function hasOneTrendForEachProbe(trx: Trx): Promise<boolean> {
  const rows = await rowsOf(
    trx,
    `select 1 from pg_constraint where conrelid = 'cbm_trend'::regclass
       and conname = :key`,
    { key: 'cbm_trend_organization_id_probe_id_school_year_key' },
  );
  return rows.length > 0;
}

/** Returns the series with their newest probe, by preference one that is not voided. A student has one for each grade. */
async function seriesOf(
  trx: Trx,
  { organizationId, id: studentId }: StudentInScope,
  year: SchoolYearDates,
  asOf: string,
): Promise<CorrectedSeries[]> {
  const rows = await rowsOf<Pick<CorrectedSeries, 'measureCode' | 'formFamily' | 'probeId'>>(
    trx,
    `select distinct on (p.measure_code, p.form_family) p.measure_code, p.form_family, p.id as probe_id
     from cbm_probe p
     where p.organization_id = :organizationId
       and p.student_id = any(${accountsIn({ organizationId: ':organizationId', studentId: ':studentId' })})
       and p.administered_on between :from::date and :asOf::date
     order by p.measure_code, p.form_family, ${probeVoidIn('p')} is null desc, p.administered_on desc, p.id desc`,
    { organizationId, studentId, from: year.from, asOf },
  );
  return rows.map((row) => ({ ...row, year, asOf }));
}
