// What must not be among notifications.
import type { Probe } from '../qa/index.ts';

export const notificationProbes: readonly Probe[] = [
  {
    check: 'NOTIFICATION_MISSING',
    of: 'platform',
    waits: true,
    findings: `select organization_id, event_id::text as id, null::bigint as student_id from notification_request
      where state = 'waiting' and waits_for is null
        and requested_at < :now::timestamptz - :threshold * interval '1 second'
      group by organization_id, event_id`,
  },
];
