// Retention of notifications, read or unread: the document of each kind in force sets the days. Requests are kept as long as
// their notification would be.
import type { RuleBundle } from '#rules/rulesets/index.ts';
import { kindDocuments } from './engine/kinds.ts';

const daysOf = ({ documents }: RuleBundle): ReadonlyMap<string, number> =>
  new Map(kindDocuments(documents).map(({ kind, retentionDays }) => [kind, retentionDays]));

/** A request that waits for language rules is not removed by age. */
export const notificationRetention = [
  { table: 'notification', since: 'created_at', daysOf },
  { table: 'notification_request', since: 'requested_at', only: "state in ('skipped', 'refused')", daysOf },
] as const;
