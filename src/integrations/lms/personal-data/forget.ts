// Deletes the data of rosters about an erased person: rows of file sets and previews, the baseline of imports and recorded
// changes. A keyed hash of the external id stays, so that the next roster does not create the person again.

import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { modelOf } from '#core/platform/model.ts';
import { rowsOf } from '#core/platform/sql.ts';
import type { AccountForgotten, PersonalDataSection } from '#identity/people/index.ts';
import { LmsSourceRow } from '../connections/rows.ts';
import { providerOf } from '../enums.ts';
import { erasedHash, holdRosters, LmsErasedPerson } from './erased.ts';

/** `lms_person` has the provider and the external id. */
export const rosterSection: PersonalDataSection = {
  name: 'rosters',
  tables: [
    { table: 'lms_person', student: 'userId' },
    { table: 'lms_enrollment', student: 'userId' },
    { table: 'lms_preview_row', student: 'userId' },
    { table: 'lms_change', student: 'userId' },
  ],
};

interface StagedPersonRow {
  readonly organizationId: string;
  readonly previewId: string;
  readonly externalId: string;
  readonly entity: string;
  readonly content: object;
  readonly email: string | null;
}

/** A person of a roster while its preview is computed; the preview writes it with SQL. */
const LmsStagedPerson = modelOf<StagedPersonRow>('lms_staged_person', {
  id: ['organizationId', 'previewId', 'externalId'],
  json: ['content'],
});

interface StagedEnrollmentRow {
  readonly organizationId: string;
  readonly previewId: string;
  readonly courseExternalId: string;
  readonly personExternalId: string;
  readonly role: string;
  readonly content: object;
  readonly isOpen: boolean;
}

const LmsStagedEnrollment = modelOf<StagedEnrollmentRow>('lms_staged_enrollment', {
  id: ['organizationId', 'previewId', 'personExternalId', 'courseExternalId', 'role'],
  json: ['content'],
});

interface Account {
  readonly id: number;
  readonly organizationId: string;
}

export const forgetRosterPerson: AccountForgotten = async (trx, account, { services, now, identities }) => {
  const { organizationId, id: userId } = account;
  await holdRosters(trx, organizationId);
  const linked = identities.map(({ provider, subject }) => ({ provider: providerOf(provider), externalId: subject }));
  const known = [...linked, ...(await knownAs(trx, account))];
  const ids = known.map(({ externalId }) => externalId);
  await keepHashes(trx, services, organizationId, known, now);
  await forgetRows(trx, account, ids);
  for (const table of ['lms_person', 'lms_enrollment', 'lms_change']) {
    await trx(table).where({ organizationId, userId }).delete();
  }
};

/** Finds also people whom a preview has matched and no import has created, and people whose import was reverted. */
const knownAs = (trx: Trx, { organizationId, id: userId }: Account) =>
  rowsOf<{ provider: string; externalId: string }>(
    trx,
    `select provider, external_id from lms_person where organization_id = :organizationId and user_id = :userId
     union select p.provider, r.person_external_id from lms_preview_row r
     join lms_preview p on p.organization_id = r.organization_id and p.id = r.preview_id
     where r.organization_id = :organizationId and r.user_id = :userId`,
    { organizationId, userId },
  );

async function keepHashes(
  trx: Trx,
  { cipher }: Pick<Services, 'cipher'>,
  organizationId: string,
  known: readonly { readonly provider: string; readonly externalId: string }[],
  erasedAt: Date,
): Promise<void> {
  if (known.length === 0) return;
  const rows = known.map(({ provider, externalId }) => ({
    organizationId,
    provider,
    erasedAt: erasedAt.toISOString(),
    personHash: erasedHash(cipher, { organizationId, provider, externalId }),
  }));
  await LmsErasedPerson.query(trx).insert(rows).onConflict().ignore();
}

/** Deletes also rows that show the account as a match for a person of the roster. */
async function forgetRows(trx: Trx, { organizationId, id: userId }: Account, ids: readonly string[]): Promise<void> {
  const own = (column: string) => trx.raw('?? = any(?::text[])', [column, [...ids]]);
  await trx('lms_preview_row')
    .where({ organizationId })
    .where((row) =>
      row.where({ userId }).orWhere(own('person_external_id')).orWhereRaw("(local ->> 'userId')::bigint = ?", [userId]),
    )
    .delete();
  if (ids.length === 0) return;
  await LmsSourceRow.query(trx)
    .where({ organizationId })
    .where((row) =>
      row
        .where((user) => user.where({ file: 'users' }).where(own('external_id')))
        .orWhere(own('person_id'))
        .orWhere((agent) => agent.where({ file: 'agents' }).where(own('parent_id'))),
    )
    .delete();
  await LmsStagedPerson.query(trx).where({ organizationId }).where(own('external_id')).delete();
  await LmsStagedEnrollment.query(trx).where({ organizationId }).where(own('person_external_id')).delete();
  await forgetChild(trx, organizationId, ids);
}

/** Removes the external id of the child from the rows of guardians. */
async function forgetChild(trx: Trx, organizationId: string, ids: readonly string[]): Promise<void> {
  const key = { organizationId, ids };
  await trx.raw(
    `update lms_preview_row
     set facts = jsonb_set(facts, '{childExternalIds}', (facts -> 'childExternalIds') - :ids::text[]),
       external = jsonb_set_lax(external, '{childExternalIds}', (external -> 'childExternalIds') - :ids::text[],
         false, 'return_target')
     where organization_id = :organizationId and jsonb_exists_any(facts -> 'childExternalIds', :ids::text[])`,
    key,
  );
  await trx.raw(
    `update lms_staged_person
     set content = jsonb_set(content, '{childExternalIds}', (content -> 'childExternalIds') - :ids::text[])
     where organization_id = :organizationId and jsonb_exists_any(content -> 'childExternalIds', :ids::text[])`,
    key,
  );
}
