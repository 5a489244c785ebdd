// Marks words while a child reads, and stops a reading: stores the score and the event.

import { appendEvents, newEvent } from '#core/module/events.ts';
import type { Trx } from '#core/platform/db.ts';
import { conflict, invalid, unavailable } from '#core/platform/errors.ts';
import { lockRows } from '#core/platform/locks.ts';
import { localDate } from '#core/platform/pure/dates/calendar.ts';
import { findStudent } from '#identity/people/index.ts';
import { lastWordOf, type Passage } from '../../content/index.ts';
import { orfScored } from '../events.ts';
import type { RequestServices } from '../services.ts';
import { benchmarksOf, type Verdict, verdictOf } from './engine/benchmark.ts';
import { type Mark, type Stop, type StoppedReading, stopReading, stopRefusal } from './engine/reading.ts';
import { requirePlausible } from './plausibility.ts';
import { OrfAssessment, OrfMark } from './store.ts';

/**
 * Returns the number of stored marks. Throws CONFLICT unless OPEN; throws VALIDATION_ERROR for a word that the passage
 * does not have.
 */
export async function markWords(
  services: RequestServices,
  trx: Trx,
  id: string,
  marks: readonly Mark[],
  now: Date,
): Promise<number> {
  const assessment = await lock(trx, id);
  const passage = await passageOf(services, assessment);
  const foreign = marks.findIndex(({ wordIndex }) => wordIndex > lastWordOf(passage));
  if (foreign >= 0) throw invalid(`marks.${foreign}.wordIndex`, 'is not a word of the passage');
  if (assessment.status !== 'OPEN') throw closed(assessment);
  const { organizationId, schoolYear } = assessment;
  const markedAt = now.toISOString();
  await OrfMark.query(trx).insert(
    marks.map((mark) => ({ ...mark, organizationId, schoolYear, assessmentId: id, markedAt })),
  );
  return marks.length;
}

/**
 * Stops a reading. A repeated equal stop returns the stored row; a different one throws CONFLICT. Throws
 * VALIDATION_ERROR for a stop that is impossible with the passage and the marks, and `implausible` for a score that hardly any
 * child reaches and that is not confirmed.
 */
export async function stopAssessment(
  services: RequestServices,
  trx: Trx,
  id: string,
  stop: Stop,
  now: Date,
): Promise<OrfAssessment> {
  const assessment = await lock(trx, id);
  const marks = await OrfMark.query(trx).where({ assessmentId: id }).orderBy('id');
  const refusal = stopRefusal(await passageOf(services, assessment), marks, stop);
  if (refusal) throw invalid(refusal.field, refusal.issue);
  if (isSameStop(assessment, stop)) return assessment;
  if (assessment.status !== 'OPEN') throw closed(assessment);
  return close(services, trx, assessment, stop, stopReading(marks, stop), now);
}

const lock = async (trx: Trx, id: string): Promise<OrfAssessment> =>
  lockRows('reading', 'change', OrfAssessment.query(trx).findById(id)).throwIfNotFound();

const closed = ({ status }: OrfAssessment) => conflict(status.toLowerCase(), 'This reading is over.');

const isSameStop = (assessment: OrfAssessment, stop: Stop): boolean =>
  assessment.stopReason === stop.reason &&
  assessment.elapsedSeconds === stop.elapsedSeconds &&
  assessment.lastWordIndex === stop.lastWordIndex &&
  assessment.confirmed === isConfirmed(stop);

const isConfirmed = ({ confirmed = false }: Stop): boolean => confirmed;

async function passageOf(services: RequestServices, { passageId, passagesVersion }: OrfAssessment): Promise<Passage> {
  const passage = (await services.passages.version(passagesVersion)).find(passageId);
  if (!passage) throw unavailable('The reading passages are not available.');
  return passage;
}

async function close(
  services: RequestServices,
  trx: Trx,
  assessment: OrfAssessment,
  stop: Stop,
  reading: StoppedReading,
  now: Date,
): Promise<OrfAssessment> {
  const { organizationId, studentId, id: assessmentId } = assessment;
  const { reason, elapsedSeconds, lastWordIndex } = stop;
  const { row: student } = await findStudent(trx, studentId);
  const readOn = localDate(now, student.timeZone);
  if (reading.status === 'SCORED' && !isConfirmed(stop)) {
    await requirePlausible(
      services,
      trx,
      { ...assessment, assessmentId, date: readOn, at: now, score: reading.wcpm },
      now,
    );
  }
  const stopped = await OrfAssessment.query(trx).patchAndFetchById(assessmentId, {
    ...reading,
    stoppedAt: now.toISOString(),
    readOn,
    confirmed: isConfirmed(stop),
    stopReason: reason,
    elapsedSeconds,
    lastWordIndex,
    verdict: await verdictFor(services, trx, assessment, reading),
  });
  if (reading.status === 'SCORED') {
    await appendEvents(trx, now, [newEvent(orfScored, organizationId, { studentId, assessmentId })]);
  }
  return stopped;
}

/** Uses the benchmark with which the reading was started, not the one in force. */
async function verdictFor(
  services: RequestServices,
  trx: Trx,
  { benchmarkKey, benchmarkVersion }: OrfAssessment,
  reading: StoppedReading,
): Promise<Verdict> {
  if (reading.status === 'INVALID') return 'not_assessed';
  const pinned = await services.rules.pinned(trx, { [`benchmark/${benchmarkKey}`]: benchmarkVersion });
  const [profile] = benchmarksOf(pinned);
  return verdictOf(profile?.cuts ?? null, reading.wcpm);
}
