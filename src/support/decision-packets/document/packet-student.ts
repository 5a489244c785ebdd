// The names of a packet's student, class, school and organization, read when it is printed, because names change and are erased.

import type { Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { namesOnPaper } from '#identity/people/index.ts';

export interface PacketStudent {
  /** The name for staff on paper, distinct within the class; null once erased, or without a name. */
  readonly studentNameAr: string | null;
  /** The class of the open enrollment, else of the last one; null for a student who was never in a class. */
  readonly className: string | null;
  readonly schoolName: string | null;
  readonly organizationName: string;
}

export async function packetStudent(trx: Trx, organizationId: string, studentId: number): Promise<PacketStudent> {
  const [names, enrollmentContext] = await Promise.all([
    namesOnPaper(trx, organizationId, [studentId]),
    placeOf(trx, organizationId, studentId),
  ]);
  return { studentNameAr: names.get(studentId)?.staffNameAr || null, ...enrollmentContext };
}

type Place = Omit<PacketStudent, 'studentNameAr'>;

/** Returns one row, since each student has an organization. */
async function placeOf(trx: Trx, organizationId: string, studentId: number): Promise<Place> {
  const [row] = await rowsOf<Place>(
    trx,
    `select c.name as class_name, s.name as school_name, o.name as organization_name
     from organization o
     left join enrollment e on e.organization_id = :organizationId and e.student_id = :studentId
     left join class c on c.organization_id = :organizationId and c.id = e.class_id
     left join school s on s.organization_id = :organizationId and s.id = c.school_id
     where o.id = :organizationId
     order by e.enrolled_to is not null, e.id desc limit 1`,
    { organizationId, studentId },
  );
  if (!row) throw new Error(`organization ${organizationId} of a packet does not exist`);
  return row;
}
