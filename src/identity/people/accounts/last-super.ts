// Guards the last SUPER administrator: registration never opens again, so no new one could be created afterwards.
import type { Trx } from '#core/platform/db.ts';
import { conflict } from '#core/platform/errors.ts';
import { lockRows } from '#core/platform/locks.ts';
import { User } from '../records/users.ts';

/**
 * Throws CONFLICT `last_super` when `user` is the last active SUPER administrator; to be called before an account is closed
 * or erased. Locks the rows of all active SUPER administrators until the transaction ends, so that of two who close each
 * other's account the second is refused.
 */
export async function requireAnotherSuper(trx: Trx, user: Pick<User, 'id' | 'scope'>): Promise<void> {
  if (user.scope !== 'SUPER') return;
  const active = await lockRows(
    'account',
    'remove',
    User.query(trx).where({ scope: 'SUPER', status: 'active' }).orderBy('id'),
  );
  if (active.some(({ id }) => id !== user.id)) return;
  throw conflict('last_super', 'This is the last active SUPER administrator. Create another one first.');
}
