// How long notifications are kept: each kind as its document in force says, read or not. What a producer has asked for goes with
// what was told of it; what was told to nobody is kept as long.
import type { RuleBundle } from '#rules/rulesets/index.ts';
import { kindDocuments } from './engine/kinds.ts';

const daysOf = ({ documents }: RuleBundle): ReadonlyMap<string, number> =>
  new Map(kindDocuments(documents).map(({ kind, retentionDays }) => [kind, retentionDays]));

/** What waits for language rules waits on: a promise is not removed by its age. */
export const notificationRetention = [
  { table: 'notification', since: 'created_at', daysOf },
  { table: 'notification_request', since: 'requested_at', only: "state in ('skipped', 'refused')", daysOf },
] as const;
