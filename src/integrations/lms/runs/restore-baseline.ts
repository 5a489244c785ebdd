// Restores the baseline of imports from before a commit that is reverted, so that the next preview proposes the same changes
// again.
import type { Trx } from '#core/platform/db.ts';
import { joinedByHash, rowsOf } from '#core/platform/sql.ts';
import type { LmsSyncRun } from './rows.ts';

/**
 * Selects the changes to restore: none of rows that stay as they are, and none that only updated the baseline when another
 * row of the same person stays.
 */
export const restoredChanges = `c.organization_id = :organizationId and c.run_id = :runId and c.row_id <> all (:kept::text[])
  and not (jsonb_exists(c.after, 'isOnlyRemembered') and exists (select from lms_change k
    where k.organization_id = :organizationId and k.run_id = :runId and k.user_id = c.user_id
      and k.row_id = any (:kept::text[])))`;

const former = `nullif(c.before -> 'former', 'null'::jsonb)`;

const ofPerson = `${restoredChanges} and b.organization_id = :organizationId and b.provider = :provider
  and b.external_id = c.after ->> 'externalId'`;

/** People whom the commit linked first and who had an account before. */
const newPeople = `
  delete from lms_person b using lms_change c
  where ${ofPerson} and ${former} is null and c.before -> 'person' <> 'null'::jsonb`;

/**
 * For a person whose account the commit has created, only the account id is kept: the next preview, erasure and the archive
 * need it.
 */
const knownPeople = `
  update lms_person b set full_name_ar = ${former} ->> 'fullNameAr', email = ${former} ->> 'email',
    active = coalesce((${former} -> 'active')::boolean, false)
  from lms_change c where ${ofPerson} and (${former} is not null or c.before -> 'person' = 'null'::jsonb)`;

const ofEnrollment = `${restoredChanges} and b.organization_id = :organizationId and b.provider = :provider
  and b.person_external_id = c.after ->> 'personExternalId' and b.course_external_id = c.after ->> 'courseExternalId'
  and b.role = c.after ->> 'role'`;

const newEnrollments = `
  delete from lms_enrollment b using lms_change c where ${ofEnrollment} and not exists (select from class k
    where k.organization_id = :organizationId and k.id = (${former} ->> 'classId')::bigint)`;

const knownEnrollments = `
  update lms_enrollment b set class_id = (${former} ->> 'classId')::bigint, is_open = (${former} -> 'isOpen')::boolean,
    made = (${former} -> 'made')::boolean
  from lms_change c where ${ofEnrollment} and ${former} is not null`;

/** Called after the accounts have been written. `kept`: the ids of rows that stay as they are. */
export async function restoreBaseline(trx: Trx, run: LmsSyncRun, kept: readonly string[]): Promise<void> {
  const { organizationId, provider, id: runId } = run;
  const key = { organizationId, provider, runId, kept: [...kept] };
  await joinedByHash(trx, async () => {
    await rowsOf(trx, newPeople, key);
    await rowsOf(trx, knownPeople, key);
    await rowsOf(trx, newEnrollments, key);
    await rowsOf(trx, knownEnrollments, key);
  });
}
