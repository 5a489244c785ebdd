// The schedule that ends live lessons after their maximum duration (LVS-05) and cancels drafts that were never started
// (LVS-06). Each has its own transaction, so that a failure does not affect the others.
import type { CapabilityJobs } from '#core/module/jobs.ts';
import type { Services } from '#core/module/services.ts';
import { inContext, inReadOnlyContext } from '#core/platform/db.ts';
import { eachInTurn } from '#core/platform/pure/lists/each-in-turn.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { expiresAt, maxDraftMs, maxLessonMs } from '../engine/machine.ts';
import { findLockedLive } from '../rows/lock.ts';
import { moveLive } from '../rows/move.ts';
import { endLive } from './end.ts';

/** A due lesson must be ended within 5 s. */
const sweepEveryMs = 4_000;
const maxPerSweep = 200;

interface OverdueLesson {
  readonly organizationId: string;
  readonly id: string;
}

export const endingJobs: CapabilityJobs = {
  schedules: [{ name: 'live-session-ends', everyMs: sweepEveryMs, run: (services) => endOverdue(services) }],
};

/** Throws the first failure when all have had their turn. */
export async function endOverdue(services: Services): Promise<void> {
  await eachInTurn(
    await overdue(services),
    (due) => endOne(services, due),
    (error, { id }) => services.log.error({ err: error, liveSessionId: id }, 'a live lesson could not be ended'),
  );
}

function overdue({ db, clock }: Services): Promise<OverdueLesson[]> {
  const before = (ms: number) => new Date(clock.now().getTime() - ms).toISOString();
  const statement = `select organization_id, id from live_session
      where state in ('live', 'paused') and started_at <= :startedBefore
    union all select organization_id, id from live_session where state = 'draft' and created_at <= :createdBefore
    limit :limit`;
  const bindings = { startedBefore: before(maxLessonMs), createdBefore: before(maxDraftMs), limit: maxPerSweep };
  return inReadOnlyContext(db, 'SUPER', (trx) => rowsOf<OverdueLesson>(trx, statement, bindings));
}

/** Checks the state again under the lock, because the lesson may have changed since it was found. */
function endOne(services: Services, { organizationId, id }: OverdueLesson): Promise<void> {
  return inContext(services.db, { organizationId }, async (trx) => {
    const row = await findLockedLive(trx, organizationId, id);
    const now = services.clock.now();
    if (!row || row.endedAt !== null || now < expiresAt(row)) return;
    if (row.state === 'draft') await moveLive(trx, row, { kind: 'control', action: 'cancel' }, now);
    else await endLive(trx, services, row, now, null);
  });
}
