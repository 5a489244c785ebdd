// Starts a diagnostic or returns the open one.

import type { Trx } from '#core/platform/db.ts';
import { conflict, invalid } from '#core/platform/errors.ts';
import { newId } from '#core/platform/ids.ts';
import { dayMs, hourMs } from '#core/platform/pure/dates/durations.ts';
import { rowsOf } from '#core/platform/sql.ts';
import {
  currentGrade,
  findStudent,
  lockWritableStudents,
  noGrade,
  requireWritable,
  type StudentInScope,
} from '#identity/people/index.ts';
import { type SeasonWindow, windowAt } from '#rules/catalogue/index.ts';
import { bandOfGrade } from '../../content/index.ts';
import { accountsIn, voidIn } from '../evidence/corrections/in-statements.ts';
import { benchmarkFor } from '../fluency/benchmarks.ts';
import type { BenchmarkProfile } from '../fluency/engine/benchmark.ts';
import { activeMeasurement, formsFor, type MeasurementRules } from '../rules.ts';
import { seenItems } from '../seen-items.ts';
import type { RequestServices } from '../services.ts';
import type { Form } from './engine/forms.ts';
import { servingRules, statusAt } from './session.ts';
import { DiagnosticSession, loadRecord, type PinnedVersions, type SessionRecord } from './store.ts';

export interface Started extends SessionRecord {
  readonly rules: MeasurementRules;
  readonly resumed: boolean;
}

/**
 * Throws CONFLICT `no_grade` without a class of this school year, `window_complete` when every part of the season is finished,
 * `session_open` when another form is open. Throws VALIDATION_ERROR for a form of another grade. A named form may be
 * taken again. Throws CONFLICT `merged` when the account was merged in the meantime.
 */
export async function startDiagnostic(
  services: RequestServices,
  trx: Trx,
  studentId: number,
  formCode: string | undefined,
  now: Date,
): Promise<Started> {
  const { row: student } = await requireWritable(findStudent(trx, studentId));
  await lockWritableStudents(trx, student.organizationId, [student.id]);
  const open = await openSession(trx, studentId, now);
  if (open && (formCode === undefined || formCode === open.formCode)) return resume(services, trx, open, now);
  const rules = await activeMeasurement(services, trx, now);
  const window = windowAt(student, rules, now);
  const grade = currentGrade(student, window.schoolYear);
  const named = formCode === undefined ? undefined : namedForm(formCode, grade, rules);
  if (open) throw conflict('session_open', `${open.formCode} is open; finish it first.`);
  if (grade === null) throw noGrade();
  const form = named ?? (await nextOrNone(trx, student, formsFor(grade, rules), window));
  const session = await insertSession(trx, student, form, rules, now);
  return { session, served: [], responses: [], events: [], rules, resumed: false };
}

/** Returns the student's open session and closes an expired one. */
async function openSession(trx: Trx, studentId: number, now: Date): Promise<DiagnosticSession | undefined> {
  const row = await DiagnosticSession.query(trx)
    .where({ studentId })
    .whereIn('status', ['IN_PROGRESS', 'PAUSED'])
    .first();
  if (!row || statusAt(row, now) !== 'EXPIRED') return row;
  await DiagnosticSession.query(trx).findById(row.id).patch({ status: 'EXPIRED' });
  return undefined;
}

async function resume(services: RequestServices, trx: Trx, open: DiagnosticSession, now: Date): Promise<Started> {
  return { ...(await loadRecord(trx, open)), rules: await servingRules(services, trx, open, now), resumed: true };
}

/**
 * Validates the requested form before the open session is considered. Between classes, a form of any is accepted.
 */
function namedForm(formCode: string, grade: number | null, rules: MeasurementRules): Form {
  const grades = grade === null ? [...rules.values.firstParts.keys()] : [grade];
  const named = grades.flatMap((one) => formsFor(one, rules)).find((form) => form.formCode === formCode);
  if (!named) throw invalid('formCode', 'is not a form of the student’s grade');
  return named;
}

async function nextOrNone(
  trx: Trx,
  student: StudentInScope,
  forms: readonly Form[],
  window: SeasonWindow,
): Promise<Form> {
  const next = await nextForm(trx, student, forms, window);
  if (!next) throw conflict('window_complete', 'Every part of this season is finished.');
  return next;
}

/** Returns the first part that is not finished in the season; a voided one may be taken again. */
export async function nextForm(
  trx: Trx,
  { organizationId, id: studentId }: Pick<StudentInScope, 'organizationId' | 'id'>,
  forms: readonly Form[],
  { schoolYear, season }: SeasonWindow,
): Promise<Form | undefined> {
  const finished = await rowsOf<{ formCode: string }>(
    trx,
    `select distinct s.form_code from diagnostic_session s
     where s.organization_id = :organizationId
       and s.student_id = any(${accountsIn({ organizationId: ':organizationId', studentId: ':studentId' })})
       and s.school_year = :schoolYear and s.season = :season and s.status = 'FINISHED'
       and ${voidIn({ kind: 'diagnostic', organizationId: ':organizationId', refId: 's.id' })} is null`,
    { organizationId, studentId, schoolYear, season },
  );
  const done = new Set(finished.map(({ formCode }) => formCode));
  return forms.find(({ formCode }) => !done.has(formCode));
}

async function insertSession(
  trx: Trx,
  student: StudentInScope,
  form: Form,
  rules: MeasurementRules,
  now: Date,
): Promise<DiagnosticSession> {
  const window = windowAt(student, rules, now);
  const benchmark = await benchmarkFor(trx, rules.bundle, student, { grade: form.grade, season: window.season });
  const seenSince = new Date(now.getTime() - rules.values.seenDays * dayMs);
  const seen = await seenItems(trx, student.organizationId, { ids: [student.id] }, seenSince);
  return DiagnosticSession.query(trx).insertAndFetch({
    id: newId(),
    organizationId: student.organizationId,
    studentId: student.id,
    status: 'IN_PROGRESS',
    formCode: form.formCode,
    partIndex: form.partIndex,
    partCount: form.partCount,
    grade: form.grade,
    gradeBand: bandOfGrade(form.grade, rules.values.gradeBands),
    ...window,
    subSkills: [...form.subSkills],
    seenItemIds: [...(seen.get(student.id) ?? [])],
    pinned: pinnedVersions(form, rules, benchmark),
    startedAt: now.toISOString(),
    expiresAt: new Date(now.getTime() + rules.values.sessionHours * hourMs).toISOString(),
  });
}

function pinnedVersions(
  form: Form,
  { bundle, bank, values }: MeasurementRules,
  { key, version }: BenchmarkProfile,
): PinnedVersions {
  return {
    catalogueVersion: `catalogue/subskills@${bundle.versions['catalogue/subskills']}`,
    bankVersion: `content/item-bank@${bank.version}`,
    calibrationVersion: values.calibrationVersion,
    formsVersion: `scoring/measurement@${bundle.versions['scoring/measurement']}`,
    benchmarkProfile: { key, version },
    gradeBand: bandOfGrade(form.grade, values.gradeBands),
  };
}
