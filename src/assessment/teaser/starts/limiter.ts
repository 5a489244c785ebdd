// Limits the teasers per address, counted on business time in the transaction of the start, so that a failed start is
// not counted.

import type { Logger } from 'pino';
import type { Trx } from '#core/platform/db.ts';
import { AppError } from '#core/platform/errors.ts';
import { acquireNamedLock } from '#core/platform/locks.ts';
import { secondsToWait } from '../engine/start-limit.ts';
import type { StartLimit } from '../engine/values.ts';
import { TeaserStart } from '../store.ts';
import { teaserUnavailable } from '../unavailable.ts';

/** Throws RATE_LIMITED beyond the limit, TEASER_UNAVAILABLE when the starts cannot be counted. */
export async function countStart(
  trx: Trx,
  addressHash: string,
  limit: StartLimit,
  now: Date,
  log: Logger,
): Promise<void> {
  try {
    await oneAtATime(trx, addressHash);
    const rows: { startedAt: string }[] = await TeaserStart.query(trx)
      .where({ addressHash })
      .where('startedAt', '>', new Date(now.getTime() - limit.windowMs))
      .select('startedAt');
    const starts = rows.map(({ startedAt }) => Date.parse(startedAt));
    const retryAfter = secondsToWait(starts, now.getTime(), limit);
    if (retryAfter !== undefined) throw tooMany(retryAfter);
    await TeaserStart.query(trx).insert({ addressHash, startedAt: now.toISOString() });
  } catch (error) {
    if (error instanceof AppError) throw error;
    log.warn({ err: error }, 'the starts of the teaser cannot be counted');
    throw teaserUnavailable();
  }
}

/** Serializes the starts of one address until the transaction ends. */
const oneAtATime = (trx: Trx, addressHash: string) => acquireNamedLock(trx, 'teaserStarts', addressHash);

const tooMany = (retryAfter: number) =>
  new AppError('RATE_LIMITED', 'The short test was started several times from here; wait a while.', { retryAfter });
