// The state that streams send: the unread count and the newest notification, read once for all people with changes.
import type { Trx } from '#core/platform/db.ts';
import { storedOrganization } from '#core/platform/pure/platform-organization.ts';
import { rowsOf } from '#core/platform/sql.ts';

export interface UnreadState {
  readonly userId: number;
  readonly count: number;
  /** Null without a notification. */
  readonly newestId: string | null;
}

export interface Recipient {
  readonly userId: number;
  readonly organizationId: string | null;
}

/** Runs in the context of all organizations. */
export const unreadStates = (trx: Trx, people: readonly Recipient[]): Promise<UnreadState[]> =>
  rowsOf(
    trx,
    `select w.user_id, unread.count, newest.id as newest_id
     from unnest(:organizationIds::text[], :userIds::bigint[]) w (organization_id, user_id)
     cross join lateral (select count(*) from notification n
       where n.organization_id = w.organization_id and n.recipient_user_id = w.user_id
         and n.delivery_state = 'delivered_in_app') unread
     left join lateral (select n.id from notification n
       where n.organization_id = w.organization_id and n.recipient_user_id = w.user_id
       order by n.created_at desc, n.id desc limit 1) newest on true`,
    {
      organizationIds: people.map(({ organizationId }) => storedOrganization(organizationId)),
      userIds: people.map(({ userId }) => userId),
    },
  );
