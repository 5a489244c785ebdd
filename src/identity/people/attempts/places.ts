// A try takes a place in each of its windows before its work and settles it afterwards; no transaction is open meanwhile.
// Where the places left are taken, the try waits: only failures lock.

import type { Services } from '#core/module/services.ts';
import { inContext, type Trx } from '#core/platform/db.ts';
import { unavailable } from '#core/platform/errors.ts';
import { newId } from '#core/platform/ids.ts';
import { KeyedMutex } from '#core/platform/pure/keyed-mutex.ts';
import {
  freePlaces,
  readWindow,
  requireOpen,
  type Subject,
  waitSeconds,
  withoutPlace,
  writeWindow,
} from './attempts.ts';
import { type Account, countFailure } from './lock-events.ts';

/** A try takes moments. A process that dies in one holds its place no longer than this (business time). */
const leaseMs = 60_000;
/** A try that waits longer than this is told to come back (the machine's time). */
const patienceMs = 60_000;
const pollMs = { first: 10, most: 100 } as const;

export interface Try {
  /** Counts the failure, in a transaction of its own. `account`: the one that was tried on. */
  failed(account: Account): Promise<void>;
  /** Gives the places back; the failures in windows of one's own are cleared. In the transaction that lets the caller in. */
  passed(trx: Trx): Promise<void>;
}

type TryServices = Pick<Services, 'db' | 'clock' | 'securityEvents' | 'addressHash'>;

export interface TriedWindows {
  readonly own: Subject;
  /** Of many people; each may be locked by others. */
  readonly shared: readonly Subject[];
  readonly clientIp: string;
}

/** Tries of this process on one subject wait here, so that of all of them one asks the database. */
const subjectMutex = new KeyedMutex();
const nameOf = ({ rule, hash }: Subject) => `${rule.kind}:${hash}`;

/**
 * Runs `work` with a place in the windows of all subjects; tries on `own` take turns. `work` says how it ended; one that
 * throws without having said so gives its places back. Throws the refusal of a locked window, ENGINE_UNAVAILABLE after a
 * minute in line.
 */
export function inOwnTurn<T>(
  services: TryServices,
  { own, shared, clientIp }: TriedWindows,
  work: (attempt: Try) => Promise<T>,
): Promise<T> {
  const deadline = performance.now() + patienceMs;
  return subjectMutex.runExclusive(nameOf(own), async () => {
    const places = new Places(services, [own, ...shared], clientIp);
    const [narrowest = own] = shared;
    await subjectMutex.runExclusive(nameOf(narrowest), () => waitFor(() => places.reserve(), deadline));
    try {
      return await work(places);
    } catch (error) {
      await places.giveBack().catch(() => {});
      throw error;
    }
  });
}

async function waitFor(reserved: () => Promise<boolean>, deadline: number): Promise<void> {
  for (let wait: number = pollMs.first; ; wait = Math.min(2 * wait, pollMs.most)) {
    if (performance.now() > deadline) throw unavailable('Too many tries at once. Please try again in a moment.');
    if (await reserved()) return;
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
}

class Places implements Try {
  readonly #services: TryServices;
  /** Always locked in this order. */
  readonly #subjects: readonly Subject[];
  readonly #clientIp: string;
  readonly #id = newId();

  constructor(services: TryServices, subjects: readonly Subject[], clientIp: string) {
    this.#services = services;
    this.#subjects = subjects;
    this.#clientIp = clientIp;
  }

  /** A place in every window or in none; false where one has none left. */
  reserve(): Promise<boolean> {
    return inContext(this.#services.db, 'SUPER', async (trx) => {
      const windows = await this.#locked(trx);
      const now = this.#services.clock.now();
      for (const { subject, window } of windows) requireOpen(subject.rule, window, now);
      if (windows.some(({ subject, window }) => freePlaces(subject.rule, window, now) < 1)) return false;
      const place = { id: this.#id, until: new Date(now.getTime() + leaseMs) };
      for (const { subject, window } of windows) {
        const cleared = withoutPlace(window, this.#id, now);
        await writeWindow(trx, subject, { ...cleared, reserved: [...cleared.reserved, place] }, now);
      }
      return true;
    });
  }

  failed(account: Account): Promise<void> {
    const guess = { clientIp: this.#clientIp, account };
    return inContext(this.#services.db, 'SUPER', async (trx) => {
      const windows = await this.#locked(trx);
      const now = this.#services.clock.now();
      for (const { subject, window } of windows) {
        const cleared = withoutPlace(window, this.#id, now);
        const open = waitSeconds(window, now) === undefined;
        if (open) await countFailure(this.#services, trx, { subject, window: cleared }, guess, now);
        else await writeWindow(trx, subject, cleared, now);
      }
    });
  }

  async passed(trx: Trx): Promise<void> {
    const windows = await this.#locked(trx);
    const now = this.#services.clock.now();
    for (const { subject, window } of windows) {
      const cleared = withoutPlace(window, this.#id, now);
      const forgotten = subject.rule.own ? { ...cleared, failedAt: [], lockedUntil: null } : cleared;
      await writeWindow(trx, subject, forgotten, now);
    }
  }

  giveBack(): Promise<void> {
    return inContext(this.#services.db, 'SUPER', async (trx) => {
      const windows = await this.#locked(trx);
      const now = this.#services.clock.now();
      for (const { subject, window } of windows) {
        if (window.reserved.some(({ id }) => id === this.#id))
          await writeWindow(trx, subject, withoutPlace(window, this.#id, now), now);
      }
    });
  }

  async #locked(trx: Trx) {
    const windows = [];
    for (const subject of this.#subjects) {
      windows.push({ subject, window: await readWindow(trx, subject, this.#services.clock.now()) });
    }
    return windows;
  }
}
