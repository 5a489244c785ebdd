// Row-level security goes by the organization that a transaction names, and any statement can name another one. So the name
// comes with a proof, an HMAC under a key that the platform's login alone can read: `tenant_in_sight()` compares it.
import { createHmac } from 'node:crypto';
import type { Knex } from 'knex';
import { poolsOf } from './pools.ts';

/** By the pool of the platform's login. It is made with the database and never changes. */
const keys = new WeakMap<Knex, Buffer>();

/** Reads the key in `reader`, a transaction in the platform's role. */
export async function learnKey(reader: Knex.Transaction): Promise<void> {
  const { platform } = poolsOf(reader);
  if (keys.has(platform)) return;
  const row: { key: Buffer } | undefined = await reader('context_key').first('key');
  if (!row) throw new Error('the database has no key for the contexts of transactions');
  keys.set(platform, row.key);
}

export const knowsKey = (db: Knex): boolean => keys.has(poolsOf(db).platform);

/** What shows that a transaction is for this organization. `learnKey` came before. */
export function proofOf(db: Knex, organizationId: string): string {
  const key = keys.get(poolsOf(db).platform);
  if (!key) throw new Error('the key for the contexts of transactions was not read');
  return createHmac('sha256', key).update(organizationId).digest('hex');
}
