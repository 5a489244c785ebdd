// A teacher of the demo had the wrong child open: the reading of a child who did not read is voided.

import { startReading, stopAssessment, voidEvidence } from '#assessment/measurement/index.ts';
import { recomputeStudents } from '#assessment/skill-status/index.ts';
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { findStudent } from '#identity/people/index.ts';
import { asTeacher, type Classroom } from './classroom.ts';

/** Words that were read before the teacher noticed. */
const wordsRead = 12;

/** In the first class with a child who has not read aloud in the school year; an organization has one such void. */
export async function voidReading(classroom: Classroom): Promise<void> {
  const { services, organizationId } = classroom;
  const studentId = await asTeacher(classroom, async (trx) => {
    const unread = await childWithoutReading(trx, classroom);
    if (unread !== undefined) await readAndVoid(services, trx, classroom, unread);
    return unread;
  });
  if (studentId !== undefined) await recomputeStudents(services, organizationId, [studentId], 'evidence_corrected');
}

/** Returns undefined when the organization has a void. */
async function childWithoutReading(trx: Trx, { organizationId, classRow }: Classroom): Promise<number | undefined> {
  const [child] = await rowsOf<{ studentId: number }>(
    trx,
    `select e.student_id
     from enrollment e join class c on c.organization_id = e.organization_id and c.id = e.class_id
     where e.organization_id = :organizationId and e.class_id = :classId and e.enrolled_to is null
       and not exists (select from orf_assessment a where a.organization_id = e.organization_id
         and a.student_id = e.student_id and a.school_year = c.academic_year)
       and not exists (select from evidence_void v where v.organization_id = :organizationId)
     order by e.student_id limit 1`,
    { organizationId, classId: classRow.id },
  );
  return child?.studentId;
}

async function readAndVoid(
  services: Services,
  trx: Trx,
  { organizationId, teacherId, now }: Classroom,
  studentId: number,
): Promise<void> {
  const { row: student } = await findStudent(trx, studentId);
  const { assessment } = await startReading(services, trx, student, undefined, now);
  const stop = { reason: 'time_up', elapsedSeconds: 60, lastWordIndex: wordsRead } as const;
  await stopAssessment(services, trx, assessment.id, stop, now);
  const evidence = {
    kind: 'orf',
    refId: assessment.id,
    organizationId,
    studentId,
    endedAt: now.toISOString(),
  } as const;
  await voidEvidence({ services, trx, actor: { persona: 'TEACHER', userId: teacherId } }, evidence, 'wrong_student');
}
