// Reads the context of a class for its report: names, teachers and time zone.
import type { Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';

export interface ClassContext {
  readonly id: number;
  readonly organizationId: string;
  readonly name: string;
  readonly grade: number;
  readonly academicYear: string;
  readonly organizationName: string;
  readonly schoolName: string;
  /** IANA name. */
  readonly timeZone: string;
  /** In the order of roles, the first teacher first. */
  readonly teachers: readonly string[];
}

/** Throws RangeError when the class does not exist. */
export async function readClassContext(trx: Trx, organizationId: string, classId: number): Promise<ClassContext> {
  const [classContext] = await rowsOf<ClassContext>(
    trx,
    `select c.id, c.organization_id, c.name, c.grade, c.academic_year, s.name as school_name, o.name as organization_name,
       coalesce(s.time_zone, o.time_zone) as time_zone,
       array(select u.full_name_ar from class_teacher t
         join app_user u on u.organization_id = t.organization_id and u.id = t.teacher_user_id
         where t.organization_id = c.organization_id and t.class_id = c.id
           and u.status <> 'deleted' and u.full_name_ar is not null
         order by t.role, t.position) as teachers
     from class c
     join school s on s.organization_id = c.organization_id and s.id = c.school_id
     join organization o on o.id = c.organization_id
     where c.organization_id = :organizationId and c.id = :classId`,
    { organizationId, classId },
  );
  if (!classContext) throw new RangeError('the class does not exist');
  return classContext;
}
