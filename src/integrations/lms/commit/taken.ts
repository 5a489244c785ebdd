// Whose address or identity has become somebody else's while a commit was written: between its look at them and its own entry.

import { conflict } from '#core/platform/errors.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { type Identity, identityElsewhere, isAddressElsewhere } from '../elsewhere/somebodys.ts';
import { unlessTaken } from '../elsewhere/unless-taken.ts';
import { identityOf } from '../enums.ts';
import { mostDetails, refuseDrifted } from './checks.ts';
import { effect, isPerson, rowsOfPreview, withoutEmail } from './effect.ts';
import type { Committing } from './people.ts';

const takenRows = (identity: Identity) => `
  select r.id from ${rowsOfPreview} and ${isPerson} and ${effect} = 'write' and r.user_id is not null and (
    (not (${withoutEmail}) and (${isAddressElsewhere("r.facts ->> 'email'")} or exists (select from sign_in_name n
      where n.organization_id = :organizationId and n.email = r.facts ->> 'email' and n.user_id <> r.user_id)))
    or ${identityElsewhere[identity]('r.person_external_id')}
    or exists (select from external_identity i where i.organization_id = :organizationId and i.provider = '${identity}'
      and i.subject = r.person_external_id and i.user_id <> r.user_id))
  order by r.position limit ${mostDetails}`;

/** CONFLICT `drifted` with `rows.<rowId>` of each who came too late. */
export const orDrifted = (committing: Committing, write: (committing: Committing) => Promise<void>): Promise<void> => {
  const { trx, preview } = committing;
  const { organizationId, id: previewId, provider } = preview;
  return unlessTaken(
    trx,
    (savepoint) => write({ ...committing, trx: savepoint }),
    async () => {
      const rows = await rowsOf<{ id: string }>(trx, takenRows(identityOf(provider)), { organizationId, previewId });
      refuseDrifted(rows.map(({ id }) => id));
      // It was given back at the same moment.
      throw conflict('drifted', 'Somebody else had an address of these rows for a moment. Try again.', 'rows');
    },
  );
};
