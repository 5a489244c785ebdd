// A process has two logins. That of requests and jobs sees the rows of the one organization that its transaction proves to
// be for, and can become nobody else; that of the platform sees all rows, and only a transaction in the context SUPER, or
// one that begins `onPlatform`, goes to it.
import type { Knex } from 'knex';

interface Pools {
  readonly tenants: Knex;
  readonly platform: Knex;
}

const pairs = new WeakMap<object, Pools>();

/** What is told of statements of the platform's login is told to those who listen to the other's. */
const told = ['start', 'query', 'query-response', 'query-error'] as const;

/** The first, which from now on knows the second and ends with it. The same twice: one login in every context. */
export function pairPools(tenants: Knex, platform: Knex): Knex {
  for (const pool of [tenants, platform]) pairs.set(pool.client.config, { tenants, platform });
  if (platform === tenants) return tenants;
  for (const event of told) platform.on(event, (...words: unknown[]) => tenants.emit(event, ...words));
  const end = tenants.destroy.bind(tenants);
  Object.defineProperty(tenants, 'destroy', { value: () => Promise.all([end(), platform.destroy()]) });
  return tenants;
}

/** Also of a transaction: the connections that it is not one of. */
export const poolsOf = ({ client: { config } }: Knex): Pools => {
  const pools = pairs.get(config);
  if (!pools) throw new Error('these connections were not opened by connect()');
  return pools;
};

/** The platform's login beside one that requests and jobs run as: its name says whose it is, its password is the same. */
export function platformUrl(appUrl: string): string {
  const url = new URL(appUrl);
  url.username = `${url.username}_platform`;
  return url.href;
}

/**
 * Both share what a process may hold: sign-in, the relay and the backoffice need less than requests and jobs. Seeding the
 * demo keeps one transaction open beside those that it works in, so that of two there are two left, and one more.
 */
export function splitPoolSize(poolSize: number): { readonly tenants: number; readonly platform: number } {
  const platform = Math.max(1, Math.round(poolSize * platformsShare));
  return { tenants: Math.max(Math.min(fewest, poolSize), poolSize - platform), platform };
}

const platformsShare = 0.4;
const fewest = 2;

/** Returns whether a transaction that begins now gets a connection at once. */
export function hasFreeConnection(db: Knex): boolean {
  const { pool } = db.client;
  return pool.numUsed() + pool.numPendingAcquires() < pool.max;
}
