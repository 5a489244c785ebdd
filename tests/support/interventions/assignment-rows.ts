// Inserts assignments for tests of their consequences.
import type { Db } from '#core/platform/db.ts';
import { newId } from '#core/platform/ids.ts';
import type { Student } from '../../assessment/skill-status/shell.ts';
import { buildUser } from '../../harness/factories.ts';

/** An active assignment of the bundle, for decoding. Returns its id. */
export async function insertAssignment(
  owner: Db,
  student: Student,
  bundleId: string,
  overrides: object = {},
): Promise<string> {
  const { organizationId } = student;
  const teacher = await buildUser(owner, 'TEACHER', { organizationId });
  const id = newId();
  await owner('bundle_assignment').insert({
    ...{ id, organizationId, studentId: student.id, classId: student.classRow.id, schoolYear: '2025-2026' },
    ...{ bundleId, catalogueVersion: 1, objectType: 'INTERVENTION_BUNDLE', state: 'active' },
    ...{ trackStatus: 'awaiting_first_session', scaffoldTier: 'Level_3', deliveryMode: 'teacher_led_small_group' },
    ...{ startOn: '2026-01-04', plannedWeeks: 8, sessionsPerWeek: 3, currentStepNo: 1, anchorRole: 'DECODE' },
    ...{ anchorSubSkillCode: 'DEC_WORD', sourceType: 'individual', providerUserId: teacher.id },
    ...{ activatedBy: teacher.id, activatedAt: '2026-01-04T08:00:00.000Z' },
    steps: JSON.stringify([{ stepNo: 1, sessionRole: 'EXPLICIT_TEACHING', plannedSessions: 4 }]),
    ...{ pauses: '[]', recommendation: '{}', facts: '{}', ruleVersions: '{}' },
    ...overrides,
  });
  return id;
}
