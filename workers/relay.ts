// Moves events from the outbox to the queue. A row counts as relayed once its reactions have written what is to be done
// from then on; jobs are added after that commit, so that no job runs before its facts can be seen. A reaction that
// fails is put aside with its event and keeps nobody waiting.

import pg from 'pg';
import type { Logger } from 'pino';
import type { StoredEvent } from '../src/kernel/events.ts';
import type { Reaction } from '../src/kernel/jobs.ts';
import type { Services } from '../src/kernel/services.ts';
import { inContext, type Trx } from '../src/platform/db.ts';
import { lockRows } from '../src/platform/locks.ts';
import type { Queues } from '../src/platform/queue.ts';
import { react } from './reactions.ts';
import { keepOpen } from './retries.ts';

const batchSize = 200;
/** Without a notification (a lost listener, a pooler in between) the outbox is looked at this often. */
const pollMs = 5_000;
const reconnectAfterMs = 1_000;

export interface Relay {
  stop(): Promise<void>;
}

export function startRelay(
  services: Services,
  queues: Queues,
  reactions: readonly Reaction[],
  listen: Listen,
  log: Logger,
): Relay {
  const loop = wakeableLoop(
    pollMs,
    async () => {
      while ((await relayBatch(services, queues, reactions, log)) === batchSize);
    },
    log,
  );
  const stopListening = listen(loop.wake);
  return {
    async stop() {
      stopListening();
      await loop.stop();
    },
  };
}

/** One batch; answers how many events it moved. Several relays share the work: rows in hand are skipped. */
export async function relayBatch(
  services: Services,
  queues: Queues,
  reactions: readonly Reaction[],
  log: Logger = services.log,
): Promise<number> {
  const now = services.clock.now();
  const { count, jobs } = await inContext(services.db, 'SUPER', async (trx) => {
    const events = await waitingEvents(trx);
    if (events.length === 0) return { count: 0, jobs: [] };
    const { jobs, open } = await react(trx, reactions, events, now);
    await keepOpen(trx, services, open, now, log);
    await markRelayed(trx, events, now);
    return { count: events.length, jobs };
  });
  await queues.add(jobs);
  return count;
}

const markRelayed = (trx: Trx, events: readonly StoredEvent[], now: Date) =>
  trx('outbox')
    .whereIn(
      'id',
      events.map(({ id }) => id),
    )
    .update({ relayedAt: now });

function waitingEvents(trx: Trx): Promise<StoredEvent[]> {
  return lockRows('outbox', 'change', trx('outbox').whereNull('relayedAt').orderBy('id').limit(batchSize))
    .skipLocked()
    .select('id', 'organizationId', 'topic', 'payload');
}

type Listen = (wake: () => void) => () => void;

/** Listens for `NOTIFY outbox` on a connection of its own and reconnects by itself. */
export function postgresListener(connection: { connectionString: string; options?: string }, log: Logger): Listen {
  return (wake) => {
    let client: pg.Client | undefined;
    let stopped = false;
    const connect = async () => {
      if (stopped) return;
      client = new pg.Client(connection);
      client.on('error', () => {});
      client.on('notification', wake);
      client.on('end', () => setTimeout(() => void connect(), reconnectAfterMs).unref());
      try {
        await client.connect();
        await client.query('listen outbox');
        wake();
      } catch (error) {
        log.warn({ err: error }, 'outbox listener');
        await client.end().catch(() => {});
      }
    };
    void connect();
    return () => {
      stopped = true;
      void client?.end().catch(() => {});
    };
  };
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
