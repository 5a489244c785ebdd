// The service is never left without somebody who can do everything: registration stays closed for ever, so that nobody
// could be made afterwards.
import type { Trx } from '#core/platform/db.ts';
import { conflict } from '#core/platform/errors.ts';
import { lockRows } from '#core/platform/locks.ts';
import { User } from '../records/users.ts';

/**
 * For whoever closes or erases an account, before the write: CONFLICT `last_super` where no other active SUPER
 * administrator would stay. Holds the rows of all of them until the transaction ends, so that two who close each other's
 * account take turns, and the second finds itself alone.
 */
export async function requireAnotherSuper(trx: Trx, user: Pick<User, 'id' | 'scope'>): Promise<void> {
  if (user.scope !== 'SUPER') return;
  const active = await lockRows(
    'account',
    'remove',
    User.query(trx).where({ scope: 'SUPER', status: 'active' }).orderBy('id'),
  );
  if (active.some(({ id }) => id !== user.id)) return;
  throw conflict('last_super', 'This is the last active SUPER administrator; make another one first.');
}
