// Lets a capability send notifications: a reaction to its event asks for one for each recipient, in the relay's transaction.
// The capability decides on recipients and payload; the document of the kind holds the text.
import type { Static, TObject } from 'typebox';
import { type EventKind, type EventOf, lanes } from '#core/module/events.ts';
import { type Reaction, reaction } from '#core/module/jobs.ts';
import type { Trx } from '#core/platform/db.ts';
import { dispatchJobs } from './queue.ts';
import { insertRequests } from './rows.ts';

/** A kind as its producer declares it, with the schema that the document has as `payloadSchema`. */
export interface NotificationKind<Payload extends TObject = TObject> {
  /** The code in the API. */
  readonly kind: string;
  readonly payload: Payload;
}

export const notificationKind = <Payload extends TObject>(
  kind: string,
  payload: Payload,
): NotificationKind<Payload> => ({
  kind,
  payload,
});

/** A notification to be sent, made by `notice`, which checks that the payload is that of the kind. */
export interface Notice {
  readonly recipients: readonly number[];
  readonly kind: string;
  readonly payload: object;
  /** Equal texts of one source to one person within a minute are one row. */
  readonly source: { readonly type: string; readonly id: string };
}

export const notice = <Payload extends TObject>(
  { kind }: NotificationKind<Payload>,
  payload: Static<Payload>,
  to: Pick<Notice, 'recipients' | 'source'>,
): Notice => ({ kind, payload: payload as object, ...to });

interface Notifying<Kinds extends readonly EventKind[]> {
  readonly name: string;
  readonly to: Kinds;
  /**
   * Returns the notices by id of event, for events of one organization; no entry where there is no recipient. The number of
   * statements does not depend on the number of events.
   */
  notices(
    trx: Trx,
    organizationId: string,
    events: readonly EventOf<Kinds[number]>[],
  ): Promise<ReadonlyMap<number, readonly Notice[]>>;
}

/** To be listed under `reactions`. */
export const notify = <const Kinds extends readonly EventKind[]>({ name, to, notices }: Notifying<Kinds>): Reaction =>
  reaction({
    name,
    to,
    async toJobs(trx, events, now) {
      const organizationIds = [...new Set(events.map((event) => event.organizationId))];
      for (const organizationId of organizationIds) {
        const own = events.filter((event) => event.organizationId === organizationId);
        const noticesOf = await notices(trx, organizationId, own);
        await insertRequests(trx, requestsOf(organizationId, own, noticesOf, now));
      }
      return dispatchJobs(organizationIds);
    },
  });

/** Throws RangeError for two notices of one event to one person, because event and recipient identify a request. */
export const requestsOf = (
  organizationId: string,
  events: readonly { readonly id: number; readonly lane?: number }[],
  noticesOf: ReadonlyMap<number, readonly Notice[]>,
  now: Date,
) => {
  for (const [id, notices] of noticesOf) requireOneEach(id, notices);
  return events.flatMap(({ id: eventId, lane = lanes.fresh }) =>
    (noticesOf.get(eventId) ?? []).flatMap(({ recipients, kind, payload, source }) =>
      recipients.map((recipientUserId) => ({
        ...{ organizationId, eventId, recipientUserId, lane, kind, payload },
        ...{ sourceType: source.type, sourceId: source.id, requestedAt: now.toISOString() },
      })),
    ),
  );
};

function requireOneEach(eventId: number, notices: readonly Notice[]): void {
  const all = notices.flatMap(({ recipients }) => [...new Set(recipients)]);
  if (new Set(all).size < all.length) throw new RangeError(`event ${eventId} tells one person two things`);
}
