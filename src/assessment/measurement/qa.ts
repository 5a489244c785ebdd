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
  {
    check: 'EVIDENCE_VOIDED_OFTEN',
    kind: 'audit',
    subject: 'user',
    of: 'organization',
    // Restored ones aside. A bad day in one class is not often: the days are those of the organization.
    findings: `select v.organization_id, v.by_user_id::text as id, null::bigint as student_id
      from evidence_void v join organization o on o.id = v.organization_id
      where v.organization_id = :organizationId and v.restored_at is null
        and v.at > :now::timestamptz - interval '28 days' and v.at <= :now::timestamptz
      group by v.organization_id, v.by_user_id
      having count(*) > :threshold and count(distinct (v.at at time zone o.time_zone)::date) >= 3`,
  },
];
