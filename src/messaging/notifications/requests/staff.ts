// The people of a school who can be told about a student at this moment: all of them may sign in.
import type { Trx } from '#core/platform/db.ts';
import { grouped } from '#core/platform/pure/lists/grouped.ts';
import { rowsOf } from '#core/platform/sql.ts';

export interface AdminOfOrganization {
  readonly id: number;
  readonly seats: readonly string[];
}

/** Ids of users, but administrators with their seats. */
export interface StaffOfStudent {
  /** Of the present class. */
  readonly teachers: readonly number[];
  /** Of the school of that class. */
  readonly principals: readonly number[];
  /** Of the organization. */
  readonly admins: readonly AdminOfOrganization[];
}

/** The number of statements does not depend on the number of students. */
export async function staffOfStudents(
  trx: Trx,
  organizationId: string,
  studentIds: readonly number[],
): Promise<(studentId: number) => StaffOfStudent> {
  const asked = { organizationId, studentIds: [...new Set(studentIds)] };
  const people = await rowsOf<{ studentId: number; userId: number; role: 'teachers' | 'principals' }>(
    trx,
    `select e.student_id, u.id as user_id, s.role
     from enrollment e
     join class c on c.organization_id = e.organization_id and c.id = e.class_id
     cross join lateral (
       select t.teacher_user_id as user_id, 'teachers' as role from class_teacher t
       where t.organization_id = c.organization_id and t.class_id = c.id
       union all
       select p.principal_user_id, 'principals' from principal_school p
       where p.organization_id = c.organization_id and p.school_id = c.school_id) s
     join app_user u on u.organization_id = e.organization_id and u.id = s.user_id and u.status = 'active'
     where e.organization_id = :organizationId and e.student_id = any(:studentIds::bigint[]) and e.enrolled_to is null
     order by u.id`,
    asked,
  );
  const admins = await rowsOf<AdminOfOrganization>(
    trx,
    `select id, seats from app_user where organization_id = :organizationId and primary_persona = 'ADMIN'
       and status = 'active' order by id`,
    { organizationId },
  );
  const of = grouped(people, ({ studentId }) => studentId);
  return (studentId) => {
    const own = of.get(studentId) ?? [];
    const idsOf = (role: string) => own.filter((one) => one.role === role).map(({ userId }) => userId);
    return { teachers: idsOf('teachers'), principals: idsOf('principals'), admins };
  };
}

/** The first of these groups that has a member. */
export const firstPresent = (...groups: readonly (readonly number[])[]): readonly number[] =>
  groups.find(({ length }) => length > 0) ?? [];

/** Ids of the schools with a principal who may sign in. */
export async function schoolsWithPrincipals(trx: Trx, organizationId: string): Promise<ReadonlySet<string>> {
  const rows = await rowsOf<{ schoolId: string }>(
    trx,
    `select distinct p.school_id from principal_school p
     join app_user u on u.organization_id = p.organization_id and u.id = p.principal_user_id and u.status = 'active'
     where p.organization_id = :organizationId`,
    { organizationId },
  );
  return new Set(rows.map(({ schoolId }) => schoolId));
}

/** Those of these users who may sign in to the organization. */
export async function activeAccounts(
  trx: Trx,
  organizationId: string,
  userIds: readonly number[],
): Promise<ReadonlySet<number>> {
  const rows = await rowsOf<{ id: number }>(
    trx,
    `select id from app_user where organization_id = :organizationId and id = any(:userIds::bigint[])
       and status = 'active'`,
    { organizationId, userIds: [...new Set(userIds)] },
  );
  return new Set(rows.map(({ id }) => id));
}
