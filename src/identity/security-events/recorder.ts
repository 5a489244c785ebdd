// Stores security events. A refusal rolls back its request's transaction, so its event is written in a separate one, in
// batches, after the response. No request waits for it or fails because of it.

import type { Logger } from 'pino';
import { type Db, inContext, type Trx } from '#core/platform/db.ts';
import { modelOf } from '#core/platform/model.ts';
import { storedOrganization } from '#core/platform/pure/platform-organization.ts';
import type { SecurityEvent } from './kinds.ts';

/** A further write of a request that only reads; it commits together with the event. The context is SUPER. */
type SecurityEventRow = Omit<SecurityEvent, 'at'> & { readonly id: number; readonly at: string };

export const RecordedSecurityEvent = modelOf<SecurityEventRow>('security_event', {
  id: ['organizationId', 'id'],
  json: ['details'],
});

export type CompanionWrite = (trx: Trx) => Promise<void>;

interface QueuedEvent {
  readonly event: SecurityEvent;
  readonly companion: CompanionWrite | undefined;
}

export interface SecurityEvents {
  /** Queues the event and returns at once. An event that cannot be stored is logged. */
  record(event: SecurityEvent, companion?: CompanionWrite): void;
  /** Stores the event in the caller's transaction, whose context may see the event's organization. */
  recordWith(trx: Trx, event: SecurityEvent): Promise<void>;
  /** Resolves when everything recorded so far is stored or logged. */
  settled(): Promise<void>;
}

const batchSize = 200;
/** Maximum queue length while the database is slow or unavailable; further events are only logged. */
const maxQueued = 10_000;

export function securityEvents(db: Db, log: Logger): SecurityEvents {
  const queue: QueuedEvent[] = [];
  let writing: Promise<void> | undefined;
  const logInstead = (events: readonly SecurityEvent[], err?: unknown) =>
    log.error({ err, events }, 'security events could not be stored');
  const write = async (batch: readonly QueuedEvent[]): Promise<void> => {
    const events = batch.map(({ event }) => event);
    try {
      await inContext(db, 'SUPER', async (trx) => {
        await storeSecurityEvents(trx, events);
        for (const { companion } of batch) await companion?.(trx);
      });
    } catch (error) {
      if (batch.length === 1) logInstead(events, error);
      else for (const one of batch) await write([one]);
    }
  };
  const drain = async () => {
    while (queue.length > 0) await write(queue.splice(0, batchSize));
    writing = undefined;
  };
  return {
    record(event, companion) {
      if (queue.length >= maxQueued) return logInstead([event]);
      queue.push({ event, companion });
      writing ??= drain();
    },
    recordWith: (trx, event) =>
      trx
        .transaction((savepoint) => storeSecurityEvents(savepoint, [event]))
        .catch((error) => logInstead([event], error)),
    settled: async () => writing,
  };
}

/** Inserts the events in the caller's transaction, whose context must see their organizations. */
export async function storeSecurityEvents(trx: Trx, events: readonly SecurityEvent[]): Promise<void> {
  await RecordedSecurityEvent.query(trx).insert(
    events.map((event) => ({
      ...event,
      organizationId: storedOrganization(event.organizationId),
      at: event.at.toISOString(),
    })),
  );
}
