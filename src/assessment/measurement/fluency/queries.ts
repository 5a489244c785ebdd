// Queries of oral reading: the trend of a student, raw signals in reach.
import type { Knex } from 'knex';
import { defaultLimit, keyInCursor, type Page, type PageQuery, pageOf } from '#core/http/pages.ts';
import type { Actor } from '#core/http/route.ts';
import type { Trx } from '#core/platform/db.ts';
import { localDate } from '#core/platform/pure/dates/calendar.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { lastGrade, noGrade, type StudentInScope, studentOfAccount } from '#identity/people/index.ts';
import { yearOfDay } from '#rules/catalogue/index.ts';
import { accountsIn, probeVoidIn } from '../evidence/corrections/in-statements.ts';
import type { RequestServices } from '../services.ts';
import type { MeasureCode } from './engine/benchmark.ts';
import { formFamilyOf } from './plausibility.ts';
import { presentCbmAlert } from './present.ts';
import { CbmAlert } from './store.ts';
import { type EvaluatedSeries, evaluateSeries } from './trend/evaluation.ts';

/**
 * Returns the student's newest series in the school year of `asOf`; without probes, the empty one of the grade by
 * which the student is read.
 * Throws CONFLICT `no_grade` when the student has neither.
 */
export async function trendOf(
  services: RequestServices,
  trx: Trx,
  student: StudentInScope,
  input: { readonly measureCode: MeasureCode; readonly asOf?: string },
  now: Date,
): Promise<EvaluatedSeries> {
  const asOf = input.asOf ?? localDate(now, student.timeZone);
  const year = await yearOfDay(services, trx, asOf, now);
  const { organizationId, id: studentId } = student;
  const { measureCode } = input;
  const [newest] = await rowsOf<{ formFamily: string }>(
    trx,
    `select p.form_family from cbm_probe p
     where p.organization_id = :organizationId and p.student_id = any(${accountsOfStudent})
       and p.measure_code = :measureCode and p.administered_on between :from::date and :asOf::date
     order by p.administered_on desc, p.id desc limit 1`,
    { organizationId, studentId, measureCode, from: year.from, asOf },
  );
  const formFamily = newest?.formFamily ?? (await emptyFamily(services, trx, student, now));
  return evaluateSeries(services, trx, { measureCode, year, student, formFamily, asOf }, now);
}

const accountsOfStudent = accountsIn({ organizationId: ':organizationId', studentId: ':studentId' });

/** Returns the family of the grade by which the student is read today. */
async function emptyFamily(services: RequestServices, trx: Trx, student: StudentInScope, now: Date): Promise<string> {
  const { name } = await yearOfDay(services, trx, localDate(now, student.timeZone), now);
  const grade = lastGrade(student, name);
  if (grade === null) throw noGrade();
  return formFamilyOf(grade);
}

/** Returns the local date of each student's newest probe of any passage that is not voided, in one query. */
export async function newestProbes(
  trx: Trx,
  organizationId: string,
  measureCode: MeasureCode,
  studentIds: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const rows = await rowsOf<{ studentId: number; probedOn: string }>(
    trx,
    `select t.student_id, max(p.administered_on) as probed_on from unnest(:studentIds::bigint[]) as t (student_id)
     join cbm_probe p on p.organization_id = :organizationId and p.measure_code = :measureCode
       and p.student_id = any(${accountsIn({ organizationId: ':organizationId', studentId: 't.student_id' })})
     where ${probeVoidIn('p')} is null
     group by t.student_id`,
    { organizationId, measureCode, studentIds },
  );
  return new Map(rows.map(({ studentId, probedOn }) => [studentId, probedOn]));
}

export interface AlertFilter extends PageQuery {
  readonly classId?: number;
  readonly studentId?: number;
  readonly status?: 'open' | 'closed';
}

/** Lists alerts of students in the caller's reach today, newest first. Ids out of reach find nothing. */
export async function listCbmAlerts(
  trx: Trx,
  actor: Actor,
  { classId, studentId, status, limit = defaultLimit, cursor }: AlertFilter,
): Promise<Page<ReturnType<typeof presentCbmAlert>>> {
  const query = CbmAlert.query(trx)
    .orderBy([
      { column: 'openedAt', order: 'desc' },
      { column: 'id', order: 'desc' },
    ])
    .limit(limit + 1);
  const after = keyInCursor(cursor, ['instant', 'string']);
  if (after) query.whereRaw('(opened_at, id) < (?::timestamptz, ?)', [String(after[0]), String(after[1])]);
  if (studentId !== undefined) query.where('studentId', studentOfAccount(trx, actor.organizationId, studentId));
  if (classId !== undefined) query.whereIn('studentId', enrolled(trx).where({ 'e.classId': classId }));
  if (status === 'open') query.whereNull('closedAt');
  if (status === 'closed') query.whereNotNull('closedAt');
  const reached = studentsInReach(trx, actor);
  if (reached) query.whereIn('studentId', reached);
  return pageOf(await query, limit, ({ openedAt, id }) => [openedAt, id], presentCbmAlert);
}

const enrolled = (trx: Trx): Knex.QueryBuilder =>
  trx('enrollment as e').whereNull('e.enrolledTo').select('e.studentId');

/** Returns the students in reach; undefined for all that the transaction can see. */
function studentsInReach(trx: Trx, { persona, userId }: Actor): Knex.QueryBuilder | undefined {
  if (persona === 'ADMIN') return undefined;
  if (persona === 'TEACHER') {
    return enrolled(trx).join('class_teacher as t', 't.classId', 'e.classId').where({ 't.teacherUserId': userId });
  }
  return enrolled(trx)
    .join('class as c', 'c.id', 'e.classId')
    .join('principal_school as p', 'p.schoolId', 'c.schoolId')
    .where({ 'p.principalUserId': userId });
}
