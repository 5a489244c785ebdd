// Stores security events. A refusal rolls its request back, so its event goes another way: on a connection of its own,
// one batch at a time, after the request has its answer. No request waits for it and none fails because of it.
import type { Logger } from 'pino';
import { type Db, inContext, type Trx } from '../platform/db.ts';
import type { SecurityEvent } from './kinds.ts';

export interface SecurityEvents {
  /** Returns at once. What cannot be stored is logged instead. */
  record(event: SecurityEvent): void;
  /** Within a unit of work that may see the event's organization: the event stays if, and only if, the work does. */
  recordWith(trx: Trx, event: SecurityEvent): Promise<void>;
  /** Resolves when everything recorded so far is stored or logged. */
  settled(): Promise<void>;
}

const batchSize = 200;
/** Events that wait while the database is slow or away; later ones are logged only. */
const maxWaiting = 10_000;

export function securityEvents(db: Db, log: Logger): SecurityEvents {
  const waiting: SecurityEvent[] = [];
  let writing: Promise<void> | undefined;
  const logInstead = (events: readonly SecurityEvent[], err?: unknown) =>
    log.error({ err, events }, 'security events could not be stored');
  const write = async (batch: readonly SecurityEvent[]): Promise<void> => {
    try {
      await inContext(db, 'SUPER', (trx) => store(trx, batch));
    } catch (error) {
      if (batch.length === 1) logInstead(batch, error);
      else for (const event of batch) await write([event]);
    }
  };
  const drain = async () => {
    while (waiting.length > 0) {
      await write(waiting.splice(0, batchSize));
    }
    writing = undefined;
  };
  return {
    record(event) {
      if (waiting.length >= maxWaiting) return logInstead([event]);
      waiting.push(event);
      writing ??= drain();
    },
    recordWith: (trx, event) =>
      trx.transaction((savepoint) => store(savepoint, [event])).catch((error) => logInstead([event], error)),
    settled: async () => writing,
  };
}

async function store(trx: Trx, events: readonly SecurityEvent[]): Promise<void> {
  await trx('security_event').insert(events.map((event) => ({ ...event, details: JSON.stringify(event.details) })));
}
