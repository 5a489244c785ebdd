// Requests of producers: one row for each event and recipient. A row waits until it is dispatched, or until the language rules
// that its recipient needs are in force.

import type { Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { type ColumnTypes, insertColumns } from '#core/platform/statements/insert-columns.ts';
import type { SetName } from '#rules/language/index.ts';
import type { RequestRefusal, RequestState } from '../enums.ts';

export interface RequestKey {
  readonly eventId: number;
  readonly recipientUserId: number;
}

export interface NewRequest extends RequestKey {
  readonly organizationId: string;
  readonly lane: number;
  readonly kind: string;
  readonly payload: object;
  readonly sourceType: string;
  readonly sourceId: string;
  /** ISO 8601. */
  readonly requestedAt: string;
}

const columns: ColumnTypes<NewRequest> = {
  ...{ organizationId: 'text', eventId: 'bigint', recipientUserId: 'bigint', lane: 'integer', kind: 'text' },
  ...{ payload: 'jsonb', sourceType: 'text', sourceId: 'text', requestedAt: 'timestamptz' },
};

/** An event that is delivered again adds no second request. */
export async function insertRequests(trx: Trx, rows: readonly NewRequest[]): Promise<void> {
  if (rows.length === 0) return;
  const known = await rowsOf<RequestKey & { organizationId: string }>(
    trx,
    `select organization_id, event_id, recipient_user_id from notification_request
     where (organization_id, event_id) in
       (select t.organization_id, t.event_id from unnest(:organizationIds::text[], :eventIds::bigint[])
          as t (organization_id, event_id))`,
    {
      organizationIds: rows.map(({ organizationId }) => organizationId),
      eventIds: rows.map(({ eventId }) => eventId),
    },
  );
  const nameOf = (row: RequestKey & { organizationId: string }) =>
    `${row.organizationId} ${row.eventId} ${row.recipientUserId}`;
  const names = new Set(known.map(nameOf));
  const fresh = rows.filter((row) => !names.has(nameOf(row)) && names.add(nameOf(row)));
  await insertColumns(trx, 'notification_request', fresh, columns);
}

export interface WaitingRequest extends RequestKey {
  readonly lane: number;
  readonly kind: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly studentId: number | null;
  readonly sourceType: string;
  readonly sourceId: string;
}

/** Requests of recent user actions first, then in order of creation. */
export const waitingRequests = (trx: Trx, organizationId: string, limit: number): Promise<WaitingRequest[]> =>
  rowsOf(
    trx,
    `select event_id, recipient_user_id, lane, kind, payload, student_id, source_type, source_id
     from notification_request
     where organization_id = :organizationId and state = 'waiting' and waits_for is null
     order by lane, id limit :limit`,
    { organizationId, limit },
  );

/** Returns the keys that have not been settled, held or removed meanwhile, as `event recipient`. */
export async function stillWaiting(
  trx: Trx,
  organizationId: string,
  keys: readonly RequestKey[],
): Promise<ReadonlySet<string>> {
  const rows = await rowsOf<RequestKey>(
    trx,
    `select q.event_id, q.recipient_user_id from notification_request q
     join unnest(:eventIds::bigint[], :recipientIds::bigint[]) as t (event_id, recipient_user_id)
       using (event_id, recipient_user_id)
     where q.organization_id = :organizationId and q.state = 'waiting' and q.waits_for is null`,
    {
      organizationId,
      eventIds: keys.map(({ eventId }) => eventId),
      recipientIds: keys.map(({ recipientUserId }) => recipientUserId),
    },
  );
  return new Set(rows.map(requestKeyOf));
}

export const requestKeyOf = ({ eventId, recipientUserId }: RequestKey): string => `${eventId} ${recipientUserId}`;

/** How a request ends, or what it waits for from now on. */
export interface SettledRequest extends RequestKey {
  readonly state: RequestState;
  readonly waitsFor: SetName | null;
  readonly refusal: RequestRefusal | null;
  readonly notificationId: string | null;
}

export async function settleRequests(
  trx: Trx,
  organizationId: string,
  settled: readonly SettledRequest[],
  now: Date,
): Promise<void> {
  await trx.raw(
    `update notification_request q set state = t.state, waits_for = t.waits_for, refusal = t.refusal,
       notification_id = t.notification_id, settled_at = case when t.state <> 'waiting' then :now::timestamptz end
     from unnest(:eventIds::bigint[], :recipientIds::bigint[], :states::text[], :waits::text[], :refusals::text[],
       :notificationIds::text[])
       as t (event_id, recipient_user_id, state, waits_for, refusal, notification_id)
     where q.organization_id = :organizationId and q.event_id = t.event_id
       and q.recipient_user_id = t.recipient_user_id`,
    {
      organizationId,
      now: now.toISOString(),
      eventIds: settled.map(({ eventId }) => eventId),
      recipientIds: settled.map(({ recipientUserId }) => recipientUserId),
      states: settled.map(({ state }) => state),
      waits: settled.map(({ waitsFor }) => waitsFor),
      refusals: settled.map(({ refusal }) => refusal),
      notificationIds: settled.map(({ notificationId }) => notificationId),
    },
  );
}

/** Releases the requests of one organization that waited for one of these documents. Returns their number. */
export async function releaseHeld(
  trx: Trx,
  organizationId: string,
  documents: readonly string[],
  limit: number,
): Promise<number> {
  const { rowCount } = await trx.raw(
    `update notification_request q set waits_for = null from (
       select event_id, recipient_user_id from notification_request
       where organization_id = :organizationId and waits_for = any(:documents::text[]) limit :limit) t
     where q.organization_id = :organizationId and q.event_id = t.event_id
       and q.recipient_user_id = t.recipient_user_id`,
    { organizationId, documents: [...documents], limit },
  );
  return rowCount;
}

/** Organizations with requests to dispatch, or with requests that waited for one of these documents. SUPER context. */
export async function waitingOrganizations(trx: Trx, documents: readonly string[], limit: number): Promise<string[]> {
  const rows = await rowsOf<{ organizationId: string }>(
    trx,
    `with recursive ready as (
       (select organization_id from notification_request where state = 'waiting' and waits_for is null
        order by organization_id limit 1)
       union all
       select (select q.organization_id from notification_request q
               where q.state = 'waiting' and q.waits_for is null and q.organization_id > r.organization_id
               order by q.organization_id limit 1)
       from ready r where r.organization_id is not null)
     select organization_id from ready where organization_id is not null
     union
     select distinct organization_id from notification_request where waits_for = any(:documents::text[])
     limit :limit`,
    { documents: [...documents], limit },
  );
  return rows.map(({ organizationId }) => organizationId);
}
