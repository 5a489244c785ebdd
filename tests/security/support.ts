// Small functions that several security tests share.
import type { Reply } from '../harness/fetch.ts';

/** Disables the general limits, because these tests are about other guards. */
export const noGeneralLimits = {
  RATE_LIMIT_USER_PER_MINUTE: '1000000',
  RATE_LIMIT_IP_PER_MINUTE: '1000000',
  TRUST_PROXY: '1',
};

/** Headers by which the trusted proxy reports this client address. */
export const from = (address: string) => ({ 'x-forwarded-for': address });

export const codeOf = ({ body }: Reply): string | undefined => (body as { code?: string } | undefined)?.code;

/** `{ '201': 1, '409 CONFLICT': 49 }` */
export function tally(replies: readonly Reply[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const reply of replies) {
    const name = reply.status < 400 ? String(reply.status) : `${reply.status} ${codeOf(reply)}`;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

export const inParallel = <T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));
