// Moves events from the outbox to the queue. A row counts as relayed once its reactions have written what remains to be done;
// jobs are added after that commit, so that no job runs before its facts are visible. A failed reaction is retried separately
// and does not delay others.

import type { Logger } from 'pino';
import { lanes, OutboxEvent, type StoredEvent } from '#core/module/events.ts';
import type { Reaction } from '#core/module/jobs.ts';
import type { Services } from '#core/module/services.ts';
import { inContext, type Trx } from '#core/platform/db.ts';
import { lockRows } from '#core/platform/locks.ts';
import { storedOrganization } from '#core/platform/pure/platform-organization.ts';
import type { Queues } from '#core/platform/queue/queue.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { react } from './reactions.ts';
import { storeRetries } from './retries.ts';

const batchSize = 200;
/** The polling interval without a notification (a lost listener, a pooler in between). */
const pollMs = 5_000;

export interface Relay {
  stop(): Promise<void>;
}

export function startRelay(
  services: Services,
  queues: Queues,
  reactions: readonly Reaction[],
  listen: (wake: () => void) => () => void,
  log: Logger,
): Relay {
  const cursor = newCursor();
  const loop = wakeableLoop(pollMs, async () => void (await relayAll(services, queues, reactions, log, cursor)), log);
  const stopListening = listen(loop.wake);
  return {
    async stop() {
      stopListening();
      await loop.stop();
    },
  };
}

/** The organization whose events were relayed last. */
interface Cursor {
  after: string;
}

const newCursor = (): Cursor => ({ after: '' });

/** Relays batches until no event waits. Returns how many events it moved. */
export async function relayAll(
  services: Services,
  queues: Queues,
  reactions: readonly Reaction[],
  log: Logger = services.log,
  cursor: Cursor = newCursor(),
): Promise<number> {
  let moved = 0;
  for (let batch = 1; batch > 0; moved += batch) batch = await relayBatch(services, queues, reactions, log, cursor);
  return moved;
}

/**
 * Relays one batch of one organization. Returns how many events it moved. Organizations alternate, and the lane of what people
 * have just done comes before the other. Several relays share the work: locked rows are skipped.
 */
export async function relayBatch(
  services: Services,
  queues: Queues,
  reactions: readonly Reaction[],
  log: Logger = services.log,
  cursor: Cursor = newCursor(),
): Promise<number> {
  const now = services.clock.now();
  const { count, jobs } = await inContext(services.db, 'SUPER', async (trx) => {
    const events = await nextEvents(trx, cursor);
    if (events.length === 0) return { count: 0, jobs: [] };
    const { jobs, open } = await react(trx, reactions, events, services.clock);
    await storeRetries(trx, services, open, now, log);
    await markRelayed(trx, events, now);
    return { count: events.length, jobs };
  });
  await queues.add(jobs);
  return count;
}

const markRelayed = (trx: Trx, events: readonly StoredEvent[], now: Date) =>
  OutboxEvent.query(trx)
    .where({ organizationId: events[0]?.organizationId })
    .whereIn(
      'id',
      events.map(({ id }) => id),
    )
    .update({ relayedAt: now.toISOString() });

/** Returns events of the next organization that has some which no other relay holds; none if there is none. */
async function nextEvents(trx: Trx, cursor: Cursor): Promise<StoredEvent[]> {
  const seen = new Set<string>();
  for (;;) {
    const next = await nextHead(trx, cursor);
    const name = next && `${next.lane} ${next.organizationId}`;
    if (!next || name === undefined || seen.has(name)) return [];
    seen.add(name);
    cursor.after = next.organizationId;
    const events = await claimEvents(trx, next);
    if (events.length > 0) return events;
  }
}

interface QueueHead {
  readonly lane: number;
  readonly organizationId: string;
}

/** Four lookups in one index, of which mostly the first finds a row. */
async function nextHead(trx: Trx, { after }: Cursor): Promise<QueueHead | undefined> {
  const lookup = (lane: number, further: string) =>
    `(select lane, organization_id from outbox where relayed_at is null and lane = ${lane} ${further}
      order by organization_id limit 1)`;
  const inLane = (lane: number) => [lookup(lane, 'and organization_id > :after'), lookup(lane, '')];
  const lookups = [...inLane(lanes.fresh), ...inLane(lanes.later)].join(' union all ');
  const [head] = await rowsOf<QueueHead>(trx, `${lookups} limit 1`, { after });
  return head && { ...head, organizationId: storedOrganization(head.organizationId) };
}

/** Events of the platform keep the stored organization. */
async function claimEvents(trx: Trx, { lane, organizationId }: QueueHead): Promise<StoredEvent[]> {
  const waiting = OutboxEvent.query(trx).where({ organizationId, lane }).whereNull('relayedAt');
  const rows: StoredEvent[] = await lockRows('outbox', 'change', waiting)
    .skipLocked()
    .orderBy('id')
    .limit(batchSize)
    .select('id', 'topic', 'payload', 'createdAt', 'lane');
  return rows.map((row) => ({ ...row, organizationId }));
}

/** Runs `work` repeatedly: at once when woken, else after `idleMs`; never twice at a time. */
export function wakeableLoop(idleMs: number, work: () => Promise<void>, log: Logger) {
  let stopped = false;
  let woken = false;
  let interrupt = () => {};
  const sleep = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, idleMs);
      interrupt = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const running = (async () => {
    while (!stopped) {
      woken = false;
      await work().catch((error: unknown) =>
        log.error({ err: error }, 'background work failed; it will be tried again'),
      );
      if (!woken && !stopped) await sleep();
    }
  })();
  return {
    wake() {
      woken = true;
      interrupt();
    },
    async stop() {
      stopped = true;
      interrupt();
      await running;
    },
  };
}
