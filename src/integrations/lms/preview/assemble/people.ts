// Writes the rows of people of a preview, page by page.
import type { Db, Trx } from '#core/platform/db.ts';
import { insertRows, planForAnyValues, rowsOf } from '#core/platform/sql.ts';
import { identityOf } from '../../enums.ts';
import { holdErasures } from '../../personal-data/erased.ts';
import { whileHeld } from '../lease.ts';
import type { LmsPreview } from '../rows.ts';
import { type FoundPerson, type PersonInRoster, selectPeople, stagedPeople } from './person-context.ts';
import { personRow } from './person-rows.ts';
import { findSharedAccounts, type SharedAccountSearch } from './shared-accounts.ts';

/** The rows of a page, which is held in memory. */
const pageSize = 500;

interface EnrolledRoles extends Pick<PersonInRoster, 'enrolledAs' | 'openAs'> {
  readonly externalId: string;
}

/** Not joined with the people, because the planner has no statistics of rows that were just stored. */
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

async function readPage({ preview, complete }: PeopleBuilding, trx: Trx, after: string): Promise<PersonInRoster[]> {
  const { organizationId, id: previewId, provider } = preview;
  const key = { organizationId, previewId };
  const identity = identityOf(provider);
  const page = await rowsOf<FoundPerson>(trx, selectPeople(stagedPeople), {
    ...key,
    provider,
    identity,
    after,
    pageSize,
  });
  const ends = { first: page[0]?.externalId ?? '', last: page.at(-1)?.externalId ?? '' };
  const roles = await rowsOf<EnrolledRoles>(trx, rolesStatement, { ...key, ...ends });
  const emails = page.flatMap(({ content }) => content.email ?? []);
  const counts = await rowsOf<{ email: string; count: number }>(trx, emailsStatement, { ...key, emails });
  const rolesOf = new Map(roles.map((one) => [one.externalId, one]));
  const countOf = new Map(counts.map(({ email, count }) => [email, count]));
  const among: SharedAccountSearch['among'] = (inside, ids) => staged(inside, preview, ids);
  const shared = await findSharedAccounts(trx, { organizationId, provider, complete, among }, page);
  return page.map((found) => ({
    ...found,
    isShared: shared.has(found.externalId),
    enrolledAs: rolesOf.get(found.externalId)?.enrolledAs ?? [],
    openAs: rolesOf.get(found.externalId)?.openAs ?? [],
    emailCount: countOf.get(found.content.email ?? '') ?? 0,
  }));
}

export interface PeopleBuilding extends Pick<SharedAccountSearch, 'complete'> {
  readonly db: Db;
  readonly preview: LmsPreview;
  readonly signal?: AbortSignal | undefined;
}

/** Returns the number of rows. */
export async function buildPeople(building: PeopleBuilding): Promise<number> {
  for (let [after, position] = ['', 0]; ; ) {
    building.signal?.throwIfAborted();
    const page = await buildPage(building, { after, position });
    position += page.length;
    if (page.length < pageSize) return position;
    after = page.at(-1)?.externalId ?? '';
  }
}

/** Reads and writes in one transaction, so that an erasure happens before or after it. */
const buildPage = (
  building: PeopleBuilding,
  { after, position }: { readonly after: string; readonly position: number },
): Promise<readonly PersonInRoster[]> =>
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
