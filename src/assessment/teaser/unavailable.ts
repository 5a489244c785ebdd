// The teaser's own word for "not at the moment", whatever is missing underneath.
import { type Db, inContext, isDatabaseDown, type Trx } from '#core/platform/db.ts';
import { AppError } from '#core/platform/errors.ts';

const retryAfterSeconds = 5;

export const teaserUnavailable = () =>
  new AppError('TEASER_UNAVAILABLE', 'The short test is not available at the moment. Please try again later.', {
    retryAfter: retryAfterSeconds,
  });

/** One transaction on the teaser's rows, which belong to no organization. */
export const inTeaser = <T>(db: Db, work: (trx: Trx) => Promise<T>): Promise<T> =>
  inTeasersWord(inContext(db, 'SUPER', work));

/** What is missing underneath is TEASER_UNAVAILABLE. */
export async function inTeasersWord<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const missing = error instanceof AppError && error.code === 'ENGINE_UNAVAILABLE';
    throw missing || isDatabaseDown(error) ? teaserUnavailable() : error;
  }
}
