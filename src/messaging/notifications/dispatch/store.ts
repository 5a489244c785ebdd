// The only writer of notifications. A lock of the organization keeps two workers from storing one twice; equal texts of one
// source within a minute become one row (contract 60 §2).
import type { Trx } from '#core/platform/db.ts';
import { newId } from '#core/platform/ids.ts';
import { lockingRows } from '#core/platform/locks.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { type ColumnTypes, insertColumns } from '#core/platform/statements/insert-columns.ts';
import type { ComposedNotification } from '../engine/compose.ts';
import type { Severity } from '../enums.ts';
import type { WaitingRequest } from '../requests/rows.ts';

/** Equal texts of one source and kind to one recipient within this time are one row. */
const togetherMs = 60_000;

export interface Deliverable {
  readonly request: WaitingRequest;
  readonly composed: ComposedNotification;
}

interface Group {
  readonly deliverables: readonly Deliverable[];
  /** The newest request, whose payload is shown. */
  readonly newest: Deliverable;
}

interface Place {
  readonly recipientUserId: number;
  readonly kind: string;
  readonly sourceType: string;
  readonly sourceId: string;
  readonly renderedTitleAr: string;
  readonly renderedBodyAr: string;
}

interface Unread extends Place {
  readonly id: string;
  /** The event whose payload is shown. */
  readonly eventId: number;
}

const nameOf = ({ recipientUserId, kind, sourceType, sourceId, renderedTitleAr, renderedBodyAr }: Place): string =>
  JSON.stringify([recipientUserId, kind, sourceType, sourceId, renderedTitleAr, renderedBodyAr]);

const groupKey = ({ request, composed }: Deliverable): string =>
  nameOf({ ...request, renderedTitleAr: composed.titleAr, renderedBodyAr: composed.bodyAr });

/** Returns the id of the row of each deliverable, in their order. */
export async function storeNotifications(
  trx: Trx,
  organizationId: string,
  all: readonly Deliverable[],
  now: Date,
): Promise<string[]> {
  const groups = groupsOf(all);
  const known = await unreadOf(trx, organizationId, all, now);
  const ids = new Map([...groups.keys()].map((key) => [key, known.get(key)?.id ?? newId()]));
  const fresh = [...groups].filter(([key]) => !known.has(key));
  await insertColumns(
    trx,
    'notification',
    fresh.map(([key, group]) => rowOf(organizationId, ids.get(key) ?? '', group, now)),
    columns,
  );
  const again = [...groups].flatMap(([key, group]) => {
    const row = known.get(key);
    return row === undefined ? [] : [{ row, group }];
  });
  await joinEarlier(trx, organizationId, again);
  return all.map((one) => ids.get(groupKey(one)) ?? '');
}

function groupsOf(all: readonly Deliverable[]): ReadonlyMap<string, Group> {
  const groups = new Map<string, Group>();
  for (const one of all) {
    const key = groupKey(one);
    const { deliverables = [], newest = one } = groups.get(key) ?? {};
    const isNewer = one.request.eventId >= newest.request.eventId;
    groups.set(key, { newest: isNewer ? one : newest, deliverables: [...deliverables, one] });
  }
  return groups;
}

/** Unread rows of the last minute, by grouping key; one that was read is not joined. */
async function unreadOf(
  trx: Trx,
  organizationId: string,
  all: readonly Deliverable[],
  now: Date,
): Promise<ReadonlyMap<string, Unread>> {
  const rows = await rowsOf<Unread>(
    trx,
    `select id, recipient_user_id, kind, source_type, source_id, rendered_title_ar, rendered_body_ar,
       coalesce((select max(q.event_id) from notification_request q
         where q.organization_id = :organizationId and q.notification_id = notification.id), 0)::bigint as event_id
     from notification
     where organization_id = :organizationId and source_id = any(:sourceIds::text[])
       and recipient_user_id = any(:recipientIds::bigint[]) and created_at >= :since::timestamptz
       and delivery_state = 'delivered_in_app'
     order by id ${lockingRows('notification', 'change')}`,
    {
      organizationId,
      sourceIds: [...new Set(all.map(({ request }) => request.sourceId))],
      recipientIds: [...new Set(all.map(({ request }) => request.recipientUserId))],
      since: new Date(now.getTime() - togetherMs).toISOString(),
    },
  );
  return new Map(rows.map((row) => [nameOf(row), row]));
}

interface Joining {
  readonly row: Unread;
  readonly group: Group;
}

/**
 * The row keeps its id, its time and its position, and takes the newest payload with the versions of the rules that rendered
 * it.
 */
async function joinEarlier(trx: Trx, organizationId: string, again: readonly Joining[]): Promise<void> {
  if (again.length === 0) return;
  await trx.raw(
    `update notification set count = notification.count + t.more,
       payload = case when t.is_newer then t.payload else notification.payload end,
       rule_versions = case when t.is_newer then t.rule_versions else notification.rule_versions end
     from unnest(:ids::text[], :mores::integer[], :newer::boolean[], :payloads::jsonb[], :versions::jsonb[])
       as t (id, more, is_newer, payload, rule_versions)
     where notification.organization_id = :organizationId and notification.id = t.id`,
    {
      organizationId,
      ids: again.map(({ row }) => row.id),
      mores: again.map(({ group }) => group.deliverables.length),
      newer: again.map(({ row, group }) => group.newest.request.eventId >= row.eventId),
      payloads: again.map(({ group }) => JSON.stringify(group.newest.composed.payload)),
      versions: again.map(({ group }) => JSON.stringify(group.newest.composed.ruleVersions)),
    },
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

function rowOf(organizationId: string, id: string, { newest, deliverables }: Group, now: Date): NewNotification {
  const { request, composed } = newest;
  const { recipientUserId, kind, sourceType, sourceId } = request;
  const { payload } = composed;
  return {
    ...{ organizationId, id, recipientUserId, kind, severity: composed.kind.defaultSeverity, payload },
    ...{ sourceType, sourceId, renderedTitleAr: composed.titleAr, renderedBodyAr: composed.bodyAr },
    ...{ tier: composed.tier, ruleVersions: composed.ruleVersions },
    ...{ count: deliverables.length, createdAt: now.toISOString() },
  };
}
