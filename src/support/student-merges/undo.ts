// Undoes a merge of two accounts within its time. Evidence that was taken meanwhile stays where it was taken.

import { correctSeries, evidenceCorrected, momentOfCorrection } from '#assessment/measurement/index.ts';
import { appendEvents, newEvent } from '#core/module/events.ts';
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { conflict, notFound } from '#core/platform/errors.ts';
import {
  findStudent,
  lockPair,
  mergedRefusal,
  StudentMerge,
  separateAccounts,
  undoUntil,
} from '#identity/people/index.ts';

/**
 * Throws NOT_FOUND when one of the students was erased, and CONFLICT `undone`, `too_late`, or `merged` while the account that
 * the other was merged into is merged itself.
 */
export async function unmergeStudents(
  trx: Trx,
  services: Services,
  { organizationId, id, studentId, intoStudentId }: StudentMerge,
  byUserId: number,
): Promise<StudentMerge> {
  const pair = await lockPair(trx, { organizationId, studentId, intoStudentId });
  const row = await StudentMerge.query(trx).findOne({ organizationId, id });
  if (!row) throw notFound();
  const now = services.clock.now();
  if (row.undoneAt !== null) throw conflict('undone', 'This merge was undone before.');
  if (now > undoUntil(row)) throw conflict('too_late', 'This merge can no longer be undone.');
  if (pair.into.status === 'merged') throw mergedRefusal();
  await separateAccounts(trx, pair, row.moved, now);
  const at = await momentOfCorrection(trx, services, organizationId, [studentId, intoStudentId]);
  const undone = { undoneAt: at.toISOString(), undoneByUserId: byUserId };
  await StudentMerge.query(trx).findOne({ organizationId, id }).patch(undone);
  for (const one of [studentId, intoStudentId]) {
    const { row: student } = await findStudent(trx, one);
    await correctSeries(services, trx, student, at);
  }
  const corrected = [studentId, intoStudentId].map((one) =>
    newEvent(evidenceCorrected, organizationId, { studentId: one, correction: 'merge_undone', correctionId: id }),
  );
  await appendEvents(trx, at, corrected);
  return Object.assign(row, undone);
}
