// Starts an oral reading: selects the passage and pins the benchmark.

import type { Trx } from '#core/platform/db.ts';
import { unavailable } from '#core/platform/errors.ts';
import { newId } from '#core/platform/ids.ts';
import { currentGrade, lockWritableStudents, noGrade, type StudentInScope } from '#identity/people/index.ts';
import { windowAt } from '#rules/catalogue/index.ts';
import type { Passage, PassageBook } from '../../content/index.ts';
import { namedPassage } from '../../content/index.ts';
import { loadCorrections } from '../evidence/corrections/load.ts';
import { present } from '../evidence/engine/corrections.ts';
import type { RequestServices } from '../services.ts';
import { benchmarkFor } from './benchmarks.ts';
import { activeFluency } from './rules.ts';
import { CbmProbe, OrfAssessment } from './store.ts';

export interface StartedReading {
  readonly assessment: OrfAssessment;
  readonly passage: Passage;
}

/**
 * Starts a reading and abandons an open one. Without `passageId` the passage that the student has read least is used.
 * Throws VALIDATION_ERROR for a passage that is unknown or of another grade, CONFLICT `no_grade` for a student without
 * a class of this school year.
 */
export async function startReading(
  services: RequestServices,
  trx: Trx,
  student: StudentInScope,
  passageId: string | undefined,
  now: Date,
): Promise<StartedReading> {
  const rules = await activeFluency(services, trx, now);
  const book = await services.passages.current();
  const window = windowAt(student, rules, now);
  const grade = currentGrade(student, window.schoolYear);
  const named = passageId === undefined ? undefined : namedPassage(book, passageId, grade);
  if (grade === null) throw noGrade();
  await lockWritableStudents(trx, student.organizationId, [student.id]);
  const passage = named ?? (await leastUsed(trx, student, grade, book));
  await OrfAssessment.query(trx).where({ studentId: student.id, status: 'OPEN' }).patch({ status: 'ABANDONED' });
  const benchmark = await benchmarkFor(trx, rules.bundle, student, { grade, season: window.season });
  const assessment = await OrfAssessment.query(trx).insertAndFetch({
    id: newId(),
    organizationId: student.organizationId,
    studentId: student.id,
    status: 'OPEN',
    grade,
    ...window,
    passageId: passage.passageId,
    passagesVersion: book.version,
    benchmarkKey: benchmark.key,
    benchmarkVersion: benchmark.version,
    startedAt: now.toISOString(),
  });
  return { assessment, passage };
}

/**
 * Returns the least used passage. Every reading of a passage, finished or not, and every paper probe counts, except
 * voided ones.
 */
async function leastUsed(
  trx: Trx,
  { organizationId, id }: StudentInScope,
  grade: number,
  book: PassageBook,
): Promise<Passage> {
  const corrections = await loadCorrections(trx, organizationId, [id]);
  const accountIds = [...corrections.accountsAt(id, present)];
  const read = await OrfAssessment.query(trx).whereIn('studentId', accountIds).select('id', 'passageId');
  const onPaper = await CbmProbe.query(trx)
    .whereIn('studentId', accountIds)
    .whereNull('orfAssessmentId')
    .select('id', 'passageId');
  const used = [
    ...read.filter((reading) => corrections.voidAt('orf', reading.id, present) === null),
    ...onPaper.filter((probe) => corrections.voidAt('cbm', String(probe.id), present) === null),
  ].map(({ passageId }) => passageId);
  const uses = ({ passageId }: Passage) => used.filter((one) => one === passageId).length;
  const [first, ...others] = book.ofGrade(grade);
  if (!first) throw unavailable('There is no passage for this grade.');
  return others.reduce((least, passage) => (uses(passage) < uses(least) ? passage : least), first);
}
