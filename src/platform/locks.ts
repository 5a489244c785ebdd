// Every advisory lock of the service. PostgreSQL keeps them in one room: a number or a name that is used twice makes two
// things wait for each other that have nothing in common.
import type { Trx } from './db.ts';
import { rowsOf } from './sql.ts';

/** Locks of which there is one each. */
export const lockNumbers = {
  migration: 4_170_221,
  bootstrap: 4_170_222,
  activation: 4_170_223,
  /** Stands in the trigger of the chain too. */
  attestation: 4_170_224,
  demoSeed: 4_170_225,
  /** Impacts and replays are counted before one more is asked for. */
  jobOrders: 4_170_226,
  ledgerSeal: 4_170_227,
} as const;
export type LockNumber = keyof typeof lockNumbers;

/** Locks of which there is one a key: the key follows these words, none of which begin another. */
export const lockNames = {
  emailConflicts: 'e-mail conflicts of ',
  idempotentAnswer: 'idempotent answer ',
  skillStatus: 'skill status of ',
  subFlags: 'sub-flags of ',
  teaserStarts: 'teaser starts of ',
} as const;
export type LockName = keyof typeof lockNames;

/** Waits for the lock, and holds it until the transaction ends. */
export async function acquireLock(trx: Trx, lock: LockNumber): Promise<void> {
  await trx.raw('select pg_advisory_xact_lock(?)', [lockNumbers[lock]]);
}

/** Answers whether the lock was free; then it is held until the transaction ends. */
export async function tryLock(trx: Trx, lock: LockNumber): Promise<boolean> {
  const { rows } = await trx.raw('select pg_try_advisory_xact_lock(?) as free', [lockNumbers[lock]]);
  return rows[0]?.free === true;
}

export const lockText = (name: LockName, key: string | number): string => `${lockNames[name]}${key}`;

export async function acquireNamedLock(trx: Trx, name: LockName, key: string | number): Promise<void> {
  await trx.raw('select pg_advisory_xact_lock(hashtextextended(?, 0))', [lockText(name, key)]);
}

/** The keys whose lock was free, each held until the transaction ends. Never waits. */
export async function tryNamed<Key extends string | number>(
  trx: Trx,
  name: LockName,
  keys: readonly Key[],
): Promise<Key[]> {
  const free = await rowsOf<{ place: number }>(
    trx,
    `select t.place::integer from unnest(:texts::text[]) with ordinality as t (text, place)
     where pg_try_advisory_xact_lock(hashtextextended(t.text, 0))`,
    { texts: keys.map((key) => lockText(name, key)) },
  );
  const places = new Set(free.map(({ place }) => place));
  return keys.filter((_, at) => places.has(at + 1));
}
