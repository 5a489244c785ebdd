// QA probes of what is published of schools and organizations.
import type { Probe } from '#messaging/qa/index.ts';

export const aggregateProbes: readonly Probe[] = [
  {
    check: 'AGGREGATE_CELL_SMALL',
    kind: 'audit',
    subject: 'release',
    of: 'organization',
    // Compares with the threshold of the rules that protected the release.
    findings: `with smallest as materialized (
        select r.organization_id, r.id, r.school_year,
          (v.document::jsonb #>> '{constants,PRT-MIN-01,value}')::integer as children
        from aggregate_release r join rule_version v
          on v.id = 'band-descriptions/manager@' || (r.rule_versions ->> 'band-descriptions/manager')
        where r.organization_id = :organizationId)
      select c.organization_id, c.release_id as id, null::bigint as student_id from aggregate_cell c
      join smallest s on s.organization_id = c.organization_id and s.id = c.release_id and s.school_year = c.school_year
      where c.organization_id = :organizationId and (c.students between 1 and s.children - 1 or exists (
        select from jsonb_each_text(c.counts) v where v.value::integer between 1 and s.children - 1))
      group by c.organization_id, c.release_id`,
  },
  {
    check: 'AGGREGATE_PUBLISHED_TWICE',
    kind: 'audit',
    subject: 'unit',
    of: 'organization',
    findings: `select organization_id, unit || ' ' || unit_id as id, null::bigint as student_id from aggregate_release
      where organization_id = :organizationId
      group by organization_id, unit, unit_id, school_year, season having count(*) > 1`,
  },
];
