// Consistency checks of statuses and recomputes: states that must not occur.
import type { Probe } from '#messaging/qa/index.ts';
import { skillStatuses } from './engine/vocabulary.ts';

const statusesOf = `select s.organization_id, s.id::text as id, s.student_id from sse_skill_snapshot s`;

export const skillStatusProbes: readonly Probe[] = [
  {
    check: 'STATUS_WITHOUT_RULE_VERSION',
    kind: 'audit',
    subject: 'skill_snapshot',
    of: 'organization',
    findings: `${statusesOf} where s.organization_id = :organizationId and s.status is not null
      and s.rule_version not in (select upper(v.family) || '@' || v.version from rule_version v where v.family = v.key)`,
  },
  {
    check: 'STATUS_BELOW_MINIMUM',
    kind: 'audit',
    subject: 'skill_snapshot',
    of: 'organization',
    // Uses the minimum of the rules that decided the row.
    findings: `with minimum as materialized (
        select b.id, (v.document::jsonb #>> '{constants,DTH-MIN-01,value}')::integer as items
        from rule_bundle b join rule_version v on v.id = 'dth/dth@' || (b.versions ->> 'dth/dth'))
      ${statusesOf} join minimum m on m.id = s.bundle_id
      where s.organization_id = :organizationId and s.status is not null
        and (s.facts ->> 'distinctItems')::integer < m.items`,
  },
  {
    check: 'STATUS_OUTSIDE_VOCABULARY',
    kind: 'audit',
    subject: 'skill_snapshot',
    of: 'organization',
    findings: `${statusesOf} where s.organization_id = :organizationId and s.status <> all (:statuses::text[])`,
    bind: { statuses: [...skillStatuses] },
  },
  {
    check: 'RECOMPUTE_STUCK',
    kind: 'runtime',
    subject: 'student',
    of: 'platform',
    waits: true,
    findings: `select organization_id, student_id::text as id, student_id from sse_recompute_request
      where requested_seq > processed_seq and parked_at is null
        and requested_at < :now::timestamptz - :threshold * interval '1 second'`,
  },
];
