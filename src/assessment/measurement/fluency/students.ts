// Loads the student whom the body of a write names: checks reach and enters the student's organization.
import type { Actor } from '#core/http/route.ts';
import type { Trx } from '#core/platform/db.ts';
import {
  enterOrganization,
  findStudentInReach,
  requireWritable,
  type StudentInScope,
  staff,
} from '#identity/people/index.ts';

/** Throws the errors of an id in the path: NOT_FOUND, PERMISSION_DENIED, DEMO_READ_ONLY, and CONFLICT `merged`. */
export async function requireStudentForWrite(
  caller: { readonly trx: Trx; readonly actor: Actor },
  studentId: number,
): Promise<StudentInScope> {
  const { row: student } = await requireWritable(findStudentInReach(caller, studentId, staff));
  await enterOrganization(caller, student.organizationId);
  return student;
}
