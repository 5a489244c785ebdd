// The class as its list has it.
import type { Trx } from '#core/platform/db.ts';

interface Place {
  readonly organizationId: string;
  readonly classId: number;
}

/** Who is in it today, in the order of the class list. */
export async function studentsOfClass(trx: Trx, { organizationId, classId }: Place): Promise<number[]> {
  const rows: { studentId: number }[] = await trx('enrollment as e')
    .join('app_user as u', (on) => on.on('u.organizationId', 'e.organizationId').andOn('u.id', 'e.studentId'))
    .where({ 'e.organizationId': organizationId, 'e.classId': classId })
    .whereNull('e.enrolledTo')
    .whereNot('u.status', 'deleted')
    .orderBy('e.studentId')
    .select({ studentId: 'e.studentId' });
  return rows.map(({ studentId }) => studentId);
}

/** IANA name: of its school, else of the organization. */
export async function timeZoneOf(trx: Trx, { organizationId, classId }: Place): Promise<string> {
  const found: { timeZone: string } | undefined = await trx('class as c')
    .join('organization as o', 'o.id', 'c.organizationId')
    .join('school as s', (on) => on.on('s.organizationId', 'c.organizationId').andOn('s.id', 'c.schoolId'))
    .where({ 'c.organizationId': organizationId, 'c.id': classId })
    .first({ timeZone: trx.raw('coalesce(s.time_zone, o.time_zone)') });
  if (!found) throw new RangeError('the class is gone');
  return found.timeZone;
}
