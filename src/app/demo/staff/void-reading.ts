// A teacher of the demo had the wrong child open: one reading is voided, and the right child reads again.

import { startReading, stopAssessment, voidEvidence } from '#assessment/measurement/index.ts';
import { recomputeStudents } from '#assessment/skill-status/index.ts';
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { findStudent } from '#identity/people/index.ts';
import { asTeacher, type Classroom } from './classroom.ts';

interface ReadingOfDemo {
  readonly refId: string;
  readonly studentId: number;
  readonly endedAt: string;
  readonly lastWordIndex: number;
}

/** In the first class with a reading of the last days; an organization has one such void. */
export async function voidReading(classroom: Classroom): Promise<void> {
  const { services, organizationId } = classroom;
  const studentId = await asTeacher(classroom, async (trx) => {
    const reading = await newestReading(trx, classroom);
    return reading && voidAndReadAgain(services, trx, classroom, reading);
  });
  if (studentId !== undefined) await recomputeStudents(services, organizationId, [studentId], 'evidence_corrected');
}

/** Returns undefined when the organization has a void. */
async function newestReading(
  trx: Trx,
  { organizationId, classRow, now }: Classroom,
): Promise<ReadingOfDemo | undefined> {
  const [reading] = await rowsOf<ReadingOfDemo>(
    trx,
    `select a.id as ref_id, a.student_id, a.stopped_at as ended_at, a.last_word_index
     from enrollment e join orf_assessment a on a.organization_id = e.organization_id and a.student_id = e.student_id
     where e.organization_id = :organizationId and e.class_id = :classId and e.enrolled_to is null
       and a.status = 'SCORED' and a.last_word_index > 1 and a.stopped_at > :now::timestamptz - interval '7 days'
       and not exists (select from evidence_void v where v.organization_id = :organizationId)
     order by a.stopped_at desc, a.student_id limit 1`,
    { organizationId, classId: classRow.id, now: now.toISOString() },
  );
  return reading;
}

/** The child who had read was the better reader. */
async function voidAndReadAgain(
  services: Services,
  trx: Trx,
  { organizationId, teacherId, now }: Classroom,
  { refId, studentId, endedAt, lastWordIndex }: ReadingOfDemo,
): Promise<number> {
  const actor = { persona: 'TEACHER', userId: teacherId } as const;
  const evidence = { kind: 'orf', refId, organizationId, studentId, endedAt } as const;
  await voidEvidence({ services, trx, actor }, evidence, 'wrong_student');
  const { row: student } = await findStudent(trx, studentId);
  const { assessment } = await startReading(services, trx, student, undefined, now);
  const stop = { reason: 'time_up', elapsedSeconds: 60, lastWordIndex: Math.floor(lastWordIndex / 2) } as const;
  await stopAssessment(services, trx, assessment.id, stop, now);
  return studentId;
}
