// Probes of accounts, classes, enrollments and the rows that refer to them.
import { type CatalogueDocument, schoolYearDates } from '#rules/catalogue/index.ts';
import type { Looking, Probe } from './probe.ts';

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

/** How long after the first day of a school year a school is expected to have rolled over. */
const daysToRollOver = 60;

/** The first day of every school year as `08-01`, from the catalogue in force. */
async function yearStart({ services, now }: Looking) {
  const { rules } = await services.rules.at(services.db, now);
  const { schoolYear } = rules.values<CatalogueDocument>('catalogue/subskills');
  return { start: schoolYearDates(now.toISOString().slice(0, 10), schoolYear).from.slice(5), daysToRollOver };
}

/** Schools of `:organizationId` in the first days of a school year with students in classes of earlier ones. */
const notRolledOver = `select s.organization_id, s.id, null::bigint as student_id from school s
  join organization o on o.id = s.organization_id
  cross join lateral (
    select (:now::timestamptz at time zone coalesce(s.time_zone, o.time_zone))::date as today) l
  cross join lateral (
    select extract(year from l.today)::integer - (to_char(l.today, 'MM-DD') < :start)::integer as first_year) y
  where s.organization_id = :organizationId
    and l.today - to_date(y.first_year || '-' || :start, 'YYYY-MM-DD') < :daysToRollOver::integer
    and exists (select from class c
      join enrollment e on e.organization_id = c.organization_id and e.class_id = c.id and e.enrolled_to is null
      where c.organization_id = s.organization_id and c.school_id = s.id and c.archived_at is null
        and c.academic_year < y.first_year || '-' || (y.first_year + 1))`;

/**
 * `:organizationId` when it has students and no holiday in its school year: every week then counts, the summer's too. A demo
 * has no calendar.
 */
const withoutCalendar = `select o.id as organization_id, o.id, null::bigint as student_id from organization o
  cross join lateral (select (:now::timestamptz at time zone o.time_zone)::date as today) l
  cross join lateral (
    select extract(year from l.today)::integer - (to_char(l.today, 'MM-DD') < :start)::integer as first_year) y
  where o.id = :organizationId and not o.is_demo
    and exists (select from enrollment e where e.organization_id = o.id and e.enrolled_to is null)
    and not exists (select from unnest(o.holidays) as h (holiday)
      where h.holiday >= to_date(y.first_year || '-' || :start, 'YYYY-MM-DD')
        and h.holiday < to_date((y.first_year + 1) || '-' || :start, 'YYYY-MM-DD'))`;

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
    check: 'STUDENTS_IN_LAST_YEARS_CLASS',
    kind: 'audit',
    subject: 'school',
    of: 'organization',
    findings: notRolledOver,
    bind: yearStart,
  },
  {
    check: 'CALENDAR_EMPTY',
    kind: 'audit',
    subject: 'organization',
    of: 'organization',
    findings: withoutCalendar,
    bind: yearStart,
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
