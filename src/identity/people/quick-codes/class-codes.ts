// New codes for a whole class. A printable sheet is rendered first, while no transaction is open; then its codes are issued.
import type { Actor } from '#core/http/route.ts';
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { conflict } from '#core/platform/errors.ts';
import { requestOwner } from '#core/platform/pdf/printer.ts';
import { localDate } from '#core/platform/pure/dates/calendar.ts';
import { isSameJson } from '#core/platform/pure/same-json.ts';
import { ownAddress } from '../auth-sessions/own-address.ts';
import { Organization, School, type SchoolClass } from '../records/organizations.ts';
import { namesOnPaper } from '../records/paper-names.ts';
import { type CodeIssue, codeLifeMs, drawQuickCode, type IssuedCode, issueQuickCodes } from './quick-codes.ts';
import { renderSheet, type Sheet } from './sheet.ts';

interface ClassCode extends IssuedCode {
  readonly fullNameAr: string | null;
}

interface ListedStudent {
  readonly id: number;
  readonly organizationId: string;
  readonly fullNameAr: string | null;
}

export interface PrintedSheet {
  readonly students: readonly ListedStudent[];
  readonly codes: ReadonlyMap<number, string>;
  readonly bytes: Uint8Array;
}

/** Returns the codes in the order of the class list. */
export async function issueClassCodes(issue: CodeIssue, row: SchoolClass): Promise<ClassCode[]> {
  return issueWithNames(await studentsOf(issue.trx, row), issue);
}

interface PrepareContext {
  readonly trx: Trx;
  readonly now: Date;
  readonly actor: Actor;
  readonly services: Pick<Services, 'config'>;
}

/** Draws the codes of a class and returns a function that renders them. No code is valid before `issuePrintedCodes`. */
export async function prepareSheet(context: PrepareContext, row: SchoolClass): Promise<() => Promise<PrintedSheet>> {
  const students = await studentsOf(context.trx, row);
  const codes = new Map(students.map(({ id }) => [id, drawQuickCode()]));
  const sheet = await sheetOf(context, row, students, codes);
  return async () => ({ students, codes, bytes: await renderSheet(sheet, requestOwner(context.actor)) });
}

async function sheetOf(
  { trx, now, services }: PrepareContext,
  { organizationId, schoolId, name: className }: SchoolClass,
  students: readonly ListedStudent[],
  codes: ReadonlyMap<number, string>,
): Promise<Sheet> {
  const { name: organizationName, timeZone } = await Organization.query(trx).findById(organizationId).throwIfNotFound();
  const { name: schoolName } = await School.query(trx).findOne({ organizationId, id: schoolId }).throwIfNotFound();
  const ids = students.map(({ id }) => id);
  const names = await namesOnPaper(trx, organizationId, ids);
  return {
    organizationName,
    schoolName,
    className,
    address: ownAddress(services.config),
    rows: students.map(({ id, fullNameAr }) => ({
      fullNameAr: names.get(id)?.staffNameAr ?? fullNameAr,
      quickCode: codes.get(id) ?? '',
    })),
    validUntil: localDate(new Date(students.length === 0 ? now : now.getTime() + codeLifeMs), timeZone),
    madeAt: now,
  };
}

/** Issues the codes of the sheet. Throws CONFLICT when the class has changed since, or when a code is in use. */
export async function issuePrintedCodes(
  issue: CodeIssue,
  row: SchoolClass,
  { students, codes }: PrintedSheet,
): Promise<void> {
  const current = await studentsOf(issue.trx, row);
  const issued = await issueWithNames(current, {
    ...issue,
    draw: (studentId) => codes.get(studentId) ?? drawQuickCode(),
  });
  if (!isSameJson(current, students) || issued.length !== students.length) {
    throw conflict('changed_since', 'The class has changed while its codes were printed; try again.');
  }
}

const studentsOf = (trx: Trx, { organizationId, id }: SchoolClass): Promise<ListedStudent[]> =>
  trx('enrollment as e')
    .join('app_user as u', (on) => on.on('u.organizationId', 'e.organizationId').andOn('u.id', 'e.studentId'))
    .where({ 'e.organizationId': organizationId, 'e.classId': id })
    .whereNull('e.enrolledTo')
    .orderBy('u.nameFolded')
    .orderBy('u.id')
    .select('u.id', 'u.organizationId', 'u.fullNameAr');

async function issueWithNames(students: readonly ListedStudent[], issue: CodeIssue): Promise<ClassCode[]> {
  const byId = new Map((await issueQuickCodes(issue, students)).map((code) => [code.studentId, code]));
  return students.flatMap(({ id, fullNameAr }) => {
    const code = byId.get(id);
    return code ? [{ ...code, fullNameAr }] : [];
  });
}
