// The one door to rows of notifications. Under a lock of the organization, so that two workers do not store one twice, and what
// belongs together becomes one row.
import type { Trx } from '../../platform/db.ts';
import { newId } from '../../platform/ids.ts';
import { lockingRows } from '../../platform/locks.ts';
import { rowsOf } from '../../platform/sql.ts';
import { type ColumnTypes, insertColumns } from '../../platform/statements/insert-columns.ts';
import type { Composed } from '../engine/compose.ts';
import type { WaitingRequest } from '../requests/rows.ts';
import type { Severity } from '../words.ts';

/** Notifications of one source and kind to one recipient within this time are one. */
const togetherMs = 60_000;

export interface Deliverable {
  readonly request: WaitingRequest;
  readonly composed: Composed;
}

interface Group {
  readonly deliverables: readonly Deliverable[];
  readonly first: Deliverable;
}

interface Unread {
  readonly id: string;
  readonly recipientUserId: number;
  readonly kind: string;
  readonly sourceType: string;
  readonly sourceId: string;
}

type Place = Omit<Unread, 'id'>;

const placeOf = ({ recipientUserId, kind, sourceType, sourceId }: Place): string =>
  JSON.stringify([recipientUserId, kind, sourceType, sourceId]);

/** Answers the id of the row that each is told by, in their order. */
export async function storeNotifications(
  trx: Trx,
  organizationId: string,
  all: readonly Deliverable[],
  now: Date,
): Promise<string[]> {
  const groups = groupsOf(all);
  const known = await unreadOf(trx, organizationId, all, now);
  const ids = new Map([...groups.keys()].map((place) => [place, known.get(place) ?? newId()]));
  const fresh = [...groups].filter(([place]) => !known.has(place));
  await insertColumns(
    trx,
    'notification',
    fresh.map(([place, group]) => rowOf(organizationId, ids.get(place) ?? '', group, now)),
    columns,
  );
  const again = [...groups].flatMap(([place, { deliverables }]) => {
    const id = known.get(place);
    return id === undefined ? [] : [{ id, more: deliverables.length }];
  });
  await countMore(trx, organizationId, again);
  return all.map(({ request }) => ids.get(placeOf(request)) ?? '');
}

function groupsOf(all: readonly Deliverable[]): ReadonlyMap<string, Group> {
  const groups = new Map<string, Group>();
  for (const one of all) {
    const place = placeOf(one.request);
    const { deliverables = [], first = one } = groups.get(place) ?? {};
    groups.set(place, { first, deliverables: [...deliverables, one] });
  }
  return groups;
}

/** By place: of the last minute, and not yet read; what was read is told anew. */
async function unreadOf(
  trx: Trx,
  organizationId: string,
  all: readonly Deliverable[],
  now: Date,
): Promise<ReadonlyMap<string, string>> {
  const rows = await rowsOf<Unread>(
    trx,
    `select id, recipient_user_id, kind, source_type, source_id from notification
     where organization_id = :organizationId and source_id = any(:sourceIds::text[])
       and recipient_user_id = any(:recipientIds::bigint[]) and created_at > :since::timestamptz
       and delivery_state = 'delivered_in_app'
     order by id ${lockingRows('notification', 'change')}`,
    {
      organizationId,
      sourceIds: [...new Set(all.map(({ request }) => request.sourceId))],
      recipientIds: [...new Set(all.map(({ request }) => request.recipientUserId))],
      since: new Date(now.getTime() - togetherMs).toISOString(),
    },
  );
  return new Map(rows.map((row) => [placeOf(row), row.id]));
}

async function countMore(
  trx: Trx,
  organizationId: string,
  again: readonly { readonly id: string; readonly more: number }[],
): Promise<void> {
  if (again.length === 0) return;
  await trx.raw(
    `update notification set count = notification.count + t.more
     from unnest(:ids::text[], :mores::integer[]) as t (id, more)
     where notification.organization_id = :organizationId and notification.id = t.id`,
    { organizationId, ids: again.map(({ id }) => id), mores: again.map(({ more }) => more) },
  );
}

interface NewNotification extends Place {
  readonly organizationId: string;
  readonly id: string;
  readonly severity: Severity;
  readonly payload: object;
  readonly renderedTitleAr: string;
  readonly renderedBodyAr: string;
  readonly tier: string;
  readonly ruleVersions: object;
  readonly count: number;
  readonly createdAt: string;
}

const columns: ColumnTypes<NewNotification> = {
  ...{ organizationId: 'text', id: 'text', recipientUserId: 'bigint', kind: 'text', severity: 'text' },
  ...{ payload: 'jsonb', sourceType: 'text', sourceId: 'text', renderedTitleAr: 'text', renderedBodyAr: 'text' },
  ...{ tier: 'text', ruleVersions: 'jsonb', count: 'integer', createdAt: 'timestamptz' },
};

function rowOf(organizationId: string, id: string, { first, deliverables }: Group, now: Date): NewNotification {
  const { request, composed } = first;
  const { recipientUserId, kind, payload, sourceType, sourceId } = request;
  return {
    ...{ organizationId, id, recipientUserId, kind, severity: composed.kind.defaultSeverity, payload },
    ...{ sourceType, sourceId, renderedTitleAr: composed.titleAr, renderedBodyAr: composed.bodyAr },
    ...{ tier: composed.tier, ruleVersions: composed.ruleVersions },
    ...{ count: deliverables.length, createdAt: now.toISOString() },
  };
}
