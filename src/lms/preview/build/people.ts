// Rows of people, page by page: each person of the roster beside the account that it may be.
import { bulkReadingIn, type Db, type Trx } from '../../../platform/db.ts';
import { newId } from '../../../platform/ids.ts';
import { insertRows, rowsOf } from '../../../platform/sql.ts';
import {
  decidePerson,
  type LocalPerson,
  type PersonBase,
  type PersonDecision,
  type PersonFacts,
  personaOf,
} from '../../engine/people.ts';
import { isEmailReason } from '../../engine/resolutions.ts';
import type { RosterRole } from '../../provider.ts';
import { identityOf } from '../../words.ts';
import { whileHeld } from '../lease.ts';
import type { LmsPreview, PersonRowFacts } from '../rows.ts';
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
  readonly base: PersonBase | null;
  readonly hasNewChildren: boolean;
}

export interface Found extends FoundPerson {
  readonly enrolledAs: readonly RosterRole[];
  readonly emailCount: number;
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
    (n.organization_id <> :organizationId or x.subject is not null) is true as is_email_elsewhere,
    (i.user_id is not null or x.subject is not null) as has_identity,
    case when b.full_name_ar is null then null else jsonb_build_object(
      'fullNameAr', b.full_name_ar, 'email', b.email, 'active', b.active) end as base,
    (u.id is not null and exists (select from (
        select (select i.user_id from external_identity i where i.organization_id = :organizationId
          and i.provider = :identity and i.subject = c.id) as user_id
        from jsonb_array_elements_text(p.content -> 'childExternalIds') as c (id) offset 0) k
      where k.user_id is not null and not exists (select from parent_student s where s.organization_id = :organizationId
        and s.student_id = k.user_id and s.parent_user_id = u.id))) as has_new_children
  from page p
  left join lateral (select user_id from external_identity
    where organization_id = :organizationId and provider = :identity and subject = p.external_id offset 0) i on true
  left join external_identity x on :identity = 'google' and x.provider = 'google' and x.subject = p.external_id
    and x.organization_id <> :organizationId
  left join lateral (select user_id, full_name_ar, email, active from lms_person
    where organization_id = :organizationId and provider = :provider and external_id = p.external_id offset 0) b on true
  left join app_user u on u.organization_id = :organizationId and u.status <> 'deleted'
    and u.id = coalesce(i.user_id, case when b.full_name_ar is null and (p.content -> 'active')::boolean then b.user_id end)
  left join sign_in_name n on n.email = p.email
  left join app_user m on n.organization_id = :organizationId and m.organization_id = :organizationId and m.id = n.user_id
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
  bulkReadingIn(
    db,
    'SUPER',
  )((trx) =>
    rowsOf<FoundPerson>(trx, besideAccounts(givenPage), {
      ...{ organizationId, provider, identity: identityOf(provider) },
      people: JSON.stringify(people),
    }),
  );

/** By themselves, and not joined: of what was just staged the planner knows no numbers. */
const rolesStatement = `
  select person_external_id as external_id, array_agg(distinct role) as roles from lms_staged_enrollment
  where organization_id = :organizationId and preview_id = :previewId and not (content -> 'isBad')::boolean
    and person_external_id >= :first and person_external_id <= :last
  group by person_external_id`;

const emailsStatement = `
  select w.email, (select count(*)::integer from lms_staged_person p where p.organization_id = :organizationId
    and p.preview_id = :previewId and p.email = w.email) as count
  from unnest(:emails::text[]) as w (email)`;

const readPage = (db: Db, preview: LmsPreview, after: string): Promise<Found[]> =>
  bulkReadingIn(
    db,
    'SUPER',
  )(async (trx) => {
    const { organizationId, id: previewId, provider } = preview;
    const key = { organizationId, previewId };
    const identity = identityOf(provider);
    const page = await rowsOf<FoundPerson>(trx, besideAccounts(stagedPage), {
      ...{ ...key, provider, identity, after, pageSize },
    });
    const ends = { first: page[0]?.externalId ?? '', last: page.at(-1)?.externalId ?? '' };
    const roles = await rowsOf<{ externalId: string; roles: RosterRole[] }>(trx, rolesStatement, { ...key, ...ends });
    const emails = page.flatMap(({ content }) => content.email ?? []);
    const counts = await rowsOf<{ email: string; count: number }>(trx, emailsStatement, { ...key, emails });
    const rolesOf = new Map(roles.map((one) => [one.externalId, one.roles]));
    const countOf = new Map(counts.map(({ email, count }) => [email, count]));
    return page.map((found) => ({
      ...found,
      enrolledAs: rolesOf.get(found.externalId) ?? [],
      emailCount: countOf.get(found.content.email ?? '') ?? 0,
    }));
  });

/** Answers how many rows there are. */
export async function buildPeople(db: Db, preview: LmsPreview, signal?: AbortSignal): Promise<number> {
  let position = 0;
  for (let after = ''; ; ) {
    signal?.throwIfAborted();
    const page = await readPage(db, preview, after);
    const rows = page.map((found) => rowOf(preview, found, position++));
    if (rows.length > 0) await whileHeld(db, preview, (trx) => insertPreviewRows(trx, rows));
    if (page.length < pageSize) return position;
    after = page.at(-1)?.externalId ?? '';
  }
}

export const insertPreviewRows = (trx: Trx, rows: readonly object[]): Promise<unknown> =>
  insertRows(trx, 'lms_preview_row', rows);

export interface DecidedPerson extends PersonDecision {
  /** The account that the person is. */
  readonly linkedId: number | null;
  readonly isStale: boolean;
}

export function decided(found: Found): DecidedPerson {
  const decision = decidePerson(factsOf(found));
  const { base, content } = found;
  const { entity, action, reasonCode, local, changes } = decision;
  const linkedId = linkedUser(found, decision);
  return { entity, action, reasonCode, local, changes, linkedId, isStale: base !== null && isStale(base, content) };
}

function rowOf({ organizationId, id: previewId }: LmsPreview, found: Found, position: number) {
  const { externalId, content, hasIdentity } = found;
  const { fullNameAr, email, active, childExternalIds } = content;
  const { entity, action, reasonCode, local, changes, linkedId, isStale } = decided(found);
  const seen = linkedId === null ? null : local;
  const facts: PersonRowFacts = { seen, fullNameAr, email, active, childExternalIds, hasIdentity, isStale };
  const external = { externalId, fullNameAr, email, active, ...(entity === 'guardian' && { childExternalIds }) };
  // No spreads: of a row of many members they take four times as much memory.
  return {
    organizationId,
    previewId,
    position,
    id: newId(),
    entity,
    action,
    reasonCode,
    personExternalId: externalId,
    userId: linkedId,
    external,
    local: local && shown(local),
    changes,
    facts,
    resolution: null,
  };
}

/** An address that is in conflict links nobody; an identity of the same persona does. */
function linkedUser(
  { byIdentity }: Found,
  { entity, reasonCode, local }: Pick<PersonDecision, 'entity' | 'reasonCode' | 'local'>,
): number | null {
  if (!isEmailReason(reasonCode)) return local?.userId ?? null;
  return byIdentity?.persona === personaOf[entity] ? byIdentity.userId : null;
}

const shown = ({ userId, fullNameAr, email, status }: LocalPerson) => ({ userId, fullNameAr, email, status });

const isStale = (base: PersonBase, { fullNameAr, email, active }: StagedPerson): boolean =>
  base.fullNameAr !== fullNameAr || (email !== null && base.email !== email) || base.active !== active;

function factsOf(found: Found): PersonFacts {
  const { content, enrolledAs } = found;
  const { roles, fullNameAr, email, active, isBad, isErased } = content;
  return {
    isBad,
    isErased,
    roles: allRoles(roles, enrolledAs),
    fullNameAr: fullNameAr ?? '',
    email,
    active,
    emailCount: found.emailCount,
    byIdentity: found.byIdentity,
    byEmail: found.byEmail,
    isEmailElsewhere: found.isEmailElsewhere,
    base: found.base,
    hasNewChildren: found.hasNewChildren,
  };
}

/** Somebody whose own role is imported, or who has none, also has the roles of the enrollments. */
function allRoles(own: readonly RosterRole[], enrolledAs: readonly RosterRole[]): RosterRole[] {
  const counts = own.length === 0 || own.some((role) => role !== 'other');
  return [...new Set([...own, ...(counts ? enrolledAs : [])])];
}
