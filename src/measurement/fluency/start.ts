// Starting an oral reading: which passage, and what it will be held against.
import type { Trx } from '../../platform/db.ts';
import { conflict, invalid } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import type { StudentInScope } from '../../tenancy/index.ts';
import { windowAt } from '../diagnostics/start.ts';
import type { RequestServices } from '../services.ts';
import { benchmarkFor } from './benchmarks.ts';
import type { Passage, PassageBook } from './engine/passage.ts';
import { activeFluency } from './rules.ts';
import { OrfAssessment } from './store.ts';

export interface StartedReading {
  readonly assessment: OrfAssessment;
  readonly passage: Passage;
}

type Enrolled = StudentInScope & { readonly grade: number };

/** CONFLICT `no_grade` for a student without a class. */
export function requireGrade(student: StudentInScope): Enrolled {
  if (student.grade === null) throw conflict('no_grade', 'The student is in no class.');
  return { ...student, grade: student.grade };
}

/** One student's readings and probes happen one after the other. */
export async function lockStudent(trx: Trx, { id }: StudentInScope): Promise<void> {
  await trx('app_user').where({ id }).forNoKeyUpdate().select('id');
}

/**
 * A reading that is still open is abandoned. Without `passageId`, the passage that the student has met least.
 * VALIDATION_ERROR for a passage that is unknown or of another grade.
 */
export async function startReading(
  services: RequestServices,
  trx: Trx,
  student: Enrolled,
  passageId: string | undefined,
  now: Date,
): Promise<StartedReading> {
  const rules = await activeFluency(services, trx, now);
  const book = await services.passages.current();
  await lockStudent(trx, student);
  const passage =
    passageId === undefined ? await leastUsed(trx, student, book) : namedPassage(book, passageId, student.grade);
  await OrfAssessment.query(trx).where({ studentId: student.id, status: 'OPEN' }).patch({ status: 'ABANDONED' });
  const window = windowAt(student, rules, now);
  const benchmark = await benchmarkFor(trx, rules.bundle, student, { grade: student.grade, season: window.season });
  const assessment = await OrfAssessment.query(trx).insertAndFetch({
    id: newId(),
    organizationId: student.organizationId,
    studentId: student.id,
    status: 'OPEN',
    grade: student.grade,
    ...window,
    passageId: passage.passageId,
    passagesVersion: book.version,
    benchmarkKey: benchmark.key,
    benchmarkVersion: benchmark.version,
    startedAt: now.toISOString(),
  });
  return { assessment, passage };
}

/** VALIDATION_ERROR on `passageId` for one that is unknown or of another grade. */
export function namedPassage(book: PassageBook, passageId: string, grade: number): Passage {
  const passage = book.find(passageId);
  if (!passage) throw invalid('passageId', 'is unknown');
  if (passage.grade !== grade) throw invalid('passageId', 'is not of the student’s grade');
  return passage;
}

/** A passage is used by every reading of it, finished or not, and by every probe from paper. */
async function leastUsed(trx: Trx, { id: studentId, grade }: Enrolled, book: PassageBook): Promise<Passage> {
  const rows: { passageId: string; uses: number }[] = await trx
    .unionAll([
      trx('orf_assessment').where({ studentId }).select('passageId'),
      trx('cbm_probe').where({ studentId }).whereNull('orfAssessmentId').select('passageId'),
    ])
    .then((used) => used);
  const uses = (passageId: string) => rows.filter((row) => row.passageId === passageId).length;
  const [first, ...others] = book.ofGrade(grade);
  if (!first) throw invalid('studentId', 'is of a grade without passages');
  return others.reduce((least, passage) => (uses(passage.passageId) < uses(least.passageId) ? passage : least), first);
}
