// Fresh codes for a whole class. A sheet of them is printed first, with no transaction open, and then its codes are issued.
import type { Actor } from '../../http/route.ts';
import type { Trx } from '../../platform/db.ts';
import { conflict } from '../../platform/errors.ts';
import { turnOfRequest } from '../../platform/pdf/printer.ts';
import { localDate } from '../../platform/pure/dates/calendar.ts';
import { isSameJson } from '../../platform/pure/same-json.ts';
import { Organization, type SchoolClass } from '../records/organizations.ts';
import { type CodePress, codeLifeMs, drawQuickCode, type IssuedCode, issueQuickCodes } from './quick-codes.ts';
import { renderSheet } from './sheet.ts';

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

/** Draws the codes of a class; the work that it answers prints them. None is valid before `issuePrinted`. */
export async function prepareSheet(
  { trx, now, actor }: { readonly trx: Trx; readonly now: Date; readonly actor: Actor },
  row: SchoolClass,
): Promise<() => Promise<PrintedSheet>> {
  const students = await studentsOf(trx, row);
  const { timeZone } = await Organization.query(trx).findById(row.organizationId).select('timeZone').throwIfNotFound();
  const codes = new Map(students.map(({ id }) => [id, drawQuickCode()]));
  const rows = students.map(({ id, fullNameAr }) => ({ fullNameAr, quickCode: codes.get(id) ?? '' }));
  const validUntil = localDate(new Date(students.length === 0 ? now : now.getTime() + codeLifeMs), timeZone);
  const sheet = { className: row.name, rows, validUntil, madeAt: now };
  return async () => ({ students, codes, bytes: await renderSheet(sheet, turnOfRequest(actor)) });
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
