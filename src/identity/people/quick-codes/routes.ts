// Routes of quick codes: sign-in of students, and issue by teachers.
import Type from 'typebox';
import { created, ok } from '#core/http/answers.ts';
import { IntegerId, idParams, named, nullable, object, Timestamp } from '#core/http/schemas.ts';
import { publicRoute, route } from '#core/module/route.ts';
import { notFound } from '#core/platform/errors.ts';
import { signInServices } from '../auth-sessions/sign-in-services.ts';
import { Tokens } from '../credentials/schemas.ts';
import { teachersAndAdmins } from '../reach/reach.ts';
import { classInReach, studentInReach } from '../reach/scopes.ts';
import { issueClassCodes, issuePrintedCodes, prepareSheet } from './class-codes.ts';
import { issueQuickCodes, signInWithQuickCode } from './quick-codes.ts';

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
      return signInWithQuickCode(signInServices(services), input, now, (pair) => checked(ok(pair)));
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
    heavy: true,
    summary: 'Fresh quick codes for a class, as JSON or, with Accept: application/pdf, as a list to print',
    tag,
    allow: ['VIEW_OWN_CLASSES'],
    scope: classInReach(teachersAndAdmins),
    demo: 'blocked',
    params: idParams,
    answers: { 201: object({ items: Type.Array(ClassCode) }) },
    errors: ['CONFLICT'],
    prepare: async (ctx) => (wantsPdf(ctx.header('accept')) ? prepareSheet(ctx, ctx.scope) : async () => undefined),
    run: async ({ services, trx, scope, now, prepared }) => {
      const issue = { trx, cipher: services.cipher, now };
      if (!prepared) return created({ items: await issueClassCodes(issue, scope) });
      await issuePrintedCodes(issue, scope, prepared);
      const headers = {
        'content-type': 'application/pdf',
        'content-disposition': 'attachment; filename="quick-codes.pdf"',
      };
      return { ...created(prepared.bytes), headers };
    },
  }),
];
