// Events: a topic and the schema of its payload, as one value, which reactions import, so that a reaction to a topic that no
// capability raises does not compile. The row is written in the transaction that changes the facts; its payload is validated
// when it is written and again when the relay reads it.

import Type, { type Static, type TObject } from 'typebox';
import { checkJson } from '../http/checks/validation.ts';
import { named } from '../http/schemas.ts';
import type { Trx } from '../platform/db.ts';
import { modelOf } from '../platform/model.ts';
import { wakeRelayAfterCommit } from '../platform/pubsub/relay-wakeup.ts';
import { type ColumnTypes, insertColumns } from '../platform/statements/insert-columns.ts';

export interface EventKind<Topic extends string = string, Payload extends TObject = TObject> {
  readonly topic: Topic;
  /** One sentence for `docs/events.md`: when it is raised. */
  readonly summary: string;
  /** Ids and values of enums only, never personal data: a consumer that needs more reads the row. */
  readonly payload: Payload;
  /** Returns the issues of a payload; none if it is valid. */
  readonly misfits: ReturnType<typeof checkJson>;
}

/** The id of a row as text, in whatever form its table has. */
export const TextId = named('TextId', Type.String({ minLength: 1, maxLength: 40 }));

export const eventKind = <const Topic extends string, Payload extends TObject>(
  parts: Pick<EventKind<Topic, Payload>, 'topic' | 'summary' | 'payload'>,
): EventKind<Topic, Payload> => ({ ...parts, misfits: checkJson(parts.payload) });

/** An event to be written, created by `newEvent`, which checks the type of the payload against the kind. */
export interface NewEvent {
  readonly kind: EventKind;
  readonly organizationId: string;
  readonly payload: object;
}

export const newEvent = <Kind extends EventKind>(
  kind: Kind,
  organizationId: string,
  payload: Static<Kind['payload']>,
): NewEvent => ({ kind, organizationId, payload: payload as object });

/** An event as the relay reads it; its payload has not been validated yet. */
export interface StoredEvent {
  readonly id: number;
  readonly organizationId: string;
  readonly topic: string;
  readonly payload: Readonly<Record<string, unknown>>;
  /** ISO 8601: when the event was written, in the transaction of its facts. */
  readonly createdAt: string;
  /** Default: fresh. */
  readonly lane?: number;
}

export const OutboxEvent = modelOf<StoredEvent & { readonly relayedAt: string | null }>('outbox', {
  id: ['organizationId', 'id'],
  json: ['payload'],
});

/** An event as a reaction receives it. For a reaction to several kinds, `topic` discriminates the payloads. */
export type EventOf<Kind extends EventKind> =
  Kind extends EventKind<infer Topic, infer Payload>
    ? {
        readonly id: number;
        readonly organizationId: string;
        readonly topic: Topic;
        readonly payload: Readonly<Static<Payload>>;
        readonly createdAt: string;
        readonly lane?: number;
      }
    : never;

class EventMisfit extends Error {
  override readonly name = 'EventMisfit';
}

/** Throws EventMisfit if the payload is not valid. The message contains no values. */
export function requireFittingPayload({ topic, misfits }: EventKind, payload: unknown): void {
  const found = misfits(payload);
  if (found.length === 0) return;
  throw new EventMisfit(`${topic}: ${found.map(({ field, issue }) => `${field} ${issue}`).join('; ')}`);
}

/** Events of what people have just done are relayed before those that a change of rules has caused for all. */
export const lanes = { fresh: 0, later: 1 } as const;
export type Lane = keyof typeof lanes;

/**
 * Writes events to the outbox. Throws EventMisfit for an invalid payload, which rolls back the work of the transaction: that is
 * a defect of ours.
 */
export async function appendEvents(
  trx: Trx,
  now: Date,
  events: readonly NewEvent[],
  lane: Lane = 'fresh',
): Promise<void> {
  if (events.length === 0) return;
  for (const { kind, payload } of events) requireFittingPayload(kind, payload);
  wakeRelayAfterCommit(trx);
  const createdAt = now.toISOString();
  const rows = events.map(
    ({ kind: { topic }, organizationId, payload }): OutboxRow => ({
      organizationId,
      topic,
      payload,
      createdAt,
      lane: lanes[lane],
    }),
  );
  await insertColumns(trx, 'outbox', rows, columns);
}

interface OutboxRow {
  readonly organizationId: string;
  readonly lane: number;
  readonly topic: string;
  readonly payload: object;
  /** ISO 8601. */
  readonly createdAt: string;
}

const columns: ColumnTypes<OutboxRow> = {
  organizationId: 'text',
  lane: 'integer',
  topic: 'text',
  payload: 'jsonb',
  createdAt: 'timestamptz',
};
