// Quick codes: children sign in with them, teachers hand them out.
import Type from 'typebox';
import { created, ok } from '../../http/answers.ts';
import { IntegerId, idParams, named, nullable, object, Timestamp } from '../../http/schemas.ts';
import { publicRoute, route } from '../../kernel/route.ts';
import type { Trx } from '../../platform/db.ts';
import { notFound } from '../../platform/errors.ts';
import { localDate } from '../../platform/pure/dates/calendar.ts';
import { Tokens } from '../credentials/schemas.ts';
import { teachersAndAdmins } from '../reach/reach.ts';
import { classInReach, studentInReach } from '../reach/scopes.ts';
import { Organization, type SchoolClass } from '../records/organizations.ts';
import { type IssuedCode, issueQuickCodes, signInWithQuickCode } from './quick-codes.ts';
import { renderSheet } from './sheet.ts';

const tag = 'identity';
const QuickCode = named('QuickCode', Type.String({ minLength: 1, maxLength: 64 }));
const ClassCode = named(
  'ClassCode',
  object({
    studentId: IntegerId,
    fullNameAr: nullable(Type.String()),
    quickCode: Type.String(),
    expiresAt: Timestamp,
  }),
);

interface ClassCodeRow extends IssuedCode {
  readonly fullNameAr: string | null;
}

async function studentsOf(
  trx: Trx,
  { id }: SchoolClass,
): Promise<{ id: number; organizationId: string; fullNameAr: string | null }[]> {
  return trx('enrollment as e')
    .join('app_user as u', 'u.id', 'e.studentId')
    .where('e.classId', id)
    .whereNull('e.enrolledTo')
    .orderBy('u.fullNameAr')
    .orderBy('u.id')
    .select('u.id', 'u.organizationId', 'u.fullNameAr');
}

/** In the order of the class list. */
function withNames(codes: readonly IssuedCode[], students: Awaited<ReturnType<typeof studentsOf>>): ClassCodeRow[] {
  const byId = new Map(codes.map((code) => [code.studentId, code]));
  return students.flatMap(({ id, fullNameAr }) => {
    const code = byId.get(id);
    return code ? [{ ...code, fullNameAr }] : [];
  });
}

async function sheetOf(trx: Trx, row: SchoolClass, codes: readonly ClassCodeRow[], now: Date): Promise<Buffer> {
  const { timeZone } = await Organization.query(trx).findById(row.organizationId).select('timeZone').throwIfNotFound();
  const validUntil = localDate(new Date(codes[0]?.expiresAt ?? now), timeZone);
  return renderSheet({ className: row.name, rows: codes, validUntil, madeAt: now });
}

const wantsPdf = (accept: string | undefined) => /\bapplication\/pdf\b/i.test(accept ?? '');

export const quickCodeRoutes = [
  publicRoute({
    method: 'post',
    path: '/api/auth/quickcode',
    operation: 'loginWithQuickCode',
    charge: 'sign-in',
    summary: 'Sign in with a quick code',
    tag,
    demo: 'loop',
    limit: 'closed',
    body: object({ quickCode: QuickCode }),
    answers: { 200: Tokens },
    errors: ['QUICKCODE_INVALID_OR_EXPIRED', 'QUICKCODE_RATE_LIMIT'],
    run: async ({ services, body, clientIp, header, now, checked }) => {
      const input = { quickCode: body.quickCode, clientIp, deviceId: header('x-device-id') };
      return signInWithQuickCode(services, input, now, (pair) => checked(ok(pair)));
    },
  }),
  route({
    method: 'post',
    path: '/api/students/:id/quick-code',
    operation: 'issueQuickCode',
    summary: 'A fresh quick code for a student; the old one dies',
    tag,
    allow: ['VIEW_OWN_CLASSES'],
    scope: studentInReach(teachersAndAdmins),
    demo: 'blocked',
    params: idParams,
    answers: { 201: object({ quickCode: Type.String(), expiresAt: Timestamp }) },
    errors: ['CONFLICT'],
    run: async ({ services, trx, scope, now }) => {
      const [issued] = await issueQuickCodes({ trx, cipher: services.cipher, now }, [scope]);
      if (!issued) throw notFound();
      return created({ quickCode: issued.quickCode, expiresAt: issued.expiresAt });
    },
  }),
  route({
    method: 'post',
    path: '/api/classes/:id/quick-codes',
    operation: 'issueClassQuickCodes',
    summary: 'Fresh quick codes for a class, as JSON or, with Accept: application/pdf, as a list to print',
    tag,
    allow: ['VIEW_OWN_CLASSES'],
    scope: classInReach(teachersAndAdmins),
    demo: 'blocked',
    params: idParams,
    answers: { 201: object({ items: Type.Array(ClassCode) }) },
    errors: ['CONFLICT'],
    run: async ({ services, trx, scope, now, header }) => {
      const students = await studentsOf(trx, scope);
      const items = withNames(await issueQuickCodes({ trx, cipher: services.cipher, now }, students), students);
      if (!wantsPdf(header('accept'))) return created({ items });
      const headers = {
        'content-type': 'application/pdf',
        'content-disposition': 'attachment; filename="quick-codes.pdf"',
      };
      return { ...created(await sheetOf(trx, scope, items, now)), headers };
    },
  }),
];
