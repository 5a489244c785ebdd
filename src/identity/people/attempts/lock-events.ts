// Security events of locks: one per lock, written in the transaction that counts the failure which begins it. Attempts that
// are refused during the lock write none.

import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import type { User } from '../records/users.ts';
import { type AttemptSubject, type AttemptWindow, writeFailure } from './attempts.ts';

type Recording = Pick<Services, 'securityEvents' | 'addressHash'>;

/** The account that was attempted; undefined when no such account exists. */
export type Account = Pick<User, 'id' | 'organizationId'> | undefined;

export interface Guess {
  readonly clientIp: string;
  readonly account: Account;
}

/** Counts a failure in an open window. The caller holds the lock of the window. */
export async function countAttemptFailure(
  services: Recording,
  trx: Trx,
  { subject, window }: { subject: AttemptSubject; window: AttemptWindow },
  guess: Guess,
  now: Date,
): Promise<void> {
  if (await writeFailure(trx, subject, window, now)) await recordLock(services, trx, subject, guess, now);
}

/** Records the begin of a lock. A shared window counts attempts on many accounts, so its event names none. */
export async function recordLock(
  { securityEvents, addressHash }: Recording,
  trx: Trx,
  { rule: { event, kind, own } }: AttemptSubject,
  { clientIp, account }: Guess,
  now: Date,
): Promise<void> {
  const { id: userId = null, organizationId = null } = (own ? account : undefined) ?? {};
  const details = { window: kind };
  const who = { organizationId, userId, addressHash: addressHash(clientIp) };
  await securityEvents.recordWith(trx, { kind: event, ...who, details, at: now });
}
