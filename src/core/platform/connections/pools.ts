// A process has two logins. The one of requests and jobs sees the rows of the one organization that its transaction has proved,
// and can become no other role. The one of the platform sees all rows, and is used only by transactions in the context SUPER or
// begun with `onPlatform`.
import type { Knex } from 'knex';

interface Pools {
  readonly tenants: Knex;
  readonly platform: Knex;
}

const pairs = new WeakMap<object, Pools>();

/** Events of the platform's pool that are forwarded to listeners of the other one. */
const forwardedEvents = ['start', 'query', 'query-response', 'query-error'] as const;

/**
 * Returns `tenants`, paired with `platform` and closed together with it. If both are the same pool, one login serves every
 * context.
 */
export function pairPools(tenants: Knex, platform: Knex): Knex {
  for (const pool of [tenants, platform]) pairs.set(pool.client.config, { tenants, platform });
  if (platform === tenants) return tenants;
  for (const event of forwardedEvents) platform.on(event, (...values: unknown[]) => tenants.emit(event, ...values));
  const end = tenants.destroy.bind(tenants);
  Object.defineProperty(tenants, 'destroy', { value: () => Promise.all([end(), platform.destroy()]) });
  return tenants;
}

/** Returns the pools of a connection or transaction. Throws if it was not opened by `connect`. */
export const poolsOf = ({ client: { config } }: Knex): Pools => {
  const pools = pairs.get(config);
  if (!pools) throw new Error('these connections were not opened by connect()');
  return pools;
};

/** Returns the URL of the platform's login: the user name has the suffix `_platform`, the password is the same. */
export function platformUrl(appUrl: string): string {
  const url = new URL(appUrl);
  url.username = `${url.username}_platform`;
  return url.href;
}

/**
 * Splits the connections of a process: sign-in, the relay and the backoffice need fewer than requests and jobs. Seeding the
 * demo keeps one transaction open beside those in which it works, so the tenants' pool has at least two and the platform's one.
 */
export function splitPoolSize(poolSize: number): { readonly tenants: number; readonly platform: number } {
  const platform = Math.max(1, Math.round(poolSize * platformShare));
  return { tenants: Math.max(Math.min(minTenants, poolSize), poolSize - platform), platform };
}

const platformShare = 0.4;
const minTenants = 2;

/** Returns whether a transaction that begins now gets a connection at once. */
export function hasFreeConnection(db: Knex): boolean {
  const { pool } = db.client;
  return pool.numUsed() + pool.numPendingAcquires() < pool.max;
}
