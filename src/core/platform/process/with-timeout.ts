// Limits how long a caller waits for work that goes on by itself.
import { unavailable } from '../errors.ts';

/** Throws ENGINE_UNAVAILABLE if `work` takes longer; its later result or failure is ignored. */
export async function withTimeout<T>(timeoutMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(unavailable('This takes longer than usual. Please try again.')), timeoutMs);
  });
  work.catch(() => {});
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}
