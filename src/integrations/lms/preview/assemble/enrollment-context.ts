// Finds, for each enrollment of a roster, the classes that the person is in and what earlier imports have done.
import { bulkReadingIn, type Db } from '#core/platform/db.ts';
import { joinedByHash, rowsOf } from '#core/platform/sql.ts';
import type { EnrollmentFacts } from '../../engine/enrollments.ts';
import { identityOf, type RowReasonCode } from '../../enums.ts';
import type { RosterRole } from '../../provider.ts';
import type { LmsPreview } from '../rows.ts';
import type { EnrollmentToStage, StagedEnrollment } from './stage.ts';

export interface FoundEnrollment {
  readonly personExternalId: string;
  readonly courseExternalId: string;
  readonly role: RosterRole;
  readonly content: StagedEnrollment | null;
  readonly isOpen: boolean;
  readonly classId: number | null;
  readonly classGrade: number | null;
  readonly isArchived: boolean;
  readonly person: { readonly entity: string; readonly reasonCode: RowReasonCode; readonly action: string } | null;
  readonly userId: number | null;
  readonly personGrade: number | null;
  readonly studentClassId: number | null;
  readonly isTeacherOfClass: boolean;
  readonly base: EnrollmentFacts['base'];
  readonly importedClassId: number | null;
  readonly openClasses: number;
  readonly isRepeated: boolean;
  readonly isHeld: boolean;
}

const afterKey = (alias: string) => `(${alias}.person_external_id, ${alias}.course_external_id, ${alias}.role) >
    (:afterPerson, :afterCourse, :afterRole)`;
const ordered = 'order by person_external_id, course_external_id, role limit :pageSize';

/**
 * The enrollments of this roster, and those that an import has opened and the roster does not contain. A row whose role cannot
 * be read may be any enrollment of the person in the course.
 */
const pageOfEnrollments = `
  page as materialized (select * from (
    (select e.person_external_id, e.course_external_id, e.role, e.content, e.is_open from lms_staged_enrollment e
     where e.organization_id = :organizationId and e.preview_id = :previewId and ${afterKey('e')} ${ordered})
    union all
    (select b.person_external_id, b.course_external_id, b.role, null, false from lms_enrollment b
     where b.organization_id = :organizationId and b.provider = :provider and b.is_open
       and b.course_external_id = any(:complete::text[]) and ${afterKey('b')}
       and not exists (select from lms_staged_enrollment e where e.organization_id = :organizationId
         and e.preview_id = :previewId and e.person_external_id = b.person_external_id
         and e.course_external_id = b.course_external_id
         and (e.role = b.role or (e.role = 'other' and (e.content -> 'isBad')::boolean))) ${ordered})) both_kinds
    ${ordered})`;

const between = (column: string) => `${column} >= (select first from ends) and ${column} <= (select last from ends)`;

export const stagedEnrollments = `
  ${pageOfEnrollments},
  ends as (select min(person_external_id) as first, max(person_external_id) as last from page),
  known as materialized (select p.*, r.user_id as person_user_id, (g.content ->> 'grade')::integer as person_grade,
      case when r.id is null then null else jsonb_build_object(
        'entity', r.entity, 'reasonCode', r.reason_code, 'action', r.action) end as person
    from page p
    left join lms_preview_row r on r.organization_id = :organizationId and r.preview_id = :previewId
      and r.person_external_id = p.person_external_id and r.entity <> 'enrollment' and ${between('r.person_external_id')}
    left join lms_staged_person g on g.organization_id = :organizationId and g.preview_id = :previewId
      and g.external_id = p.person_external_id and ${between('g.external_id')})`;

export const openEnrollmentsOfPage = `lms_staged_enrollment s where s.organization_id = :organizationId and s.preview_id = :previewId
  and s.is_open and ${between('s.person_external_id')}`;

const givenEnrollments = `
  known as materialized (select g."personExternalId" as person_external_id, g."courseExternalId" as course_external_id,
      g.role, g.content, g."isOpen" as is_open, g.person, g."personUserId" as person_user_id,
      g."personGrade" as person_grade
    from jsonb_to_recordset(:rows::jsonb) as g ("personExternalId" text, "courseExternalId" text, role text,
      content jsonb, "isOpen" boolean, person jsonb, "personUserId" bigint, "personGrade" integer))`;

/**
 * A list of ids limits, by an index, the rows that are joined by hash; without it each page would read the whole organization.
 * The condition stands alone: together with a column of another index the planner would use that index and compare each row of
 * the organization with the list.
 */
const ofPage = (column: string) => `${column} = any((select ids from people)::text[])`;
const usersOfPage = (column: string) => `${column} = any((select ids from users)::bigint[])`;

/**
 * `page`: the enrollments with their people, as the relation `known`. `open`: all open enrollments of these people at the
 * source. The relation `opened` has the classes that people would be in, `held` the classes that some course has them in, also
 * one that was not read now, and `imported` the classes that an import has enrolled a student in. `openOfSiblings`: the table of
 * enrollments in which the other identities of an account are looked up, whose enrollments are those of the same student.
 */
export const selectEnrollments = (page: string, open: string, openOfSiblings: string) => `
  with ${page},
  people as materialized (select array(select distinct person_external_id from known) as ids),
  bases as materialized (select w.* from lms_enrollment w where w.organization_id = :organizationId
    and w.provider = :provider and ${ofPage('w.person_external_id')}),
  users as materialized (select array(select person_user_id from known where person_user_id is not null
    union select user_id from bases) as ids),
  siblings as materialized (select w.person_external_id, i.subject
    from (select person_external_id, person_user_id as user_id from known
      union select person_external_id, user_id from bases) w
    join external_identity i on i.organization_id = :organizationId and i.provider = :identity
      and i.user_id = w.user_id and i.subject <> w.person_external_id),
  opened_by_siblings as materialized (select b.person_external_id, s.role, y.class_id, min(b.subject) as subject,
      z.archived_at is not null as is_archived
    from siblings b join ${openOfSiblings} s on s.person_external_id = b.subject and s.is_open
    join lms_mapping y on y.organization_id = :organizationId and y.provider = :provider
      and y.course_external_id = s.course_external_id
    join class z on z.organization_id = :organizationId and z.id = y.class_id
    group by b.person_external_id, s.role, y.class_id, z.archived_at),
  theirs as materialized (select w.* from lms_enrollment w where w.organization_id = :organizationId
    and ${usersOfPage('w.user_id')}),
  opened as materialized (select s.person_external_id, s.role, z.id as class_id, z.archived_at is not null as is_archived,
      min(s.course_external_id) as first_course
    from (select s.person_external_id, s.role, s.course_external_id from ${open}) s
    join lms_mapping y on y.organization_id = :organizationId and y.provider = :provider
      and y.course_external_id = s.course_external_id
    join class z on z.organization_id = :organizationId and z.id = y.class_id
    group by s.person_external_id, s.role, z.id, z.archived_at),
  held as materialized (select person_external_id, role, class_id from opened
    union select person_external_id, role, class_id from opened_by_siblings
    union select o.person_external_id, o.role, o.class_id from bases o
    join lms_mapping y on y.organization_id = :organizationId and y.provider = :provider
      and y.course_external_id = o.course_external_id and y.class_id = o.class_id
    where o.is_open and o.course_external_id not in (select unnest(:complete::text[]))),
  imported as (select i.user_id, array_agg(i.class_id order by i.class_id) as class_ids from theirs i
    where i.provider = :provider and i.role = 'student' and i.is_open and i.made
    group by i.user_id)
  select p.person_external_id, p.course_external_id, p.role, p.content, p.is_open,
    k.id as class_id, k.grade as class_grade, k.archived_at is not null as is_archived,
    p.person, coalesce(p.person_user_id, b.user_id) as user_id, p.person_grade,
    n.class_id as student_class_id, t.class_id is not null as is_teacher_of_class,
    case when b.role is null then null else jsonb_build_object(
      'classId', b.class_id, 'isOpen', b.is_open, 'made', b.made) end as base,
    case when n.class_id = any(i.class_ids) then n.class_id else i.class_ids[1] end as imported_class_id,
    coalesce(o.classes, 0) as open_classes,
    (f.first_course < p.course_external_id or g.subject < p.person_external_id) is true as is_repeated,
    h.class_id is not null as is_held
  from known p
  left join bases b
    on b.person_external_id = p.person_external_id and b.course_external_id = p.course_external_id and b.role = p.role
  left join lms_mapping m on m.organization_id = :organizationId and m.provider = :provider
    and m.course_external_id = p.course_external_id
  left join class k on k.organization_id = :organizationId and k.id = m.class_id
  left join (select person_external_id, role, count(distinct class_id)::integer as classes
    from (select person_external_id, role, class_id from opened where not is_archived
      union all select person_external_id, role, class_id from opened_by_siblings where not is_archived) w group by 1, 2) o
    on o.person_external_id = p.person_external_id and o.role = p.role
  left join opened f on f.person_external_id = p.person_external_id and f.role = p.role and f.class_id = k.id
  left join opened_by_siblings g on g.person_external_id = p.person_external_id and g.role = p.role and g.class_id = k.id
  left join held h on h.person_external_id = p.person_external_id and h.role = p.role and h.class_id = b.class_id
  left join enrollment n on p.role = 'student' and n.organization_id = :organizationId
    and n.student_id = coalesce(p.person_user_id, b.user_id) and n.enrolled_to is null
    and ${usersOfPage('n.student_id')}
  left join class_teacher t on p.role = 'teacher' and t.organization_id = :organizationId
    and t.class_id = case when p.is_open then k.id else b.class_id end
    and t.teacher_user_id = coalesce(p.person_user_id, b.user_id)
  left join imported i on i.user_id = coalesce(p.person_user_id, b.user_id)
  order by p.person_external_id, p.course_external_id, p.role`;

export const enrollmentsOfPreview = `(select person_external_id, course_external_id, role, is_open
  from lms_staged_enrollment where organization_id = :organizationId and preview_id = :previewId)`;
const enrollmentsOfLastImport = `(select person_external_id, course_external_id, role, is_open
  from lms_enrollment where organization_id = :organizationId and provider = :provider)`;

/** An enrollment of a roster that is not stored, with the decision about its person. */
export interface GivenEnrollment extends EnrollmentToStage {
  readonly person: FoundEnrollment['person'];
  readonly personUserId: number | null;
  readonly personGrade: number | null;
}

export interface Completeness {
  /** The courses whose whole roster was read. */
  readonly complete: Iterable<string>;
}

/** Finds the classes that people are in, for all enrollments of some people whose roster is not stored. */
export const findEnrollments = (
  db: Db,
  { organizationId, provider, complete }: Pick<LmsPreview, 'organizationId' | 'provider'> & Completeness,
  rows: readonly GivenEnrollment[],
): Promise<FoundEnrollment[]> =>
  bulkReadingIn(db, { organizationId })((trx) =>
    joinedByHash(trx, () =>
      rowsOf<FoundEnrollment>(
        trx,
        selectEnrollments(givenEnrollments, 'known s where s.is_open', enrollmentsOfLastImport),
        {
          organizationId,
          provider,
          identity: identityOf(provider),
          complete: [...complete],
          rows: JSON.stringify(rows),
        },
      ),
    ),
  );
