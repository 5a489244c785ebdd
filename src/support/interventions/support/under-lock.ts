// Takes the time of a call under the lock of the student's support, so that a call that had to wait writes no time before that
// of the other writer.
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { lockSupport } from './lock.ts';

interface Asked {
  readonly services: Pick<Services, 'clock'>;
  readonly trx: Trx;
  readonly now: Date;
}

interface Supported {
  readonly organizationId: string;
  readonly studentId: number;
}

/** Locks the student's support and returns the call with a `now` taken under the lock. */
export async function underLock<Call extends Asked>(
  call: Call,
  { organizationId, studentId }: Supported,
): Promise<Call> {
  await lockSupport(call.trx, organizationId, [studentId]);
  return { ...call, now: call.services.clock.now() };
}
