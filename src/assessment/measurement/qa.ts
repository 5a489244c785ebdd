// Consistency checks of sessions: states that must not occur.
import type { Probe } from '#messaging/qa/index.ts';

export const measurementProbes: readonly Probe[] = [
  {
    check: 'SESSION_PAST_EXPIRY',
    kind: 'audit',
    subject: 'session',
    of: 'organization',
    findings: `select organization_id, id, student_id from diagnostic_session
      where organization_id = :organizationId and status in ('IN_PROGRESS', 'PAUSED')
        and expires_at < :now::timestamptz - :threshold * interval '1 second'`,
  },
];
