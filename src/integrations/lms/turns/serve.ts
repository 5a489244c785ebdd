// Works on the open jobs of a queue, one organization after the other.
import type { Services } from '#core/module/services.ts';
import { whileRenewing } from '#core/platform/leases.ts';
import { buildPreview } from '../preview/assemble/build.ts';
import { runSync } from '../scheduled/run.ts';
import { claimTurn, type QueueTurn, releaseTurn, renewTurn } from './leases.ts';
import { nextJobs, type OpenJob, type QueueName } from './open-jobs.ts';

/** The number of jobs that are read at a time. Other processes may claim the first ones at the same moment. */
const candidates = 10;

/**
 * Works until no open job can be claimed. A job that did not end, because it failed or another process has it, is not claimed
 * again here: a sweep enqueues it again.
 */
export async function serveQueue(services: Services, queue: QueueName, stop: AbortSignal): Promise<void> {
  const taken = new Set<string>();
  while (!stop.aborted) {
    const claimed = await claimNext(services, queue, taken);
    if (!claimed) return;
    taken.add(claimed.job.id);
    await workAt(services, claimed, stop);
  }
}

interface Claimed {
  readonly turn: QueueTurn;
  readonly job: OpenJob;
}

async function claimNext({ db }: Services, queue: QueueName, except: Iterable<string>): Promise<Claimed | undefined> {
  for (const job of await nextJobs(db, queue, { except, limit: candidates })) {
    const turn = await claimTurn(db, queue, job);
    if (turn) return { turn, job };
  }
  return undefined;
}

async function workAt(services: Services, { turn, job }: Claimed, stop: AbortSignal): Promise<void> {
  const { db, log } = services;
  const { organizationId, id } = job;
  const work = job.kind === 'preview' ? buildPreview : runSync;
  try {
    await whileRenewing(
      () => renewTurn(db, turn),
      () => work(services, { organizationId, id }, stop),
    );
  } finally {
    // A lease that cannot be released expires.
    await releaseTurn(db, turn).catch((error: unknown) => log.warn({ err: error, organizationId }, 'a turn was kept'));
  }
}
