// The error TEASER_UNAVAILABLE, which covers every missing dependency.
import { type Db, inContext, isDatabaseDown, type Trx } from '#core/platform/db.ts';
import { AppError } from '#core/platform/errors.ts';

const retryAfterSeconds = 5;

export const teaserUnavailable = () =>
  new AppError('TEASER_UNAVAILABLE', 'The short test is not available at the moment. Please try again later.', {
    retryAfter: retryAfterSeconds,
  });

/** Runs one transaction on the teaser's rows, which belong to no organization. */
export const inTeaserTransaction = <T>(db: Db, work: (trx: Trx) => Promise<T>): Promise<T> =>
  mapToTeaserUnavailable(inContext(db, 'SUPER', work));

/** Maps a missing dependency to TEASER_UNAVAILABLE. */
export async function mapToTeaserUnavailable<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const missing = error instanceof AppError && error.code === 'ENGINE_UNAVAILABLE';
    throw missing || isDatabaseDown(error) ? teaserUnavailable() : error;
  }
}
