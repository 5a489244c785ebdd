// Merges two accounts of one child with SQL, because the demo allows no merge.
import { buildStudent, type ClassRow } from '../../harness/factories.ts';
import type { TestApp } from '../../harness/http.ts';

/** Returns the id of the merge of two new students of the class. */
export async function mergedAccount({ database: { owner }, clock }: TestApp, classRow: ClassRow): Promise<number> {
  const [from, into] = [await buildStudent(owner, classRow), await buildStudent(owner, classRow)];
  await owner('enrollment')
    .where({ studentId: from.id })
    .update({ enrolledTo: clock.now().toISOString().slice(0, 10) });
  await owner('app_user').where({ id: from.id }).update({ status: 'merged', mergedIntoId: into.id });
  const moved = { parentLinks: 0, identities: 0, droppedLinks: [], classId: classRow.id };
  const [row] = await owner('student_merge')
    .insert({
      ...{ organizationId: classRow.organizationId, studentId: from.id, intoStudentId: into.id },
      ...{ reasonCode: 'duplicate_account', at: clock.now(), byUserId: into.id, moved: JSON.stringify(moved) },
    })
    .returning('id');
  return row.id;
}
