// An attempt reserves a slot in each of its windows before its work and settles it afterwards; no transaction is open in
// between. When all slots are reserved, the attempt waits: only failures cause a lock.

import type { Services } from '#core/module/services.ts';
import { inContext, type Trx } from '#core/platform/db.ts';
import { unavailable } from '#core/platform/errors.ts';
import { newId } from '#core/platform/ids.ts';
import { KeyedMutex } from '#core/platform/pure/keyed-mutex.ts';
import {
  type AttemptSubject,
  freeSlots,
  readWindow,
  requireUnlocked,
  waitSeconds,
  withoutReservation,
  writeWindow,
} from './attempts.ts';
import { type Account, countAttemptFailure } from './lock-events.ts';

/** A reservation of a dead process expires after this time (business time). An attempt takes less than a second. */
const leaseMs = 60_000;
/** Maximum time that an attempt waits for a slot (monotonic time of the process). */
const maxWaitMs = 60_000;
const pollMs = { first: 10, most: 100 } as const;

export interface Attempt {
  /** Counts the failure in a transaction of its own. `account` is the account that was attempted. */
  recordFailure(account: Account): Promise<void>;
  /** Releases the slots and clears the failures of the own window, in the transaction that signs the caller in. */
  recordSuccess(trx: Trx): Promise<void>;
}

type AttemptServices = Pick<Services, 'db' | 'clock' | 'securityEvents' | 'addressHash'>;

export interface AttemptWindows {
  readonly own: AttemptSubject;
  /** Subjects that are shared by many people. */
  readonly shared: readonly AttemptSubject[];
  readonly clientIp: string;
}

/** Attempts of this process on one subject are serialized here, so that only one of them polls the database. */
const subjectMutex = new KeyedMutex();
const nameOf = ({ rule, hash }: AttemptSubject) => `${rule.kind}:${hash}`;

/**
 * Runs `work` with a reserved slot in the windows of all subjects; attempts on `own` are serialized. `work` records its
 * outcome; if it throws without having done so, the slots are released. Throws the error of a locked window, and
 * ENGINE_UNAVAILABLE after a minute of waiting.
 */
export function withReservedAttempt<T>(
  services: AttemptServices,
  { own, shared, clientIp }: AttemptWindows,
  work: (attempt: Attempt) => Promise<T>,
): Promise<T> {
  const deadline = performance.now() + maxWaitMs;
  return subjectMutex.runExclusive(nameOf(own), async () => {
    const reserved = new ReservedAttempt(services, [own, ...shared], clientIp);
    const [narrowest = own] = shared;
    await subjectMutex.runExclusive(nameOf(narrowest), () => waitFor(() => reserved.reserve(), deadline));
    try {
      return await work(reserved);
    } catch (error) {
      await reserved.release().catch(() => {});
      throw error;
    }
  });
}

async function waitFor(reserve: () => Promise<boolean>, deadline: number): Promise<void> {
  for (let wait: number = pollMs.first; ; wait = Math.min(2 * wait, pollMs.most)) {
    if (performance.now() > deadline) throw unavailable('Too many attempts at once. Try again in a moment.');
    if (await reserve()) return;
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
}

class ReservedAttempt implements Attempt {
  readonly #services: AttemptServices;
  /** The windows are locked in this order. */
  readonly #subjects: readonly AttemptSubject[];
  readonly #clientIp: string;
  readonly #id = newId();

  constructor(services: AttemptServices, subjects: readonly AttemptSubject[], clientIp: string) {
    this.#services = services;
    this.#subjects = subjects;
    this.#clientIp = clientIp;
  }

  /** Reserves a slot in every window or in none; returns false when one window has no free slot. */
  reserve(): Promise<boolean> {
    return inContext(this.#services.db, 'SUPER', async (trx) => {
      const windows = await this.#lockWindows(trx);
      const now = this.#services.clock.now();
      for (const { subject, window } of windows) requireUnlocked(subject.rule, window, now);
      if (windows.some(({ subject, window }) => freeSlots(subject.rule, window, now) < 1)) return false;
      const reservation = { id: this.#id, until: new Date(now.getTime() + leaseMs) };
      for (const { subject, window } of windows) {
        const cleared = withoutReservation(window, this.#id, now);
        await writeWindow(trx, subject, { ...cleared, reserved: [...cleared.reserved, reservation] }, now);
      }
      return true;
    });
  }

  recordFailure(account: Account): Promise<void> {
    const guess = { clientIp: this.#clientIp, account };
    return inContext(this.#services.db, 'SUPER', async (trx) => {
      const windows = await this.#lockWindows(trx);
      const now = this.#services.clock.now();
      for (const { subject, window } of windows) {
        const cleared = withoutReservation(window, this.#id, now);
        const open = waitSeconds(window, now) === undefined;
        if (open) await countAttemptFailure(this.#services, trx, { subject, window: cleared }, guess, now);
        else await writeWindow(trx, subject, cleared, now);
      }
    });
  }

  async recordSuccess(trx: Trx): Promise<void> {
    const windows = await this.#lockWindows(trx);
    const now = this.#services.clock.now();
    for (const { subject, window } of windows) {
      const cleared = withoutReservation(window, this.#id, now);
      const forgotten = subject.rule.own ? { ...cleared, failedAt: [], lockedUntil: null } : cleared;
      await writeWindow(trx, subject, forgotten, now);
    }
  }

  release(): Promise<void> {
    return inContext(this.#services.db, 'SUPER', async (trx) => {
      const windows = await this.#lockWindows(trx);
      const now = this.#services.clock.now();
      for (const { subject, window } of windows) {
        if (window.reserved.some(({ id }) => id === this.#id))
          await writeWindow(trx, subject, withoutReservation(window, this.#id, now), now);
      }
    });
  }

  async #lockWindows(trx: Trx) {
    const windows = [];
    for (const subject of this.#subjects) {
      windows.push({ subject, window: await readWindow(trx, subject, this.#services.clock.now()) });
    }
    return windows;
  }
}
