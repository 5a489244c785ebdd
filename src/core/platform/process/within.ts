// A limit on how long somebody waits for work that goes on by itself.
import { unavailable } from '../errors.ts';

/** Throws ENGINE_UNAVAILABLE where the work takes longer; what it comes to then is let go. */
export async function within<T>(waitMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(unavailable('This takes longer than usual. Please try again.')), waitMs);
  });
  work.catch(() => {});
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}
