// Rejects a commit when another transaction has taken an address or identity between the check of the rows and their write.
import { conflict } from '#core/platform/errors.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { type Identity, identityElsewhere, isAddressElsewhere, rejectIfTaken } from '../cross-organization.ts';
import { identityOf } from '../enums.ts';
import { maxCommitDetails, refuseDrifted } from './checks.ts';
import { effect, isPerson, rowsOfPreview, withoutEmail } from './effect.ts';
import type { Committing } from './people.ts';

const takenRows = (identity: Identity) => `
  select r.id from ${rowsOfPreview} and ${isPerson} and ${effect} = 'write' and r.user_id is not null and (
    (not (${withoutEmail}) and (${isAddressElsewhere("r.facts ->> 'email'")} or exists (select from sign_in_name n
      where n.organization_id = :organizationId and n.email = r.facts ->> 'email' and n.user_id <> r.user_id)))
    or ${identityElsewhere[identity]('r.person_external_id')}
    or exists (select from external_identity i where i.organization_id = :organizationId and i.provider = '${identity}'
      and i.subject = r.person_external_id and i.user_id <> r.user_id))
  order by r.position limit ${maxCommitDetails}`;

/** Throws CONFLICT `drifted` with `rows.<rowId>` of each row whose address or identity is taken. */
export const rejectIfDrifted = (
  committing: Committing,
  write: (committing: Committing) => Promise<void>,
): Promise<void> => {
  const { trx, preview } = committing;
  const { organizationId, id: previewId, provider } = preview;
  return rejectIfTaken(
    trx,
    (savepoint) => write({ ...committing, trx: savepoint }),
    async () => {
      const rows = await rowsOf<{ id: string }>(trx, takenRows(identityOf(provider)), { organizationId, previewId });
      refuseDrifted(rows.map(({ id }) => id));
      // The other account has released the value in the meantime.
      throw conflict('drifted', 'An address in these rows was just used by another account. Retry.', 'rows');
    },
  );
};
