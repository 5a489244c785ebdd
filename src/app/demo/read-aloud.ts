// A simulated child reads aloud to the teacher, through the same functions as a real child.
import { lastWordOf } from '#assessment/content/index.ts';
import { markWords, startReading, stopAssessment } from '#assessment/measurement/index.ts';
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { findStudent } from '#identity/people/index.ts';
import { readAloud } from './engine/reader.ts';
import type { DemoSitting } from './take-diagnostic.ts';

/** Reads from start to stop; the clock of `services` is fixed in the past. */
export async function readToTeacher(services: Services, trx: Trx, input: DemoSitting): Promise<void> {
  const { studentId, grade, child, visit } = input;
  const { row: student } = await findStudent(trx, studentId);
  const { assessment, passage } = await startReading(services, trx, student, undefined, visit.startsAt);
  const read = readAloud(child, grade, lastWordOf(passage) + 1, visit.practised);
  const { missed, ...stop } = read;
  const stoppedAt = new Date(visit.startsAt.getTime() + 1000 * stop.elapsedSeconds);
  const marks = missed.map((wordIndex) => ({ wordIndex, mark: 'incorrect' as const }));
  if (marks.length > 0) await markWords(services, trx, assessment.id, marks, stoppedAt);
  await stopAssessment(services, trx, assessment.id, stop, stoppedAt);
}
