// The teaser's own word for "not at the moment", whatever is missing underneath.
import { type Db, inContext, isDatabaseDown, type Trx } from '../platform/db.ts';
import { AppError } from '../platform/errors.ts';

const retryAfterSeconds = 5;

export const teaserUnavailable = () =>
  new AppError('TEASER_UNAVAILABLE', 'The short test is not available at the moment. Please try again later.', {
    retryAfter: retryAfterSeconds,
  });

/** One transaction on the teaser's rows, which belong to no organization. */
export async function inTeaser<T>(db: Db, work: (trx: Trx) => Promise<T>): Promise<T> {
  try {
    return await inContext(db, 'SUPER', work);
  } catch (error) {
    const missing = error instanceof AppError && error.code === 'ENGINE_UNAVAILABLE';
    throw missing || isDatabaseDown(error) ? teaserUnavailable() : error;
  }
}
