// Who sees what is celebrated with a student: teachers and administrators in reach, and the student, who alone marks it.
import type { AppScope } from '#core/module/route.ts';
import { denied, notFound } from '#core/platform/errors.ts';
import { findStudent, findStudentInReach, type StudentInScope, teachersAndAdmins } from '#identity/people/index.ts';
import type { CelebrationRow } from '../ledger/rows.ts';

type Request = Parameters<AppScope<unknown>['resolve']>[0];

async function oneself({ trx, actor, params }: Request) {
  const student = await findStudent(trx, params.id);
  if (student.row.id !== actor.userId) throw denied();
  return student;
}

export const celebratedStudent: AppScope<StudentInScope> = {
  reach: 'S; self',
  resolve: (request) =>
    request.actor.persona === 'STUDENT'
      ? oneself(request)
      : findStudentInReach(request, request.params.id, teachersAndAdmins),
};

/** One that is not there is told before that it is somebody else's to mark. */
export const ownCelebration: AppScope<CelebrationRow> = {
  reach: 'S; self',
  resolve: async ({ trx, actor, params }) => {
    const { row, ...found } = await findStudent(trx, params.id);
    const { organizationId, id: studentId } = row;
    const celebration: CelebrationRow | undefined = await trx('reward_celebration')
      .where({ organizationId, studentId, id: params.celebrationId })
      .first();
    if (!celebration) throw notFound();
    if (studentId !== actor.userId) throw denied('Only the student marks it as seen.');
    return { ...found, row: celebration };
  },
};
