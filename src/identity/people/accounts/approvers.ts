// Who may still approve rules: a right is asked for again at the moment when an approval takes effect.
import type { Config } from '#core/platform/config/config.ts';
import type { Trx } from '#core/platform/db.ts';
import { type Persona, permissionsOf, type UserScope } from '../records/permissions.ts';

interface Account {
  readonly id: number;
  readonly scope: UserScope;
  readonly primaryPersona: Persona;
  readonly hasFactor: boolean;
}

/**
 * Returns those of these accounts that are active and may approve rules. In production that takes a confirmed second factor. The
 * context is SUPER.
 */
export async function approversAmong(
  { production }: Pick<Config, 'production'>,
  trx: Trx,
  userIds: readonly number[],
): Promise<ReadonlySet<number>> {
  if (userIds.length === 0) return new Set();
  const accounts: Account[] = await trx('app_user as u')
    .leftJoin('totp as t', (join) => join.on('t.organizationId', 'u.organizationId').andOn('t.userId', 'u.id'))
    .where('u.status', 'active')
    .whereIn('u.id', [...new Set(userIds)])
    .select('u.id', 'u.scope', 'u.primaryPersona', trx.raw('t.confirmed_at is not null as has_factor'));
  const able = accounts.filter(
    ({ scope, primaryPersona, hasFactor }) =>
      permissionsOf(primaryPersona, scope).includes('APPROVE_RULES') && (hasFactor || !production),
  );
  return new Set(able.map(({ id }) => id));
}
