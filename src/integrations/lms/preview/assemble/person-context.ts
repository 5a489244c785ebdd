// Finds the account that each person of a roster may be, in pages of a stored roster or for a list of people.
import { bulkReadingIn, type Db } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { isAddressElsewhere, isGoogleAccountElsewhere } from '../../cross-organization.ts';
import type { LocalPerson, OtherIdentities, PersonBase } from '../../engine/people.ts';
import { identityOf } from '../../enums.ts';
import type { RosterRole } from '../../provider.ts';
import type { LmsPreview } from '../rows.ts';
import type { PersonToStage, StagedPerson } from './stage.ts';

export interface FoundPerson {
  readonly externalId: string;
  readonly content: StagedPerson;
  readonly byIdentity: LocalPerson | null;
  readonly byEmail: LocalPerson | null;
  readonly isEmailElsewhere: boolean;
  readonly hasIdentity: boolean;
  /** A first sign-in has linked the person, and no import has adopted the link. */
  readonly isByEmail: boolean;
  readonly base: PersonBase | null;
  readonly hasNewChildren: boolean;
  /** The other identities of the account that an import knows; null without one. */
  readonly others: OtherIdentities | null;
}

/** A person with what the whole roster says about them. */
export interface PersonInRoster extends FoundPerson {
  readonly enrolledAs: readonly RosterRole[];
  /** The roles of the enrollments that are open. */
  readonly openAs: readonly RosterRole[];
  readonly emailCount: number;
  readonly isShared: boolean;
}

const account = (alias: string) => `case when ${alias}.id is null then null else jsonb_build_object(
  'userId', ${alias}.id, 'persona', ${alias}.primary_persona, 'fullNameAr', ${alias}.full_name_ar,
  'email', ${alias}.email, 'status', ${alias}.status) end`;

/** The account that an identity was linked to first: two ids of one source that had one account before are one person's. */
const originOf = (row: string) => `coalesce(${row}.merged_from, ${row}.user_id)`;

/** The order of an account's identities. */
const placeOf = (row: string) =>
  `row(${row}.merged_from is not null, ${row}.created_at, ${row}.provider, ${row}.subject)`;

/**
 * Identities that an import knows and that an account has besides that of the row: a merge of two accounts leaves several, and
 * two providers do. `isActive`: the source has one of them as active, now or at the last import. `isAhead`: one of those comes
 * before that of the row; the account's own ones come before those that a merge has moved, then the order is that of linking.
 */
const otherIdentities = `
  left join lateral (select case when count(*) = 0 then null else jsonb_build_object(
      'isActive', bool_or(o.is_active), 'wasActive', bool_or(o.active),
      'isAhead', bool_or(o.is_active and o.place < i.place),
      'fullNames', jsonb_agg(o.full_name_ar), 'emails', jsonb_agg(o.email)) end as others
    from (select q.full_name_ar, q.email, q.active, coalesce((t.content -> 'active')::boolean, q.active) as is_active, ${placeOf('e')} as place
      from external_identity e
      join lms_person q on q.organization_id = :organizationId and q.external_id = e.subject and q.full_name_ar is not null
        and q.provider = case e.provider when 'google' then 'google_classroom' else e.provider end
      left join lms_staged_person t on t.organization_id = :organizationId and t.preview_id = :previewId
        and t.external_id = e.subject and e.provider = :identity
      where e.organization_id = :organizationId and e.user_id = i.user_id
        and (e.provider <> :identity or ${originOf('e')} <> i.origin)) o) z on i.user_id is not null`;

/**
 * Accounts of other organizations only show whether they have an address or identity. `offset 0` makes the planner look up each
 * key by itself, because it has no statistics of an import that has just ended. A row of `lms_person` without a name belongs to
 * an import that was reverted: its account is activated again when the source has the person as active, and its address counts
 * as free when the source has the person as inactive.
 */
export const selectPeople = (page: string) => `
  with page as (${page})
  select p.external_id, p.content,
    ${account('u')} as by_identity, ${account('m')} as by_email,
    (${isAddressElsewhere('p.email')} or x.is_elsewhere) is true as is_email_elsewhere,
    (i.user_id is not null or x.is_elsewhere) as has_identity,
    i.by_email is true as is_by_email,
    case when b.full_name_ar is null then null else jsonb_build_object(
      'fullNameAr', b.full_name_ar, 'email', b.email, 'active', b.active) end as base,
    (u.id is not null and exists (select from (
        select (select i.user_id from external_identity i where i.organization_id = :organizationId
          and i.provider = :identity and i.subject = c.id) as user_id
        from jsonb_array_elements_text(p.content -> 'childExternalIds') as c (id) offset 0) k
      where k.user_id is not null and not exists (select from parent_student s where s.organization_id = :organizationId
        and s.student_id = k.user_id and s.parent_user_id = u.id))) as has_new_children,
    z.others
  from page p
  left join lateral (select user_id, by_email, ${originOf('external_identity')} as origin,
      ${placeOf('external_identity')} as place from external_identity
    where organization_id = :organizationId and provider = :identity and subject = p.external_id offset 0) i on true
  cross join lateral (select :identity = 'google' and ${isGoogleAccountElsewhere('p.external_id')} as is_elsewhere offset 0) x
  left join lateral (select user_id, full_name_ar, email, active from lms_person
    where organization_id = :organizationId and provider = :provider and external_id = p.external_id offset 0) b on true
  left join app_user u on u.organization_id = :organizationId and u.status <> 'deleted'
    and u.id = coalesce(i.user_id, case when b.full_name_ar is null and (p.content -> 'active')::boolean
      then (select coalesce(f.merged_into_id, f.id) from app_user f
        where f.organization_id = :organizationId and f.id = b.user_id) end)
  ${otherIdentities}
  left join sign_in_name n on n.organization_id = :organizationId and n.email = p.email
  left join app_user m on m.organization_id = :organizationId and m.id = n.user_id
    and (m.status <> 'active' and m.id = b.user_id and b.full_name_ar is null
      and not (p.content -> 'active')::boolean) is not true
  order by p.external_id`;

export const stagedPeople = `
  select external_id, content, email from lms_staged_person
  where organization_id = :organizationId and preview_id = :previewId and external_id > :after
  order by external_id limit :pageSize`;

const givenPeople = `
  select g."externalId" as external_id, g.content, g.content ->> 'email' as email
  from jsonb_to_recordset(:people::jsonb) as g ("externalId" text, content jsonb)`;

/** Finds the accounts of people whose roster is not stored. Nothing is staged, so other identities have their last values. */
export const findPeople = (
  db: Db,
  { organizationId, provider }: Pick<LmsPreview, 'organizationId' | 'provider'>,
  people: readonly PersonToStage[],
): Promise<FoundPerson[]> =>
  bulkReadingIn(db, { organizationId })((trx) =>
    rowsOf<FoundPerson>(trx, selectPeople(givenPeople), {
      organizationId,
      provider,
      identity: identityOf(provider),
      previewId: null,
      people: JSON.stringify(people),
    }),
  );
