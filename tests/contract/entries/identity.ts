// Sign-in and one's own account.

import { newId } from '../../../src/platform/ids.ts';
import { buildUser, openSessionOf, password, passwordHash } from '../../support/factories.ts';
import type { Aim, Entries } from '../entry.ts';

const registration = () => ({
  email: `${newId()}@example.org`,
  password,
  fullNameAr: 'مديرة',
  primaryPersona: 'ADMIN',
});

/** Somebody who is not a caller of the walk, with a live session. */
async function anotherSession({ app }: Aim) {
  const user = await buildUser(app.database.owner, 'TEACHER', { passwordHash: await passwordHash() });
  return { user, tokens: await openSessionOf(app, user) };
}

export const identityEntries: Entries = {
  // Closed, because the walk has a SUPER admin.
  register: { request: () => ({ body: registration() }), expect: 403 },
  login: {
    request: async (aim) => ({ body: { email: (await anotherSession(aim)).user.email, password } }),
  },
  refreshTokens: {
    request: async (aim) => ({ body: { refreshToken: (await anotherSession(aim)).tokens.refreshToken } }),
  },
  logout: { endsSession: true },
  getMe: {},
};
