// Scopes of celebrations: teachers and administrators in reach may read them, the student may read and mark them.

import type { AppScope } from '#core/module/route.ts';
import { denied, notFound } from '#core/platform/errors.ts';
import {
  findStudent,
  findStudentInReach,
  type StudentInScope,
  studentWriteErrors,
  teachersAndAdmins,
} from '#identity/people/index.ts';
import { RewardCelebration } from '../ledger/models.ts';
import type { CelebrationRow } from '../ledger/rows.ts';

type Request = Parameters<AppScope<unknown>['resolve']>[0];

async function ownStudent({ trx, actor, params }: Request) {
  const student = await findStudent(trx, params.id);
  if (student.row.id !== actor.userId) throw denied();
  return student;
}

export const celebratedStudent: AppScope<StudentInScope> = {
  reach: 'S; self',
  resolve: (request) =>
    request.actor.persona === 'STUDENT'
      ? ownStudent(request)
      : findStudentInReach(request, request.params.id, teachersAndAdmins),
};

/** Throws NOT_FOUND for a missing celebration before PERMISSION_DENIED for another student's. */
export const ownCelebration: AppScope<CelebrationRow> = {
  reach: 'S; self',
  writeErrors: studentWriteErrors,
  resolve: async ({ trx, actor, params }) => {
    const { row, ...found } = await findStudent(trx, params.id);
    const { organizationId, id: studentId } = row;
    const celebration: CelebrationRow | undefined = await RewardCelebration.query(trx)
      .where({ organizationId, studentId, id: params.celebrationId })
      .first();
    if (!celebration) throw notFound();
    if (studentId !== actor.userId) throw denied('Only the student marks it as seen.');
    return { ...found, row: celebration };
  },
};
