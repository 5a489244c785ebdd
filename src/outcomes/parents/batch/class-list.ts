// Reads the students and the time zone of a class.
import type { Trx } from '#core/platform/db.ts';

interface ClassKey {
  readonly organizationId: string;
  readonly classId: number;
}

/** Returns the students enrolled today, in the order of their ids. */
export async function studentsOfClass(trx: Trx, { organizationId, classId }: ClassKey): Promise<number[]> {
  const rows: { studentId: number }[] = await trx('enrollment as e')
    .join('app_user as u', (on) => on.on('u.organizationId', 'e.organizationId').andOn('u.id', 'e.studentId'))
    .where({ 'e.organizationId': organizationId, 'e.classId': classId })
    .whereNull('e.enrolledTo')
    .whereNot('u.status', 'deleted')
    .orderBy('e.studentId')
    .select({ studentId: 'e.studentId' });
  return rows.map(({ studentId }) => studentId);
}

/**
 * Returns the IANA time zone of the school, else of the organization. Throws RangeError when the class does not exist.
 */
export async function timeZoneOf(trx: Trx, { organizationId, classId }: ClassKey): Promise<string> {
  const found: { timeZone: string } | undefined = await trx('class as c')
    .join('organization as o', 'o.id', 'c.organizationId')
    .join('school as s', (on) => on.on('s.organizationId', 'c.organizationId').andOn('s.id', 'c.schoolId'))
    .where({ 'c.organizationId': organizationId, 'c.id': classId })
    .first({ timeZone: trx.raw('coalesce(s.time_zone, o.time_zone)') });
  if (!found) throw new RangeError('the class does not exist');
  return found.timeZone;
}
