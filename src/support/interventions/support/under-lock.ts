// What is asked about a student's support, from the moment on at which its lock is held: whoever had to wait for it would
// otherwise write with a time from before what the others have written meanwhile.
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

/** Locks the student's support; the call again, its `now` taken under the lock. */
export async function underLock<Call extends Asked>(
  call: Call,
  { organizationId, studentId }: Supported,
): Promise<Call> {
  await lockSupport(call.trx, organizationId, [studentId]);
  return { ...call, now: call.services.clock.now() };
}
