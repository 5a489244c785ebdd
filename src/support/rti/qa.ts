// Probes for inconsistent alerts, movements and assignments of students who are left out.
import type { Probe } from '#messaging/qa/index.ts';

export const rtiProbes: readonly Probe[] = [
  {
    check: 'TWO_OPEN_ALERTS',
    kind: 'runtime',
    subject: 'student',
    of: 'platform',
    findings: `select organization_id, student_id::text as id, student_id from rti_alert where state = 'open'
      group by organization_id, student_id having count(*) > 1`,
  },
  {
    check: 'TIER_MOVE_WITHOUT_PACKET',
    kind: 'audit',
    subject: 'tier_movement',
    of: 'organization',
    // A movement from or to tier 3 needs an approved packet, any other one a decision.
    findings: `select m.organization_id, m.id::text as id, m.student_id from tier_movement m
      where m.organization_id = :organizationId
        and not exists (
          select from decision_packet p
          where p.organization_id = m.organization_id and p.student_id = m.student_id and p.status = 'approved'
            and p.movement_id = m.id)
        and (3 in (m.from_tier, m.to_tier) or m.source_type = 'decision_packet' or not exists (
          select from rti_decision d
          where d.organization_id = m.organization_id and d.school_year = m.school_year and d.movement_id = m.id
            and d.student_id = m.student_id))`,
  },
  {
    check: 'ASSIGNMENT_FOR_EXCLUDED',
    kind: 'runtime',
    subject: 'assignment',
    of: 'platform',
    // Of the last two hours. A group assignment excludes students who are halted or under an acute review.
    findings: `select a.organization_id, a.id, a.student_id from bundle_assignment a
      where a.activated_at > :now::timestamptz - interval '2 hours' and a.source_type = 'cluster'
        and (exists (
            select from rti_alert r
            where r.organization_id = a.organization_id and r.student_id = a.student_id
              and r.kind = 'acute_regression_review' and r.opened_at <= a.activated_at
              and coalesce(r.closed_at > a.activated_at, r.state = 'open'))
          or (select p.outcome from profile_assignment p
            where p.organization_id = a.organization_id and p.student_id = a.student_id
              and p.resolved_at <= a.activated_at
            order by p.id desc limit 1) <> 'resolved')`,
  },
];
