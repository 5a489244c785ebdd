// Logout: revokes the current session, the session of a refresh token, or every session of the caller.
import type { Actor } from '#core/http/route.ts';
import type { Trx } from '#core/platform/db.ts';
import { sha256Hex } from '#core/platform/pure/canonical-json.ts';
import { AuthSession, RefreshToken } from '../records/users.ts';
import { revoke, revokeAllOf } from './auth-sessions.ts';

export interface LogoutInput {
  readonly refreshToken?: string;
  readonly allSessions?: true;
}

/** An unknown refresh token or one of another account is ignored without an error. */
export async function logOut(trx: Trx, actor: Actor, input: LogoutInput, now: Date): Promise<void> {
  // A demo account is shared by many people, so it cannot revoke all of its sessions.
  if (input.allSessions && !actor.isDemo) return revokeAllOf(trx, actor.userId, 'logout', now);
  const ids = new Set([actor.sessionId]);
  if (input.refreshToken !== undefined) {
    const named = RefreshToken.query(trx)
      .select('sessionId')
      .where({ tokenHash: sha256Hex(input.refreshToken) });
    const own = await AuthSession.query(trx).select('id').where({ userId: actor.userId }).whereIn('id', named);
    for (const { id } of own) ids.add(id);
  }
  await revoke(trx, [...ids], 'logout', now);
}

/** Revokes the session of a refresh token, spent or not; an unknown one is ignored. */
export async function endSessionOf(trx: Trx, refreshToken: string, now: Date): Promise<void> {
  const known = await RefreshToken.query(trx).findById(sha256Hex(refreshToken)).select('sessionId');
  if (known) await revoke(trx, [known.sessionId], 'logout', now);
}
