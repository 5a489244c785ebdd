// Sign-in and the own account.

import { newId } from '#core/platform/ids.ts';
import { buildSuperAdmin, buildUser, openSessionOf, password, passwordHash } from '../../../harness/factories.ts';
import type { TestApp } from '../../../harness/http.ts';
import type { Person } from '../../../harness/world.ts';
import { ownPage } from '../../../identity/people/workbench-session/browser.ts';
import type { Aim, Entries } from '../../requests/entry.ts';

const registration = () => ({
  email: `${newId()}@example.org`,
  password,
  fullNameAr: 'مديرة',
  primaryPersona: 'ADMIN',
});

/** Opens a session of a user who is not one of the callers. */
async function anotherSession({ app }: Aim) {
  const user = await buildUser(app.database.owner, 'TEACHER', { passwordHash: await passwordHash() });
  return { user, tokens: await openSessionOf(app, user) };
}

const others = [
  'MANAGER',
  'PRINCIPAL',
  'TEACHER',
  'PARENT',
  'STUDENT',
  'PRINCIPAL elsewhere',
  'TEACHER elsewhere',
  'PARENT elsewhere',
  'STUDENT elsewhere',
] as const;
const onlyAdministrators = Object.fromEntries(others.map((caller) => [caller, 403]));
/** CONFLICT: the callers have no second factor in use. */
const notEnrolled = { SUPER: 409, ADMIN: 409, ...Object.fromEntries(others.map((caller) => [caller, 409])) };

/** Returns the headers of a page of the workbench with the cookie of a session that was just opened. */
async function pageWithCookie({ app }: Aim) {
  const { refreshToken } = await openSessionOf(app, await buildSuperAdmin(app.database.owner));
  return { ...ownPage, cookie: `workbench=${refreshToken}` };
}

const workbenchSessionEntries: Entries = {
  openWorkbenchSession: {
    request: async ({ app }) => {
      const { email } = await buildSuperAdmin(app.database.owner, { passwordHash: await passwordHash() });
      return { body: { email, password }, headers: ownPage };
    },
  },
  refreshWorkbenchSession: { request: async (aim) => ({ body: {}, headers: await pageWithCookie(aim) }) },
  closeWorkbenchSession: { request: async (aim) => ({ headers: await pageWithCookie(aim) }) },
  getWorkbenchStart: {},
};

export const identityEntries: Entries = {
  ...workbenchSessionEntries,
  // Closed, because a SUPER administrator exists.
  register: { request: () => ({ body: registration() }), expect: 403 },
  login: {
    request: async (aim) => ({ body: { email: (await anotherSession(aim)).user.email, password } }),
  },
  refreshTokens: {
    request: async (aim) => ({ body: { refreshToken: (await anotherSession(aim)).tokens.refreshToken } }),
  },
  logout: { endsSession: true },
  getMe: {},
  changePassword: {
    request: async ({ app, caller }) => {
      await givePassword(app, caller);
      return { body: { currentPassword: password, newPassword: 'another long enough password' } };
    },
  },
  // These codes are invalid. Valid ones are tested with sign-in.
  loginWithQuickCode: { request: () => ({ body: { quickCode: '23456789' } }), expect: 401 },
  exchangeGoogleCode: { request: () => ({ body: { code: 'unknown' } }), expect: 401 },
  // The test service has no Google client.
  startGoogleSignIn: { expect: 503 },
  finishGoogleSignIn: { request: () => ({ query: { state: 'unknown', code: 'unknown' } }), expect: 401 },
  // For administrators, with a code that is unknown here; tests/identity/people/second-factor/second-factor.test.ts
  // tests the whole flow.
  enrollTotp: {
    request: async ({ app, caller }) => {
      await givePassword(app, caller);
      return { body: { password } };
    },
    expect: { ...onlyAdministrators },
  },
  confirmTotp: {
    request: async ({ app, caller }) => {
      if (caller) await app.database.owner('totp').where({ userId: caller.id }).delete();
      return { body: { code: 'unknown' } };
    },
    expect: notEnrolled,
  },
  disableTotp: { request: () => ({ body: { password, code: 'unknown' } }), expect: notEnrolled },
  issueQuickCode: { slots: ['tenant'], request: ({ at }) => ({ params: { id: at.tenant.studentId } }) },
  issueClassQuickCodes: { slots: ['tenant'], request: ({ at }) => ({ params: { id: at.tenant.classId } }) },
  exportStudentData: { slots: ['tenant'], request: ({ at }) => ({ params: { id: at.tenant.studentId } }) },
  listNames: {
    slots: ['filter'],
    request: ({ at: { filter } }) => ({
      query: {
        users: filter.studentId,
        schools: filter.schoolId,
        classes: filter.classId,
        organizations: filter.organizationId,
      },
    }),
  },
  eraseUser: {
    slots: ['tenant'],
    request: async ({ at }) => ({ params: { id: await at.tenant.fresh.user('TEACHER') } }),
  },
  eraseStudent: { slots: ['tenant'], request: async ({ at }) => ({ params: { id: await at.tenant.fresh.student() } }) },
};

async function givePassword({ database }: TestApp, caller: Person | undefined): Promise<void> {
  if (!caller) return;
  await database
    .owner('app_user')
    .where({ id: caller.id })
    .update({ passwordHash: await passwordHash() });
}
