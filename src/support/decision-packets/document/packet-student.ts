// The names of a packet's student, class and school, read when it is printed, because names change and are erased.

import type { Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { namesOnPaper } from '#identity/people/index.ts';

export interface PacketStudent {
  /** The name for staff on paper, distinct within the class; null once erased, or without a name. */
  readonly studentNameAr: string | null;
  /** The class of the open enrollment, else of the last one; null for a student who was never in a class. */
  readonly className: string | null;
  readonly schoolName: string | null;
}

export async function packetStudent(trx: Trx, organizationId: string, studentId: number): Promise<PacketStudent> {
  const [names, place] = await Promise.all([
    namesOnPaper(trx, organizationId, [studentId]),
    placeOf(trx, organizationId, studentId),
  ]);
  return { studentNameAr: names.get(studentId)?.staffNameAr || null, ...place };
}

async function placeOf(
  trx: Trx,
  organizationId: string,
  studentId: number,
): Promise<Pick<PacketStudent, 'className' | 'schoolName'>> {
  const [row] = await rowsOf<Pick<PacketStudent, 'className' | 'schoolName'>>(
    trx,
    `select c.name as class_name, s.name as school_name from enrollment e
     join class c on c.organization_id = :organizationId and c.id = e.class_id
     join school s on s.organization_id = :organizationId and s.id = c.school_id
     where e.organization_id = :organizationId and e.student_id = :studentId
     order by e.enrolled_to is not null, e.id desc limit 1`,
    { organizationId, studentId },
  );
  return row ?? { className: null, schoolName: null };
}
