// Whose packet it is, in words that people at a meeting know: read when it is printed, since names change and are erased.

import type { Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { namesOnPaper } from '#identity/people/index.ts';

export interface Whose {
  /** As staff read it on paper, told apart from others of the class; null once erased, or where there is none. */
  readonly studentNameAr: string | null;
  /** Of the open enrollment, else of the last one; null for a student who was never in a class. */
  readonly className: string | null;
  readonly schoolName: string | null;
}

export async function whosePacket(trx: Trx, organizationId: string, studentId: number): Promise<Whose> {
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
): Promise<Pick<Whose, 'className' | 'schoolName'>> {
  const [row] = await rowsOf<Pick<Whose, 'className' | 'schoolName'>>(
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
