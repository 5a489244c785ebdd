// An anonymous session and the token that authorizes access to it.
import { timingSafeEqual } from 'node:crypto';
import type { Trx } from '#core/platform/db.ts';
import { AppError, notFound } from '#core/platform/errors.ts';
import { lockRows } from '#core/platform/locks.ts';
import { sha256Hex } from '#core/platform/pure/canonical-json.ts';
import { TeaserSession } from './store.ts';

export const tokenHashOf = (token: string): string => sha256Hex(token);

/** Throws NOT_FOUND for an unknown session. */
export async function findSession(trx: Trx, id: string): Promise<TeaserSession> {
  const session = await TeaserSession.query(trx).findById(id);
  if (!session) throw notFound();
  return session;
}

/** Returns the session, locked against a concurrent request. Throws NOT_FOUND. */
export async function lockSession(trx: Trx, id: string): Promise<TeaserSession> {
  const session = await lockRows('teaser', 'change', TeaserSession.query(trx).findById(id));
  if (!session) throw notFound();
  return session;
}

/** Throws TOKEN_INVALID for any token but the session's own. */
export function requireToken({ tokenHash }: TeaserSession, token: string): void {
  if (timingSafeEqual(Buffer.from(tokenHash), Buffer.from(tokenHashOf(token)))) return;
  throw new AppError('TOKEN_INVALID', 'This token does not belong to the session.');
}
