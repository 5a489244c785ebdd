// The moment of a correction: after the ends of all windows that were read without it.
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { acquireNamedLock } from '#core/platform/locks.ts';
import { present } from '../engine/corrections.ts';
import { loadCorrections } from './load.ts';

/** Returns the newest instant up to which evidence of one of the students was read and stored; null when there is none. */
export type WindowEndReader = (
  trx: Trx,
  organizationId: string,
  studentIds: readonly number[],
) => Promise<string | null>;

/**
 * Waits for runs of the accounts' students, keeps others away until the transaction ends, and returns the moment of the
 * correction. The clock of a process that computed may have been ahead. The caller has locked the accounts
 * (`lockStudents`), so that no other correction changes to whom they belong.
 */
export async function momentOfCorrection(
  trx: Trx,
  { capabilities, clock }: Pick<Services, 'capabilities' | 'clock'>,
  organizationId: string,
  accountIds: readonly number[],
): Promise<Date> {
  const corrections = await loadCorrections(trx, organizationId, accountIds);
  const survivors = accountIds.map((accountId) => corrections.survivorAt(accountId, present));
  const studentIds = [...new Set([...accountIds, ...survivors])].sort((left, right) => left - right);
  for (const studentId of studentIds) await acquireNamedLock(trx, 'skillStatus', studentId);
  let moment = clock.now().getTime();
  for (const read of capabilities.flatMap(({ windowEndReaders = [] }) => windowEndReaders)) {
    const end = await read(trx, organizationId, studentIds);
    if (end !== null) moment = Math.max(moment, Date.parse(end) + 1);
  }
  return new Date(moment);
}
