// Evaluates the series of a student again after a correction, without a new probe.
import type { Trx } from '#core/platform/db.ts';
import { localDate } from '#core/platform/pure/dates/calendar.ts';
import { rowsOf } from '#core/platform/sql.ts';
import type { StudentInScope } from '#identity/people/index.ts';
import { yearOfDay } from '#rules/catalogue/index.ts';
import { accountsIn, probeVoidIn } from '../../evidence/corrections/in-statements.ts';
import type { RequestServices } from '../../services.ts';
import type { CbmProbe } from '../store.ts';
import { evaluateSeries } from './evaluation.ts';
import { recordTrend } from './record.ts';

/**
 * Stores the trends of all series of the school year of `now`, in which signals open and close. The correction is stored,
 * and the caller holds the lock of the student.
 */
export async function correctSeries(
  services: RequestServices,
  trx: Trx,
  student: StudentInScope,
  now: Date,
): Promise<void> {
  const asOf = localDate(now, student.timeZone);
  const year = await yearOfDay(services, trx, asOf, now);
  for (const { measureCode, formFamily, probeId } of await seriesOf(trx, student, year.from, asOf)) {
    const evaluated = await evaluateSeries(services, trx, { student, measureCode, formFamily, year, asOf }, now);
    const { organizationId, id: studentId } = student;
    const series = { organizationId, studentId, measureCode, formFamily, schoolYear: year.name, probeId };
    await recordTrend(trx, { ...series, byCorrection: true }, evaluated, now);
  }
}

/** Returns the series with their newest probe, by preference one that is not voided. A student has one for each grade. */
const seriesOf = (
  trx: Trx,
  { organizationId, id: studentId }: StudentInScope,
  from: string,
  to: string,
): Promise<(Pick<CbmProbe, 'measureCode' | 'formFamily'> & { readonly probeId: number })[]> =>
  rowsOf(
    trx,
    `select distinct on (p.measure_code, p.form_family) p.measure_code, p.form_family, p.id as probe_id
     from cbm_probe p
     where p.organization_id = :organizationId
       and p.student_id = any(${accountsIn({ organizationId: ':organizationId', studentId: ':studentId' })})
       and p.administered_on between :from::date and :to::date
     order by p.measure_code, p.form_family, ${probeVoidIn('p')} is null desc, p.administered_on desc, p.id desc`,
    { organizationId, studentId, from, to },
  );
