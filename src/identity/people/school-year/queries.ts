// The school year of a school as its page shows it.
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { type School, SchoolRollOver } from '../records/organizations.ts';
import { todayAtSchool } from './years.ts';

/** Returns the number of students between classes, and the newest roll-over. */
export async function schoolYearState(services: Services, trx: Trx, school: School, now: Date) {
  const { id: schoolId, organizationId } = school;
  const { schoolYear } = await todayAtSchool(services, trx, school, now);
  const newest = SchoolRollOver.query(trx).where({ organizationId, schoolId }).orderBy('id', 'desc').first();
  const [betweenClasses, lastRollOver] = await Promise.all([
    countBetween(trx, { organizationId, schoolId, schoolYear }),
    newest,
  ]);
  return { betweenClasses, lastRollOver: lastRollOver ?? null };
}

interface SchoolInYear {
  readonly organizationId: string;
  readonly schoolId: string;
  readonly schoolYear: string;
}

/** An archived class has no students. */
async function countBetween(trx: Trx, school: SchoolInYear): Promise<number> {
  const [row] = await rowsOf<{ count: number }>(
    trx,
    `select count(*)::integer as count from class c
     join enrollment e on e.organization_id = c.organization_id and e.class_id = c.id and e.enrolled_to is null
     where c.organization_id = :organizationId and c.school_id = :schoolId and c.archived_at is null
       and c.academic_year <> :schoolYear`,
    { ...school },
  );
  return row?.count ?? 0;
}
