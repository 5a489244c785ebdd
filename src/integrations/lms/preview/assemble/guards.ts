// Finds conflicts that only many rows together show: a class that would lose its last active teacher, and changes of a size
// that a person reviews first. The rows that would be written are counted, and then turned into conflicts.
import type { Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { isMany, losesLastTeacher } from '../../engine/guards.ts';
import { type ImportedPersona, personaOf } from '../../engine/people.ts';
import { type ConflictReason, identityOf } from '../../enums.ts';
import type { LmsPreview } from '../rows.ts';

type Key = { readonly organizationId: string; readonly previewId: string };
type Owner = Key & Pick<LmsPreview, 'provider'>;
type Role = 'student' | 'teacher';

const rowsOfPreview = 'lms_preview_row r where r.organization_id = :organizationId and r.preview_id = :previewId';
const enrollmentsOf = (role: Role) => `${rowsOfPreview} and r.entity = 'enrollment' and r.facts ->> 'role' = '${role}'`;
const localClass = "(r.facts ->> 'localClassId')::bigint";

/** Moving out of a class of another school year does not count as leaving it. */
const staysInYear = `not exists (select from class f join class t on t.organization_id = f.organization_id
  and t.id = (r.facts ->> 'classId')::bigint and t.academic_year <> f.academic_year
  where f.organization_id = :organizationId and f.id = ${localClass})`;
const leavesClass = `r.action = 'update' and (r.reason_code = 'ended' or (r.reason_code = 'moved' and ${staysInYear}))`;
/** A teacher who is added to another class has moved. */
const endsForGood = `r.entity = 'enrollment' and r.action = 'update' and r.reason_code = 'ended'
  and not exists (select from lms_preview_row m where m.organization_id = r.organization_id and m.preview_id = r.preview_id
    and m.entity = 'enrollment' and m.person_external_id = r.person_external_id
    and m.facts ->> 'role' = r.facts ->> 'role' and m.reason_code = 'new_enrollment')`;
const becomesInactive = `r.entity <> 'enrollment' and r.action = 'update'
  and r.changes @> '[{"field": "status", "to": "inactive"}]'`;
const isRenamed = `r.entity <> 'enrollment' and r.action = 'update' and r.changes @> '[{"field": "fullNameAr"}]'
  and (r.facts -> 'isRenamed')::boolean is true`;

export async function findConflictsOfMany(trx: Trx, { organizationId, id: previewId, provider }: LmsPreview) {
  const owner = { organizationId, previewId, provider };
  const orphaned = await orphanedClasses(trx, owner);
  const people = await peopleOfPersonas(trx, owner);
  const emptied = await emptiedClasses(trx, owner);
  const ended = await endedRoles(trx, owner);
  const some = (test: (counts: PeopleCounts) => boolean) => people.filter(test).map(({ entity }) => entity);
  const deactivated = some(({ inactive, base }) => isMany(inactive, base));
  const renamed = some((one) => isMany(one.renamed, one.base, { all: false }));
  const orphans = { classIds: orphaned };
  await conflict(trx, owner, 'would_orphan_last_teacher', leavesAsTeacher, orphans);
  await conflict(trx, owner, 'would_orphan_last_teacher', leavesByAccount, orphans);
  const entitiesIn = 'and r.entity = any(:entities::text[])';
  await conflict(trx, owner, 'mass_deactivation', `${becomesInactive} ${entitiesIn}`, { entities: deactivated });
  await conflict(trx, owner, 'mass_rename', `${isRenamed} ${entitiesIn}`, { entities: renamed });
  await conflict(trx, owner, 'mass_removal', leavesAsStudent, { classIds: emptied });
  await conflict(trx, owner, 'mass_removal', endsInRole, { roles: ended });
}

const leavesAsTeacher = `r.entity = 'enrollment' and r.facts ->> 'role' = 'teacher' and ${leavesClass}
  and ${localClass} = any(:classIds::bigint[])`;
const leavesByAccount = `${becomesInactive} and r.entity = 'teacher' and exists (select from class_teacher t
  where t.organization_id = :organizationId and t.teacher_user_id = r.user_id and t.class_id = any(:classIds::bigint[]))`;
const leavesAsStudent = `r.entity = 'enrollment' and r.facts ->> 'role' = 'student' and ${leavesClass}
  and ${localClass} = any(:classIds::bigint[])`;
const endsInRole = `${endsForGood} and r.facts ->> 'role' = any(:roles::text[])`;

async function conflict(
  trx: Trx,
  { organizationId, previewId }: Key,
  reasonCode: ConflictReason,
  which: string,
  among: Readonly<Record<string, readonly (number | string)[]>>,
): Promise<void> {
  if (Object.values(among).every(({ length }) => length === 0)) return;
  await rowsOf(
    trx,
    `update lms_preview_row r set action = 'conflict', reason_code = :reasonCode
     where r.organization_id = :organizationId and r.preview_id = :previewId and ${which}`,
    { organizationId, previewId, reasonCode, ...among },
  );
}

/**
 * Returns the classes that would have no active teacher after all rows: teachers leave, accounts become inactive and other
 * teachers are added.
 */
async function orphanedClasses(trx: Trx, { organizationId, previewId }: Owner): Promise<number[]> {
  const rows = await rowsOf<{ classId: number; present: number; leaving: number; coming: number }>(
    trx,
    `with gone as (select ${localClass} as class_id, r.user_id from ${enrollmentsOf('teacher')} and ${leavesClass}
       union select t.class_id, r.user_id from lms_preview_row r
         join class_teacher t on t.organization_id = :organizationId and t.teacher_user_id = r.user_id
         where r.organization_id = :organizationId and r.preview_id = :previewId and r.entity = 'teacher'
           and ${becomesInactive}),
     leaving as (select g.class_id, count(*)::integer as leaving from gone g
       join app_user u on u.organization_id = :organizationId and u.id = g.user_id and u.status = 'active'
       group by g.class_id)
     select l.class_id, l.leaving, (select count(*)::integer from class_teacher t
         join app_user u on u.organization_id = :organizationId and u.id = t.teacher_user_id and u.status = 'active'
         where t.organization_id = :organizationId and t.class_id = l.class_id) as present,
       (select count(*)::integer from ${enrollmentsOf('teacher')} and r.reason_code = 'new_enrollment'
         and (r.facts ->> 'classId')::bigint = l.class_id and not exists (select from lms_preview_row p
           where p.organization_id = r.organization_id and p.preview_id = r.preview_id and p.entity <> 'enrollment'
             and p.person_external_id = r.person_external_id
             and (p.action = 'conflict' or not (p.facts -> 'active')::boolean))) as coming
     from leaving l order by l.class_id`,
    { organizationId, previewId },
  );
  return rows
    .filter(({ present, leaving, coming }) => losesLastTeacher(present, leaving, coming))
    .map(({ classId }) => classId);
}

/** Returns the classes that many of their students would leave. */
async function emptiedClasses(trx: Trx, { organizationId, previewId }: Owner): Promise<number[]> {
  const rows = await rowsOf<{ classId: number; leaving: number; base: number }>(
    trx,
    `select l.class_id, l.leaving, (select count(*)::integer from enrollment e
       where e.organization_id = :organizationId and e.class_id = l.class_id and e.enrolled_to is null) as base
     from (select ${localClass} as class_id, count(*)::integer as leaving
       from ${enrollmentsOf('student')} and ${leavesClass} group by 1) l
     order by l.class_id`,
    { organizationId, previewId },
  );
  return rows.filter(({ leaving, base }) => isMany(leaving, base)).map(({ classId }) => classId);
}

/** Returns the roles of which many enrollments made by imports would end, across all classes. */
async function endedRoles(trx: Trx, owner: Owner): Promise<string[]> {
  const rows = await rowsOf<{ role: string; ending: number; base: number }>(
    trx,
    `select n.role, n.ending, (select count(*)::integer from lms_enrollment e
       join lms_mapping m on m.organization_id = :organizationId and m.provider = e.provider
         and m.course_external_id = e.course_external_id
       where e.organization_id = :organizationId and e.provider = :provider and e.role = n.role
         and e.is_open and e.made) as base
     from (select r.facts ->> 'role' as role, count(*)::integer as ending from ${rowsOfPreview}
       and ${endsForGood} group by 1) n
     order by n.role`,
    { ...owner },
  );
  return rows.filter(({ ending, base }) => isMany(ending, base)).map(({ role }) => role);
}

interface PeopleCounts {
  readonly entity: keyof typeof personaOf;
  readonly inactive: number;
  readonly renamed: number;
  readonly base: number;
}

/** Counts accounts, which may have several rows, against the active accounts of the persona that have an identity of the provider. */
async function peopleOfPersonas(trx: Trx, { organizationId, previewId, provider }: Owner): Promise<PeopleCounts[]> {
  const counts = await rowsOf<Omit<PeopleCounts, 'base'>>(
    trx,
    `select r.entity, count(distinct r.user_id) filter (where ${becomesInactive})::integer as inactive,
       count(distinct r.user_id) filter (where ${isRenamed})::integer as renamed
     from ${rowsOfPreview} and r.entity <> 'enrollment' and r.action = 'update' group by r.entity order by r.entity`,
    { organizationId, previewId },
  );
  const changed = counts.filter(({ inactive, renamed }) => inactive + renamed > 1);
  if (changed.length === 0) return [];
  const bases = await rowsOf<{ persona: ImportedPersona; base: number }>(
    trx,
    `select u.primary_persona as persona, count(*)::integer as base from app_user u
     where u.organization_id = :organizationId and u.status = 'active' and u.primary_persona = any(:personas::text[])
       and u.id in (select i.user_id from external_identity i
         where i.organization_id = :organizationId and i.provider = :identity)
     group by u.primary_persona`,
    { organizationId, identity: identityOf(provider), personas: changed.map(({ entity }) => personaOf[entity]) },
  );
  const baseOf = new Map(bases.map(({ persona, base }) => [persona, base]));
  return changed.map((one) => ({ ...one, base: baseOf.get(personaOf[one.entity]) ?? 0 }));
}
