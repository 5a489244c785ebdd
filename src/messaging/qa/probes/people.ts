// Probes of accounts, classes, enrollments and the rows that refer to them.
import type { Probe } from './probe.ts';

/** References whose target row must exist in the same organization. */
const references = [
  ['enrollment', 'student_id', 'app_user'],
  ['enrollment', 'class_id', 'class'],
  ['class', 'school_id', 'school'],
  ['class_teacher', 'teacher_user_id', 'app_user'],
  ['class_teacher', 'class_id', 'class'],
  ['principal_school', 'school_id', 'school'],
  ['parent_student', 'parent_user_id', 'app_user'],
  ['parent_student', 'student_id', 'app_user'],
  ['student_support', 'student_id', 'app_user'],
  ['diagnostic_session', 'student_id', 'app_user'],
  ['sse_recompute_request', 'student_id', 'app_user'],
  ['bundle_assignment', 'student_id', 'student_support'],
] as const;

const astray = references.map(([table, column, to]) => {
  const key = to === 'student_support' ? 'student_id' : 'id';
  return `select r.organization_id, '${table}.${column} ' || r.${column} as id, null::bigint as student_id from ${table} r
    where r.organization_id = :organizationId and not exists (
      select from ${to} t where t.organization_id = r.organization_id and t.${key} = r.${column})`;
});

export const peopleProbes: readonly Probe[] = [
  { check: 'TENANT_MISMATCH', kind: 'audit', subject: 'row', of: 'organization', findings: astray.join(' union ') },
  {
    check: 'TWO_OPEN_ENROLLMENTS',
    kind: 'audit',
    subject: 'student',
    of: 'organization',
    findings: `select organization_id, student_id::text as id, student_id from enrollment
      where organization_id = :organizationId and enrolled_to is null
      group by organization_id, student_id having count(*) > 1`,
  },
  {
    check: 'CLASS_WITHOUT_TEACHER',
    kind: 'audit',
    subject: 'class',
    of: 'organization',
    findings: `select c.organization_id, c.id::text as id, null::bigint as student_id from class c
      where c.organization_id = :organizationId and c.archived_at is null
        and exists (select from enrollment e
          where e.organization_id = c.organization_id and e.class_id = c.id and e.enrolled_to is null)
        and not exists (select from class_teacher t where t.organization_id = c.organization_id and t.class_id = c.id)`,
  },
];
