// What a capability tells others has happened: a topic and the shape of its payload, as one value. Whoever reacts names
// that value, so that a topic which nobody raises cannot be written down. The row is written in the transaction that changes
// the facts; its payload is checked here when it is written and by the relay when it is read.
import Type, { type Static, type TObject } from 'typebox';
import { checkJson } from '../http/checks/validation.ts';
import { named } from '../http/schemas.ts';
import type { Trx } from '../platform/db.ts';
import { wakeRelayAfterCommit } from '../platform/pubsub/relay-wakeup.ts';
import { type ColumnTypes, insertColumns } from '../platform/statements/insert-columns.ts';

export interface EventKind<Topic extends string = string, Payload extends TObject = TObject> {
  readonly topic: Topic;
  /** One sentence for `docs/events.md`: when it is raised. */
  readonly summary: string;
  /** Ids and closed words only, never personal data: whoever needs more reads the row. */
  readonly payload: Payload;
  /** What is wrong with a payload; nothing: it fits. */
  readonly misfits: ReturnType<typeof checkJson>;
}

/** A row's id that is text: how it is spelt is its table's affair. */
export const TextId = named('TextId', Type.String({ minLength: 1, maxLength: 40 }));

export const eventKind = <const Topic extends string, Payload extends TObject>(
  parts: Pick<EventKind<Topic, Payload>, 'topic' | 'summary' | 'payload'>,
): EventKind<Topic, Payload> => ({ ...parts, misfits: checkJson(parts.payload) });

/** An event to be written. It is made by `newEvent`, which checks the type of the payload against the kind. */
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

/** As the relay reads it: whether the payload fits is not known yet. */
export interface StoredEvent {
  readonly id: number;
  readonly organizationId: string;
  readonly topic: string;
  readonly payload: Readonly<Record<string, unknown>>;
  /** ISO 8601: when it was written, with what it tells of. */
  readonly createdAt: string;
  /** Default: fresh. */
  readonly lane?: number;
}

/** As a reaction gets it; for several kinds `topic` tells which payload it is. */
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

/** Throws EventMisfit. Values stay out of the message. */
export function requireFit({ topic, misfits }: EventKind, payload: unknown): void {
  const found = misfits(payload);
  if (found.length === 0) return;
  throw new EventMisfit(`${topic}: ${found.map(({ field, issue }) => `${field} ${issue}`).join('; ')}`);
}

/** What somebody has just done goes to the relay before what a change of rules has brought about for all. */
export const lanes = { fresh: 0, later: 1 } as const;
export type Lane = keyof typeof lanes;

/** Throws EventMisfit, which undoes the work that the event tells of: a fault of ours. */
export async function appendEvents(
  trx: Trx,
  now: Date,
  events: readonly NewEvent[],
  lane: Lane = 'fresh',
): Promise<void> {
  if (events.length === 0) return;
  for (const { kind, payload } of events) requireFit(kind, payload);
  wakeRelayAfterCommit(trx);
  const createdAt = now.toISOString();
  const rows = events.map(
    ({ kind: { topic }, organizationId, payload }): OutboxRow => ({
      ...{ organizationId, topic, payload, createdAt },
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
  ...{ organizationId: 'text', lane: 'integer', topic: 'text', payload: 'jsonb', createdAt: 'timestamptz' },
};
