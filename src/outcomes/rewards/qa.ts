// QA probes of the growth ledgers.
import type { Probe } from '#messaging/qa/index.ts';

export const rewardProbes: readonly Probe[] = [
  {
    check: 'XP_WITHOUT_EVENT',
    kind: 'audit',
    subject: 'xp_transaction',
    of: 'organization',
    findings: `select x.organization_id, x.id::text as id, x.student_id from xp_transaction x
      where x.organization_id = :organizationId and not exists (
        select from mastery_event m where m.organization_id = x.organization_id and m.id = x.mastery_event_id
          and m.school_year = x.school_year and m.student_id = x.student_id)`,
  },
  {
    check: 'XP_ABOVE_CAP',
    kind: 'audit',
    subject: 'session',
    of: 'organization',
    // Uses the caps of the rules that booked the rows.
    findings: `with cap as materialized (
        select id, (document::jsonb ->> 'sessionCap')::integer as most from rule_version
        where family = 'gamification' and key = 'rewards')
      select x.organization_id, x.session_key as id, x.student_id from xp_transaction x join cap c on c.id = x.rule_version
      where x.organization_id = :organizationId and x.kind = 'credit'
      group by x.organization_id, x.student_id, x.session_key having sum(x.amount) > max(c.most)`,
  },
  {
    check: 'MASTERY_DURING_HALT',
    kind: 'runtime',
    subject: 'mastery_event',
    of: 'platform',
    // Covers the last two hours; longer outages are audited from the ledgers.
    findings: `select m.organization_id, m.id::text as id, m.student_id from mastery_event m
      cross join lateral (
        select r.halted from sse_run r
        where r.organization_id = m.organization_id and r.student_id = m.student_id and r.school_year = m.school_year
          and r.created_at <= m.recorded_at
        order by r.seq desc limit 1) newest
      where m.recorded_at > :now::timestamptz - interval '2 hours' and newest.halted`,
  },
];
