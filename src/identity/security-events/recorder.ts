// Stores security events. A refusal rolls its request back, so its event goes another way: on a connection of its own,
// one batch at a time, after the request has its answer. No request waits for it and none fails because of it.
import type { Logger } from 'pino';
import { type Db, inContext, type Trx } from '#core/platform/db.ts';
import { storedOrganization } from '#core/platform/pure/platform-organization.ts';
import type { SecurityEvent } from './kinds.ts';

/** Written with the event, all or nothing, by a request that only reads. In the SUPER context. */
export type Alongside = (trx: Trx) => Promise<void>;

interface Waiting {
  readonly event: SecurityEvent;
  readonly alongside: Alongside | undefined;
}

export interface SecurityEvents {
  /** Returns at once. What cannot be stored is logged instead. */
  record(event: SecurityEvent, alongside?: Alongside): void;
  /** Within a unit of work that may see the event's organization: the event stays if, and only if, the work does. */
  recordWith(trx: Trx, event: SecurityEvent): Promise<void>;
  /** Resolves when everything recorded so far is stored or logged. */
  settled(): Promise<void>;
}

const batchSize = 200;
/** Events that wait while the database is slow or away; later ones are logged only. */
const maxWaiting = 10_000;

export function securityEvents(db: Db, log: Logger): SecurityEvents {
  const waiting: Waiting[] = [];
  let writing: Promise<void> | undefined;
  const logInstead = (events: readonly SecurityEvent[], err?: unknown) =>
    log.error({ err, events }, 'security events could not be stored');
  const write = async (batch: readonly Waiting[]): Promise<void> => {
    const events = batch.map(({ event }) => event);
    try {
      await inContext(db, 'SUPER', async (trx) => {
        await storeSecurityEvents(trx, events);
        for (const { alongside } of batch) await alongside?.(trx);
      });
    } catch (error) {
      if (batch.length === 1) logInstead(events, error);
      else for (const one of batch) await write([one]);
    }
  };
  const drain = async () => {
    while (waiting.length > 0) {
      await write(waiting.splice(0, batchSize));
    }
    writing = undefined;
  };
  return {
    record(event, alongside) {
      if (waiting.length >= maxWaiting) return logInstead([event]);
      waiting.push({ event, alongside });
      writing ??= drain();
    },
    recordWith: (trx, event) =>
      trx
        .transaction((savepoint) => storeSecurityEvents(savepoint, [event]))
        .catch((error) => logInstead([event], error)),
    settled: async () => writing,
  };
}

/** All or nothing, with the work of the transaction. Its context must see their organizations. */
export async function storeSecurityEvents(trx: Trx, events: readonly SecurityEvent[]): Promise<void> {
  await trx('security_event').insert(
    events.map((event) => ({
      ...event,
      organizationId: storedOrganization(event.organizationId),
      details: JSON.stringify(event.details),
    })),
  );
}
