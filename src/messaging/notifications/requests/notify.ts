// How a capability tells somebody what has happened: a reaction to its event, which asks for a notification for each recipient in
// the relay's transaction. Who is told, and of what, is the capability's own affair; what is said stands in the kind's document.
import type { Static, TObject } from 'typebox';
import { type EventKind, type EventOf, lanes } from '#core/module/events.ts';
import { type Reaction, reaction } from '#core/module/jobs.ts';
import type { Trx } from '#core/platform/db.ts';
import { dispatchJobs } from './queue.ts';
import { insertRequests } from './rows.ts';

/** A kind as its producer knows it: the same shape as the `payloadSchema` of its document. */
export interface NotificationKind<Payload extends TObject = TObject> {
  /** As it stands on the wire. */
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

/** What somebody is to be told: made by `notice`, which knows that the payload is that of the kind. */
export interface Notice {
  readonly recipients: readonly number[];
  readonly kind: string;
  readonly payload: object;
  /** What is said of one source to one person in the same words within a minute is one row. */
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
   * Of events of one organization, by the id of the event; nothing where nobody is to be told. As many statements for a batch
   * as for one.
   */
  notices(
    trx: Trx,
    organizationId: string,
    events: readonly EventOf<Kinds[number]>[],
  ): Promise<ReadonlyMap<number, readonly Notice[]>>;
}

/** Listed under `reactions`. */
export const notify = <const Kinds extends readonly EventKind[]>({ name, to, notices }: Notifying<Kinds>): Reaction =>
  reaction({
    name,
    to,
    async toJobs(trx, events, now) {
      const organizationIds = [...new Set(events.map((event) => event.organizationId))];
      for (const organizationId of organizationIds) {
        const own = events.filter((event) => event.organizationId === organizationId);
        const told = await notices(trx, organizationId, own);
        await insertRequests(trx, requestsOf(organizationId, own, told, now));
      }
      return dispatchJobs(organizationIds);
    },
  });

/** Throws RangeError for two notices of one event to one person: a request is one of an event and a recipient. */
export const requestsOf = (
  organizationId: string,
  events: readonly { readonly id: number; readonly lane?: number }[],
  told: ReadonlyMap<number, readonly Notice[]>,
  now: Date,
) => {
  for (const [id, notices] of told) requireOneEach(id, notices);
  return events.flatMap(({ id: eventId, lane = lanes.fresh }) =>
    (told.get(eventId) ?? []).flatMap(({ recipients, kind, payload, source }) =>
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
