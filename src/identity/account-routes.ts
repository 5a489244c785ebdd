// One's own password, and what the service holds about a student: given out, or forgotten.
import Type from 'typebox';
import { noContent, ok } from '../http/route.ts';
import { IntegerId, idParams, NoContent, object, Timestamp } from '../http/schemas.ts';
import { route } from '../route.ts';
import { anySignedIn, studentInOrganization } from '../tenancy/index.ts';
import { changePassword } from './change-password.ts';
import { eraseStudent } from './erasure.ts';
import { exportStudent } from './personal-data.ts';
import { NewPassword, TriedPassword } from './schemas.ts';

const tag = 'identity';
/** Rows as they are stored: what they hold differs from table to table and grows with the service. */
const Sections = Type.Record(Type.String(), Type.Record(Type.String(), Type.Array(Type.Object({}))));

export const accountRoutes = [
  route({
    method: 'patch',
    path: '/api/auth/password',
    operation: 'changePassword',
    summary: 'Change the own password; all other sessions end',
    tag,
    allow: 'signed in',
    scope: anySignedIn,
    demo: 'blocked',
    limit: 'closed',
    body: object({ currentPassword: TriedPassword, newPassword: NewPassword }),
    answers: { 204: NoContent },
    errors: ['INVALID_CREDENTIALS', 'BRUTE_FORCE_LOCKED'],
    run: async (ctx) => {
      await changePassword(ctx, ctx.body);
      return noContent();
    },
  }),
  route({
    method: 'get',
    path: '/api/students/:id/data-export',
    operation: 'exportStudentData',
    summary: 'Everything that is held about a student',
    tag,
    allow: ['MANAGE_ORG'],
    scope: studentInOrganization,
    demo: 'read',
    params: idParams,
    answers: { 200: object({ studentId: IntegerId, exportedAt: Timestamp, sections: Sections }) },
    run: async ({ services, trx, scope, now }) => ok(await exportStudent(trx, scope.id, services.personalData, now)),
  }),
  route({
    method: 'post',
    path: '/api/students/:id/erasure',
    operation: 'eraseStudent',
    summary: 'Forget a student: name, codes, links and sign-ins go for ever; measurements stay without a name',
    tag,
    allow: ['MANAGE_ORG'],
    scope: studentInOrganization,
    demo: 'blocked',
    params: idParams,
    answers: { 200: object({ studentId: IntegerId, erasedAt: Timestamp }) },
    run: async ({ trx, scope, now }) => {
      await eraseStudent(trx, scope, now);
      return ok({ studentId: scope.id, erasedAt: now.toISOString() });
    },
  }),
];
