// Schools that can be rolled over, and roll-overs.
import type { Db } from '#core/platform/db.ts';
import { buildClass, buildSchool, buildStudent, type SchoolRow } from '../../harness/factories.ts';
import type { Tenant } from '../../harness/world.ts';

/** A school with a class of 2024-2025 and a student in it; the clock of the tests is in 2025-2026. */
export async function schoolOfLastYear(owner: Db, organizationId: string): Promise<SchoolRow> {
  const school = await buildSchool(owner, { organizationId });
  const old = await buildClass(owner, { organizationId, schoolId: school.id, academicYear: '2024-2025' });
  await buildStudent(owner, old);
  return school;
}

/** The row of a roll-over that has moved nobody. */
export async function rollOver(owner: Db, { organizationId, school, people }: Tenant): Promise<number> {
  const [row] = await owner('school_roll_over')
    .insert({
      ...{ organizationId, schoolId: school.id, fromYear: '2024-2025', toYear: '2025-2026' },
      ...{ rolledAt: new Date('2025-08-31T06:00:00.000Z'), rolledBy: people.ADMIN.id },
    })
    .returning('id');
  return row.id;
}
