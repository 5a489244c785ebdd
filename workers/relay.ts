// Moves events from the outbox to the queue. A row counts as relayed once its reactions have written what is to be done
// from then on; jobs are added after that commit, so that no job runs before its facts can be seen. A reaction that
// fails is put aside with its event and keeps nobody waiting.

import type { Logger } from 'pino';
import { lanes, type StoredEvent } from '#core/module/events.ts';
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
/** Without a notification (a lost listener, a pooler in between) the outbox is looked at this often. */
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
  const turn = newTurn();
  const loop = wakeableLoop(pollMs, async () => void (await relayAll(services, queues, reactions, log, turn)), log);
  const stopListening = listen(loop.wake);
  return {
    async stop() {
      stopListening();
      await loop.stop();
    },
  };
}

/** The organization that had its turn last. */
interface Turn {
  after: string;
}

const newTurn = (): Turn => ({ after: '' });

/** Batch after batch until nothing waits; answers how many events it moved. */
export async function relayAll(
  services: Services,
  queues: Queues,
  reactions: readonly Reaction[],
  log: Logger = services.log,
  turn: Turn = newTurn(),
): Promise<number> {
  let moved = 0;
  for (let batch = 1; batch > 0; moved += batch) batch = await relayBatch(services, queues, reactions, log, turn);
  return moved;
}

/**
 * One batch of one organization; answers how many events it moved. Organizations have their turn one after the other, and
 * the lane of what people have just done comes before the other. Several relays share the work: rows in hand are skipped.
 */
export async function relayBatch(
  services: Services,
  queues: Queues,
  reactions: readonly Reaction[],
  log: Logger = services.log,
  turn: Turn = newTurn(),
): Promise<number> {
  const now = services.clock.now();
  const { count, jobs } = await inContext(services.db, 'SUPER', async (trx) => {
    const events = await nextEvents(trx, turn);
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
  trx('outbox')
    .where({ organizationId: events[0]?.organizationId })
    .whereIn(
      'id',
      events.map(({ id }) => id),
    )
    .update({ relayedAt: now });

/** Of the next organization that has some which are in no other relay's hands; none when there is none. */
async function nextEvents(trx: Trx, turn: Turn): Promise<StoredEvent[]> {
  const seen = new Set<string>();
  for (;;) {
    const next = await nextHead(trx, turn);
    const name = next && `${next.lane} ${next.organizationId}`;
    if (!next || name === undefined || seen.has(name)) return [];
    seen.add(name);
    turn.after = next.organizationId;
    const events = await claimEvents(trx, next);
    if (events.length > 0) return events;
  }
}

interface QueueHead {
  readonly lane: number;
  readonly organizationId: string;
}

/** Four looks into one index, of which mostly the first finds something. */
async function nextHead(trx: Trx, { after }: Turn): Promise<QueueHead | undefined> {
  const look = (lane: number, further: string) =>
    `(select lane, organization_id from outbox where relayed_at is null and lane = ${lane} ${further}
      order by organization_id limit 1)`;
  const inLane = (lane: number) => [look(lane, 'and organization_id > :after'), look(lane, '')];
  const looks = [...inLane(lanes.fresh), ...inLane(lanes.later)].join(' union all ');
  const [head] = await rowsOf<QueueHead>(trx, `${looks} limit 1`, { after });
  return head && { ...head, organizationId: storedOrganization(head.organizationId) };
}

/** Events of the platform itself are those of its organization, as they are stored. */
async function claimEvents(trx: Trx, { lane, organizationId }: QueueHead): Promise<StoredEvent[]> {
  const waiting = trx('outbox').where({ organizationId, lane }).whereNull('relayedAt');
  const rows: StoredEvent[] = await lockRows('outbox', 'change', waiting)
    .skipLocked()
    .orderBy('id')
    .limit(batchSize)
    .select('id', 'topic', 'payload', 'createdAt', 'lane');
  return rows.map((row) => ({ ...row, organizationId }));
}

/** Runs `work` again and again: at once when woken, else after `idleMs`; never twice at a time. */
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
