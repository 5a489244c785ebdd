// Leaving: this session, the one a refresh token belongs to, or every session of the caller.
import type { Actor } from '#core/http/route.ts';
import type { Trx } from '#core/platform/db.ts';
import { sha256Hex } from '#core/platform/pure/canonical-json.ts';
import { AuthSession, RefreshToken } from '../records/users.ts';
import { revoke, revokeAllOf } from './sessions.ts';

export interface LogoutInput {
  readonly refreshToken?: string;
  readonly allSessions?: true;
}

/** A refresh token of somebody else, or an unknown one, ends nothing and is not told apart. */
export async function endSessions(trx: Trx, actor: Actor, input: LogoutInput, now: Date): Promise<void> {
  // The account of a demo is shared by strangers, who do not end each other's sessions.
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
