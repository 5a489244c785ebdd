// Sessions that nobody ended end by themselves (LVS-05), and those that were never begun are cancelled (LVS-06): each in a
// transaction of its own, so that one that fails keeps no other from its end.
import type { CapabilityJobs } from '#core/module/jobs.ts';
import type { Services } from '#core/module/services.ts';
import { inContext, inReadOnlyContext } from '#core/platform/db.ts';
import { eachInTurn } from '#core/platform/pure/lists/each-in-turn.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { lastMoment, longestDraftMs, longestLessonMs } from '../engine/limits.ts';
import { findLockedLive } from '../rows/lock.ts';
import { moveLive } from '../rows/move.ts';
import { endLive } from './end.ts';

/** What is due starts within 5 s. */
const sweepEveryMs = 4_000;
const mostAtOnce = 200;

interface Due {
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
    (error, { id }) => services.log.error({ err: error, liveSessionId: id }, 'a live session could not be ended'),
  );
}

function overdue({ db, clock }: Services): Promise<Due[]> {
  const before = (ms: number) => new Date(clock.now().getTime() - ms).toISOString();
  const statement = `select organization_id, id from live_session
      where state in ('live', 'paused') and started_at <= :startedBefore
    union all select organization_id, id from live_session where state = 'draft' and created_at <= :createdBefore
    limit :limit`;
  const bindings = { startedBefore: before(longestLessonMs), createdBefore: before(longestDraftMs), limit: mostAtOnce };
  return inReadOnlyContext(db, 'SUPER', (trx) => rowsOf<Due>(trx, statement, bindings));
}

/** Whatever was done to it since it was found counts; the moment is taken under the lock. */
function endOne(services: Services, { organizationId, id }: Due): Promise<void> {
  return inContext(services.db, { organizationId }, async (trx) => {
    const row = await findLockedLive(trx, organizationId, id);
    const now = services.clock.now();
    if (!row || row.endedAt !== null || now < lastMoment(row)) return;
    if (row.state === 'draft') await moveLive(trx, row, { kind: 'control', action: 'cancel' }, now);
    else await endLive(trx, services, row, now, null);
  });
}
