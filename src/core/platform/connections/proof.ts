// Row-level security depends on the organization that a transaction names, and any statement could name another one. The name
// is therefore sent with a proof, an HMAC under a key that only the platform's login can read; `tenant_in_sight()` verifies it.

import { createHmac } from 'node:crypto';
import type { Knex } from 'knex';
import { modelOf } from '../model.ts';
import { poolsOf } from './pools.ts';

const ContextKey = modelOf<{ readonly isOnly: boolean; readonly key: Buffer }>('context_key', { id: 'isOnly' });

/** Keys by the pool of the platform's login. A key is created with the database and never changes. */
const keys = new WeakMap<Knex, Buffer>();

/** Loads the key in `reader`, a transaction with the platform's role. */
export async function loadContextKey(reader: Knex.Transaction): Promise<void> {
  const { platform } = poolsOf(reader);
  if (keys.has(platform)) return;
  const row: { key: Buffer } | undefined = await ContextKey.query(reader).select('key').first();
  if (!row) throw new Error('the database has no key for the contexts of transactions');
  keys.set(platform, row.key);
}

export const hasContextKey = (db: Knex): boolean => keys.has(poolsOf(db).platform);

/** Returns the proof for an organization. `loadContextKey` must have been called. */
export function proofOf(db: Knex, organizationId: string): string {
  const key = keys.get(poolsOf(db).platform);
  if (!key) throw new Error('the key for the contexts of transactions was not read');
  return createHmac('sha256', key).update(organizationId).digest('hex');
}
