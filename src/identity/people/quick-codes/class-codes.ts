// Fresh codes for a whole class. A sheet of them is printed first, with no transaction open, and then its codes are issued.
import type { Actor } from '#core/http/route.ts';
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { conflict } from '#core/platform/errors.ts';
import { turnOfRequest } from '#core/platform/pdf/printer.ts';
import { localDate } from '#core/platform/pure/dates/calendar.ts';
import { isSameJson } from '#core/platform/pure/same-json.ts';
import { Organization, School, type SchoolClass } from '../records/organizations.ts';
import { namesOnPaper } from '../records/paper-names.ts';
import { ownAddress } from '../sessions/own-address.ts';
import { type CodePress, codeLifeMs, drawQuickCode, type IssuedCode, issueQuickCodes } from './quick-codes.ts';
import { renderSheet, type Sheet } from './sheet.ts';

interface ClassCode extends IssuedCode {
  readonly fullNameAr: string | null;
}

interface Listed {
  readonly id: number;
  readonly organizationId: string;
  readonly fullNameAr: string | null;
}

export interface PrintedSheet {
  readonly students: readonly Listed[];
  readonly codes: ReadonlyMap<number, string>;
  readonly bytes: Uint8Array;
}

/** In the order of the class list. */
export async function issueClassCodes(press: CodePress, row: SchoolClass): Promise<ClassCode[]> {
  return withNames(await studentsOf(press.trx, row), press);
}

interface Preparing {
  readonly trx: Trx;
  readonly now: Date;
  readonly actor: Actor;
  readonly services: Pick<Services, 'config'>;
}

/** Draws the codes of a class; the work that it answers prints them. None is valid before `issuePrinted`. */
export async function prepareSheet(call: Preparing, row: SchoolClass): Promise<() => Promise<PrintedSheet>> {
  const students = await studentsOf(call.trx, row);
  const codes = new Map(students.map(({ id }) => [id, drawQuickCode()]));
  const sheet = await sheetOf(call, row, students, codes);
  return async () => ({ students, codes, bytes: await renderSheet(sheet, turnOfRequest(call.actor)) });
}

async function sheetOf(
  { trx, now, services }: Preparing,
  { organizationId, schoolId, name: className }: SchoolClass,
  students: readonly Listed[],
  codes: ReadonlyMap<number, string>,
): Promise<Sheet> {
  const { name: organizationName, timeZone } = await Organization.query(trx).findById(organizationId).throwIfNotFound();
  const { name: schoolName } = await School.query(trx).findOne({ organizationId, id: schoolId }).throwIfNotFound();
  const ids = students.map(({ id }) => id);
  const names = await namesOnPaper(trx, organizationId, ids);
  return {
    ...{ organizationName, schoolName, className, address: ownAddress(services.config) },
    rows: students.map(({ id, fullNameAr }) => ({
      ...{ fullNameAr: names.get(id)?.staffNameAr ?? fullNameAr, quickCode: codes.get(id) ?? '' },
    })),
    validUntil: localDate(new Date(students.length === 0 ? now : now.getTime() + codeLifeMs), timeZone),
    madeAt: now,
  };
}

/** The codes of the sheet, and no others. CONFLICT where the class has changed since, or where a code is in use. */
export async function issuePrinted(
  press: CodePress,
  row: SchoolClass,
  { students, codes }: PrintedSheet,
): Promise<void> {
  const current = await studentsOf(press.trx, row);
  const issued = await withNames(current, { ...press, draw: (studentId) => codes.get(studentId) ?? drawQuickCode() });
  if (!isSameJson(current, students) || issued.length !== students.length) {
    throw conflict('changed_since', 'The class has changed while its codes were printed; try again.');
  }
}

const studentsOf = (trx: Trx, { organizationId, id }: SchoolClass): Promise<Listed[]> =>
  trx('enrollment as e')
    .join('app_user as u', (on) => on.on('u.organizationId', 'e.organizationId').andOn('u.id', 'e.studentId'))
    .where({ 'e.organizationId': organizationId, 'e.classId': id })
    .whereNull('e.enrolledTo')
    .orderBy('u.fullNameAr')
    .orderBy('u.id')
    .select('u.id', 'u.organizationId', 'u.fullNameAr');

async function withNames(students: readonly Listed[], press: CodePress): Promise<ClassCode[]> {
  const byId = new Map((await issueQuickCodes(press, students)).map((code) => [code.studentId, code]));
  return students.flatMap(({ id, fullNameAr }) => {
    const code = byId.get(id);
    return code ? [{ ...code, fullNameAr }] : [];
  });
}
