// Records a probe: a score in a student's series, from a marked reading or from paper.

import type { Trx } from '#core/platform/db.ts';
import { conflict, invalid, notFound } from '#core/platform/errors.ts';
import { localDate } from '#core/platform/pure/dates/calendar.ts';
import { lockStudents, type StudentInScope } from '#identity/people/index.ts';
import type { SchoolYearDates } from '#rules/catalogue/index.ts';
import { yearOfDay } from '#rules/catalogue/index.ts';
import { namedPassage } from '../../content/index.ts';
import { loadCorrections } from '../evidence/corrections/load.ts';
import { present } from '../evidence/engine/corrections.ts';
import type { RequestServices } from '../services.ts';
import type { MeasureCode } from './engine/benchmark.ts';
import { wordsPerMinute } from './engine/reading.ts';
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

export type ProbeInput = { readonly measureCode: MeasureCode } & (ReadProbe | PaperProbe);

export interface RecordedProbe {
  readonly probe: CbmProbe;
  readonly evaluated: EvaluatedSeries;
}

/**
 * Throws CONFLICT `assessment_used`, `not_scored`, `voided` or `no_grade`; NOT_FOUND for an assessment of another student;
 * VALIDATION_ERROR for a passage of another grade, a date outside this school year, or more errors than words.
 */
export async function recordProbe(
  services: RequestServices,
  trx: Trx,
  student: StudentInScope,
  input: ProbeInput,
  now: Date,
): Promise<RecordedProbe> {
  await lockStudents(trx, student.organizationId, [student.id]);
  const today = localDate(now, student.timeZone);
  const year = await yearOfDay(services, trx, today, now);
  if (!('orfAssessmentId' in input)) refuseForeignDate(input.administeredOn, today, year, 'administeredOn');
  const score =
    'orfAssessmentId' in input
      ? await scoreOfReading(trx, student, input.orfAssessmentId)
      : await scoreOnPaper(services, student, input);
  if ('orfAssessmentId' in input) refuseForeignDate(score.administeredOn, today, year, 'orfAssessmentId');
  const probe = await CbmProbe.query(trx).insertAndFetch({
    ...score,
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
>;

async function scoreOfReading(trx: Trx, student: StudentInScope, orfAssessmentId: string): Promise<Score> {
  const corrections = await loadCorrections(trx, student.organizationId, [student.id]);
  const reading = await OrfAssessment.query(trx)
    .findOne({ id: orfAssessmentId })
    .whereIn('studentId', [...corrections.accountsAt(student.id, present)]);
  if (!reading) throw notFound();
  const { status, readOn, wcpm, wordsAttempted, errors, elapsedSeconds, passageId, grade } = reading;
  if (readOn === null || wcpm === null || wordsAttempted === null || errors === null || elapsedSeconds === null) {
    throw conflict('not_scored', `This reading is ${status}; only a scored one makes a probe.`);
  }
  if (corrections.voidAt('orf', orfAssessmentId, present) !== null) {
    throw conflict('voided', 'This reading was voided; it makes no probe.');
  }
  const used = await CbmProbe.query(trx).findOne({ orfAssessmentId }).select('id');
  if (used) throw conflict('assessment_used', 'This reading is a probe already.');
  const formFamily = `ORF-G${grade}`;
  const administeredOn = readOn;
  return {
    formFamily,
    passageId,
    administeredOn,
    orfAssessmentId,
    wordsAttempted,
    errors,
    elapsedSeconds,
    score: wcpm,
  };
}

async function scoreOnPaper(services: RequestServices, student: StudentInScope, input: PaperProbe): Promise<Score> {
  const { passageId, administeredOn, wordsAttempted, errors, elapsedSeconds } = input;
  if (errors > wordsAttempted) throw invalid('errors', 'is more than the words attempted');
  const { formFamily } = namedPassage(await services.passages.current(), passageId, student.grade);
  const score = wordsPerMinute(wordsAttempted - errors, elapsedSeconds);
  return {
    formFamily,
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
