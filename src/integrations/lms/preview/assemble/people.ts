// Rows of people, page by page: each person of the roster beside the account that it may be.
import { bulkReadingIn, type Db, type Trx } from '#core/platform/db.ts';
import { insertRows, planForAnyValues, rowsOf } from '#core/platform/sql.ts';
import { isAddressElsewhere, isGoogleAccountElsewhere } from '../../elsewhere/somebodys.ts';
import type { LocalPerson, PersonBase } from '../../engine/people.ts';
import { identityOf } from '../../enums.ts';
import { holdErasures } from '../../personal-data/erased.ts';
import type { RosterRole } from '../../provider.ts';
import { whileHeld } from '../lease.ts';
import type { LmsPreview } from '../rows.ts';
import { personRow } from './person-rows.ts';
import { type Sharing, sharing } from './shared-accounts.ts';
import type { PersonToStage, StagedPerson } from './stage.ts';

/** A page is held in memory. */
const pageSize = 500;

export interface FoundPerson {
  readonly externalId: string;
  readonly content: StagedPerson;
  readonly byIdentity: LocalPerson | null;
  readonly byEmail: LocalPerson | null;
  readonly isEmailElsewhere: boolean;
  readonly hasIdentity: boolean;
  /** A first sign-in has linked the person, and no import has made that its own. */
  readonly isByEmail: boolean;
  readonly base: PersonBase | null;
  readonly hasNewChildren: boolean;
}

export interface Found extends FoundPerson {
  readonly enrolledAs: readonly RosterRole[];
  /** The same of enrollments that are open. */
  readonly openAs: readonly RosterRole[];
  readonly emailCount: number;
  readonly isShared: boolean;
}

const account = (alias: string) => `case when ${alias}.id is null then null else jsonb_build_object(
  'userId', ${alias}.id, 'persona', ${alias}.primary_persona, 'fullNameAr', ${alias}.full_name_ar,
  'email', ${alias}.email, 'status', ${alias}.status) end`;

/**
 * Accounts of other organizations are looked at for one thing: whether an address or an identity is theirs. `offset 0` has
 * each key looked up by itself, where the planner knows no numbers of an import that has just ended. A person without a name
 * was imported and taken back: what is remembered is the account, which is opened again where the source has the person, and
 * whose address is nobody's where the source has the person inactive.
 */
const besideAccounts = (page: string) => `
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
        and s.student_id = k.user_id and s.parent_user_id = u.id))) as has_new_children
  from page p
  left join lateral (select user_id, by_email from external_identity
    where organization_id = :organizationId and provider = :identity and subject = p.external_id offset 0) i on true
  cross join lateral (select :identity = 'google' and ${isGoogleAccountElsewhere('p.external_id')} as is_elsewhere offset 0) x
  left join lateral (select user_id, full_name_ar, email, active from lms_person
    where organization_id = :organizationId and provider = :provider and external_id = p.external_id offset 0) b on true
  left join app_user u on u.organization_id = :organizationId and u.status <> 'deleted'
    and u.id = coalesce(i.user_id, case when b.full_name_ar is null and (p.content -> 'active')::boolean then b.user_id end)
  left join sign_in_name n on n.organization_id = :organizationId and n.email = p.email
  left join app_user m on m.organization_id = :organizationId and m.id = n.user_id
    and (m.status <> 'active' and m.id = b.user_id and b.full_name_ar is null
      and not (p.content -> 'active')::boolean) is not true
  order by p.external_id`;

const stagedPage = `
  select external_id, content, email from lms_staged_person
  where organization_id = :organizationId and preview_id = :previewId and external_id > :after
  order by external_id limit :pageSize`;

const givenPage = `
  select g."externalId" as external_id, g.content, g.content ->> 'email' as email
  from jsonb_to_recordset(:people::jsonb) as g ("externalId" text, content jsonb)`;

/** People of a roster that is not stored, beside the accounts that they may be. */
export const findPeople = (
  db: Db,
  { organizationId, provider }: Pick<LmsPreview, 'organizationId' | 'provider'>,
  people: readonly PersonToStage[],
): Promise<FoundPerson[]> =>
  bulkReadingIn(db, { organizationId })((trx) =>
    rowsOf<FoundPerson>(trx, besideAccounts(givenPage), {
      ...{ organizationId, provider, identity: identityOf(provider) },
      people: JSON.stringify(people),
    }),
  );

interface EnrolledRoles extends Pick<Found, 'enrolledAs' | 'openAs'> {
  readonly externalId: string;
}

/** By themselves, and not joined: of what was just staged the planner knows no numbers. */
const rolesStatement = `
  select person_external_id as external_id, array_agg(distinct role) as enrolled_as,
    coalesce(array_agg(distinct role) filter (where is_open), '{}') as open_as from lms_staged_enrollment
  where organization_id = :organizationId and preview_id = :previewId and not (content -> 'isBad')::boolean
    and person_external_id >= :first and person_external_id <= :last
  group by person_external_id`;

const emailsStatement = `
  select w.email, (select count(*)::integer from lms_staged_person p where p.organization_id = :organizationId
    and p.preview_id = :previewId and p.email = w.email) as count
  from unnest(:emails::text[]) as w (email)`;

const stagedStatement = `
  select external_id from lms_staged_person
  where organization_id = :organizationId and preview_id = :previewId and external_id = any(:ids::text[])`;

async function staged(trx: Trx, { organizationId, id: previewId }: LmsPreview, ids: readonly string[]) {
  const rows = await rowsOf<{ externalId: string }>(trx, stagedStatement, { organizationId, previewId, ids });
  return rows.map(({ externalId }) => externalId);
}

async function readPage({ preview, complete }: PeopleBuilding, trx: Trx, after: string): Promise<Found[]> {
  const { organizationId, id: previewId, provider } = preview;
  const key = { organizationId, previewId };
  const identity = identityOf(provider);
  const page = await rowsOf<FoundPerson>(trx, besideAccounts(stagedPage), {
    ...{ ...key, provider, identity, after, pageSize },
  });
  const ends = { first: page[0]?.externalId ?? '', last: page.at(-1)?.externalId ?? '' };
  const roles = await rowsOf<EnrolledRoles>(trx, rolesStatement, { ...key, ...ends });
  const emails = page.flatMap(({ content }) => content.email ?? []);
  const counts = await rowsOf<{ email: string; count: number }>(trx, emailsStatement, { ...key, emails });
  const rolesOf = new Map(roles.map((one) => [one.externalId, one]));
  const countOf = new Map(counts.map(({ email, count }) => [email, count]));
  const among: Sharing['among'] = (inside, ids) => staged(inside, preview, ids);
  const shared = await sharing(trx, { organizationId, provider, complete, among }, page);
  return page.map((found) => ({
    ...found,
    isShared: shared.has(found.externalId),
    enrolledAs: rolesOf.get(found.externalId)?.enrolledAs ?? [],
    openAs: rolesOf.get(found.externalId)?.openAs ?? [],
    emailCount: countOf.get(found.content.email ?? '') ?? 0,
  }));
}

export interface PeopleBuilding extends Pick<Sharing, 'complete'> {
  readonly db: Db;
  readonly preview: LmsPreview;
  readonly signal?: AbortSignal | undefined;
}

/** Answers how many rows there are. */
export async function buildPeople(building: PeopleBuilding): Promise<number> {
  for (let [after, position] = ['', 0]; ; ) {
    building.signal?.throwIfAborted();
    const page = await buildPage(building, { after, position });
    position += page.length;
    if (page.length < pageSize) return position;
    after = page.at(-1)?.externalId ?? '';
  }
}

/** Read and written in one transaction: whoever is erased is so before the one or after the other. */
const buildPage = (
  building: PeopleBuilding,
  { after, position }: { readonly after: string; readonly position: number },
): Promise<readonly Found[]> =>
  whileHeld(building.db, building.preview, async (trx) => {
    const { preview } = building;
    const { organizationId } = preview;
    await holdErasures(trx, organizationId);
    await planForAnyValues(trx);
    const page = await readPage(building, trx, after);
    const rows = page.map((found, at) => personRow(preview, found, position + at));
    if (rows.length > 0) await insertPreviewRows(trx, rows);
    return page;
  });

export const insertPreviewRows = (trx: Trx, rows: readonly object[]): Promise<unknown> =>
  insertRows(trx, 'lms_preview_row', rows);
