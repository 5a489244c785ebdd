// The students of a scope, by their present class, in the order of their ids.
import type { Trx } from '#core/platform/db.ts';
import { notFound } from '#core/platform/errors.ts';
import { rowsOf } from '#core/platform/sql.ts';
import {
  classHistoryOf,
  lastGradeAt,
  Organization,
  School,
  SchoolClass,
  type WithClassHistory,
} from '#identity/people/index.ts';
import type { YearStart } from '#rules/catalogue/index.ts';
import type { ImpactScope, OrganizationJob } from './input.ts';

export interface ScopedStudent {
  readonly studentId: number;
  /** Null for a student of no class. */
  readonly schoolId: string | null;
  /** Between classes the grade of the last one; null for a student who never was in a class. */
  readonly grade: number | null;
  /** IANA name of the school's time zone, else of the organization's. */
  readonly timeZone: string;
}

/** Returns the organization of a scope, null for the whole platform. Throws NOT_FOUND for an unknown scope. */
export async function organizationOfScope(trx: Trx, scope: ImpactScope): Promise<string | null> {
  if ('platform' in scope) return null;
  const row: { organizationId: string } | undefined = await ('organizationId' in scope
    ? Organization.query(trx)
        .where({ id: scope.organizationId })
        .select('id as organizationId')
        .first()
        .castTo<{ organizationId: string } | undefined>()
    : 'schoolId' in scope
      ? School.query(trx).where({ id: scope.schoolId }).select('organizationId').first()
      : SchoolClass.query(trx).where({ id: scope.classId }).select('organizationId').first());
  if (!row) throw notFound();
  return row.organizationId;
}

const inScope = `
  from app_user u
  join organization o on o.id = u.organization_id
  left join enrollment e on e.organization_id = u.organization_id and e.student_id = u.id and e.enrolled_to is null
  left join class c on c.organization_id = u.organization_id and c.id = e.class_id
  left join school s on s.organization_id = u.organization_id and s.id = c.school_id
  where u.organization_id = :organizationId and u.primary_persona = 'STUDENT' and u.status not in ('merged', 'deleted')
    and (:schoolId::text is null or c.school_id = :schoolId) and (:classId::bigint is null or c.id = :classId)`;

const bindingsOf = ({ organizationId, input: { scope } }: OrganizationJob) => ({
  organizationId,
  schoolId: 'schoolId' in scope ? scope.schoolId : null,
  classId: 'classId' in scope ? scope.classId : null,
});

/** Returns the next organization by id, leaving out demos. The context is SUPER. */
export async function nextOrganization(trx: Trx, after: string): Promise<string | undefined> {
  const row: { id: string } | undefined = await Organization.query(trx)
    .where({ isDemo: false })
    .where('id', '>', after)
    .orderBy('id')
    .select('id')
    .first();
  return row?.id;
}

/** Counts the students of every organization but demos. The context is SUPER. */
export async function countAllStudents(trx: Trx): Promise<number> {
  const [row] = await rowsOf<{ count: number }>(
    trx,
    `select count(*) as count from app_user u join organization o on o.id = u.organization_id and not o.is_demo
     where u.primary_persona = 'STUDENT' and u.status not in ('merged', 'deleted')`,
    {},
  );
  return row?.count ?? 0;
}

export async function countStudents(trx: Trx, job: OrganizationJob): Promise<number> {
  const [row] = await rowsOf<{ count: number }>(trx, `select count(*) as count ${inScope}`, bindingsOf(job));
  return row?.count ?? 0;
}

/** `moment`: the first day of every school year, and the time of the read. */
export async function nextStudents(
  trx: Trx,
  job: OrganizationJob,
  moment: { readonly yearStart: YearStart; readonly now: Date },
  afterId: number,
  limit: number,
): Promise<ScopedStudent[]> {
  const rows = await rowsOf<Omit<ScopedStudent, 'grade'> & WithClassHistory>(
    trx,
    `select u.id as student_id, c.school_id, ${classHistoryOf('u.organization_id', 'u.id')} as class_history, coalesce(s.time_zone, o.time_zone) as time_zone ${inScope}
       and u.id > :afterId order by u.id limit :limit`,
    { ...bindingsOf(job), afterId, limit },
  );
  return rows.map(({ classHistory, ...row }) => ({
    ...row,
    grade: lastGradeAt({ classHistory, timeZone: row.timeZone }, moment.yearStart, moment.now),
  }));
}
