// The fact and its promise are written together: an event row in the transaction that changes the facts.
import type { Trx } from './db.ts';

export interface OutboxEvent {
  readonly organizationId: string;
  readonly topic: string;
  /** Ids and enums only, never personal data. */
  readonly payload: Readonly<Record<string, unknown>>;
}

export async function promise(trx: Trx, now: Date, events: readonly OutboxEvent[]): Promise<void> {
  if (events.length === 0) return;
  await trx('outbox').insert(
    events.map((event) => ({
      organizationId: event.organizationId,
      topic: event.topic,
      payload: JSON.stringify(event.payload),
      createdAt: now,
    })),
  );
}
