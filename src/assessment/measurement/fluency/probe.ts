// Records a probe: a score in a student's series, from a marked reading or from paper.

import type { Trx } from '#core/platform/db.ts';
import { conflict, invalid, notFound } from '#core/platform/errors.ts';
import { localDate } from '#core/platform/pure/dates/calendar.ts';
import { currentGrade, lockWritableStudents, type StudentInScope } from '#identity/people/index.ts';
import type { SchoolYearDates } from '#rules/catalogue/index.ts';
import { yearOfDay } from '#rules/catalogue/index.ts';
import { lastWordOf, namedPassage } from '../../content/index.ts';
import { loadCorrections } from '../evidence/corrections/load.ts';
import { present } from '../evidence/engine/corrections.ts';
import type { RequestServices } from '../services.ts';
import type { MeasureCode } from './engine/benchmark.ts';
import { wordsPerMinute } from './engine/reading.ts';
import { formFamilyOf, requirePlausible } from './plausibility.ts';
import { CbmProbe, OrfAssessment } from './store.ts';
import { type EvaluatedSeries, evaluateSeries } from './trend/evaluation.ts';
import { recordTrend } from './trend/record.ts';

interface ReadProbe {
  readonly orfAssessmentId: string;
}

interface PaperProbe {
  readonly passageId: string;
  readonly administeredOn: string;
  readonly wordsAttempted: number;
  readonly errors: number;
  readonly elapsedSeconds: number;
}

export type ProbeInput = {
  readonly measureCode: MeasureCode;
  /** True when a person says that the score is right although hardly any child reaches it. */
  readonly confirmed?: boolean;
} & (ReadProbe | PaperProbe);

export interface RecordedProbe {
  readonly probe: CbmProbe;
  readonly evaluated: EvaluatedSeries;
}

/**
 * Throws CONFLICT `assessment_used`, `not_scored`, `voided` or `no_grade`; NOT_FOUND for an assessment of another student;
 * VALIDATION_ERROR for a passage of another grade, a date outside this school year, more words than the passage has, more errors
 * than words, and `implausible` for a score that hardly any child reaches and that is not confirmed.
 */
export async function recordProbe(
  services: RequestServices,
  trx: Trx,
  student: StudentInScope,
  input: ProbeInput,
  now: Date,
): Promise<RecordedProbe> {
  await lockWritableStudents(trx, student.organizationId, [student.id]);
  const today = localDate(now, student.timeZone);
  const year = await yearOfDay(services, trx, today, now);
  if (!('orfAssessmentId' in input)) refuseForeignDate(input.administeredOn, today, year, 'administeredOn');
  const { grade, at, ...score } =
    'orfAssessmentId' in input
      ? await scoreOfReading(trx, student, input.orfAssessmentId)
      : await scoreOnPaper(services, currentGrade(student, year.name), input, now);
  if ('orfAssessmentId' in input) refuseForeignDate(score.administeredOn, today, year, 'orfAssessmentId');
  const confirmed = score.confirmed || input.confirmed === true;
  if (!confirmed) {
    const { organizationId, id: studentId } = student;
    const { orfAssessmentId: assessmentId, administeredOn: date } = score;
    const entered = { organizationId, studentId, assessmentId, grade, schoolYear: year.name, date, at };
    await requirePlausible(services, trx, { ...entered, score: score.score }, now);
  }
  const probe = await CbmProbe.query(trx).insertAndFetch({
    ...score,
    confirmed,
    organizationId: student.organizationId,
    studentId: student.id,
    measureCode: input.measureCode,
    schoolYear: year.name,
    recordedAt: now.toISOString(),
  });
  const evaluated = await evaluateSeries(services, trx, { ...probe, student, year, asOf: today }, now);
  await recordTrend(trx, recorded(probe), evaluated, now);
  return { probe, evaluated };
}

const recorded = ({ organizationId, studentId, measureCode, formFamily, schoolYear, id: probeId }: CbmProbe) => ({
  ...{ organizationId, studentId, measureCode, formFamily, schoolYear, probeId },
  byCorrection: false,
});

type Score = Pick<
  CbmProbe,
  | 'formFamily'
  | 'passageId'
  | 'administeredOn'
  | 'orfAssessmentId'
  | 'wordsAttempted'
  | 'errors'
  | 'elapsedSeconds'
  | 'score'
  | 'confirmed'
> & {
  /** Of the passage. */
  readonly grade: number;
  /** The moment that orders scores of one date. */
  readonly at: Date;
};

async function scoreOfReading(trx: Trx, student: StudentInScope, orfAssessmentId: string): Promise<Score> {
  const corrections = await loadCorrections(trx, student.organizationId, [student.id]);
  const reading = await OrfAssessment.query(trx)
    .findOne({ id: orfAssessmentId })
    .whereIn('studentId', [...corrections.accountsAt(student.id, present)]);
  if (!reading) throw notFound();
  const { status, readOn, stoppedAt, wcpm, wordsAttempted, errors, elapsedSeconds, passageId, grade } = reading;
  if (
    readOn === null ||
    stoppedAt === null ||
    wcpm === null ||
    wordsAttempted === null ||
    errors === null ||
    elapsedSeconds === null
  ) {
    throw conflict('not_scored', `This reading is ${status}; only a scored one makes a probe.`);
  }
  if (corrections.voidAt('orf', orfAssessmentId, present) !== null) {
    throw conflict('voided', 'This reading was voided; it makes no probe.');
  }
  const used = await CbmProbe.query(trx).findOne({ orfAssessmentId }).select('id');
  if (used) throw conflict('assessment_used', 'This reading is a probe already.');
  const administeredOn = readOn;
  return {
    grade,
    at: new Date(stoppedAt),
    confirmed: reading.confirmed,
    formFamily: formFamilyOf(grade),
    passageId,
    administeredOn,
    orfAssessmentId,
    wordsAttempted,
    errors,
    elapsedSeconds,
    score: wcpm,
  };
}

async function scoreOnPaper(
  services: RequestServices,
  currentlyIn: number | null,
  input: PaperProbe,
  now: Date,
): Promise<Score> {
  const { passageId, administeredOn, wordsAttempted, errors, elapsedSeconds } = input;
  if (errors > wordsAttempted) throw invalid('errors', 'is more than the words attempted');
  const passage = namedPassage(await services.passages.current(), passageId, currentlyIn);
  if (wordsAttempted > lastWordOf(passage) + 1) throw invalid('wordsAttempted', 'is more than the passage has');
  const score = wordsPerMinute(wordsAttempted - errors, elapsedSeconds);
  return {
    grade: passage.grade,
    at: now,
    confirmed: false,
    formFamily: passage.formFamily,
    passageId,
    administeredOn,
    orfAssessmentId: null,
    wordsAttempted,
    errors,
    elapsedSeconds,
    score,
  };
}

/** Throws when the date is outside the school year or in the future. ISO dates compare as text. */
function refuseForeignDate(date: string, today: string, { from }: SchoolYearDates, field: string): void {
  if (date > today) throw invalid(field, 'is in the future');
  if (date < from) throw invalid(field, 'is not of this school year');
}
