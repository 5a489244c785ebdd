// Probes for inconsistent notifications.
import { type Probe, reportedDirectly } from '../qa/index.ts';
import { languageUnsafe, notificationRefused } from './dispatch/alerts.ts';

export const notificationProbes: readonly Probe[] = [
  reportedDirectly(languageUnsafe),
  reportedDirectly(notificationRefused),
  {
    check: 'NOTIFICATION_MISSING',
    kind: 'runtime',
    subject: 'event',
    of: 'platform',
    waits: true,
    findings: `select organization_id, event_id::text as id, null::bigint as student_id from notification_request
      where state = 'waiting' and waits_for is null
        and requested_at < :now::timestamptz - :threshold * interval '1 second'
      group by organization_id, event_id`,
  },
];
