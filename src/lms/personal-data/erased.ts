// What is left of a person who was erased: enough to know the same row of a roster again, and nothing else.
import { type Db, inContext, inReadOnlyContext } from '../../platform/db.ts';
import type { SecretCipher } from '../../platform/keys/cipher.ts';
import { rowsOf } from '../../platform/sql.ts';

interface Named {
  readonly organizationId: string;
  readonly provider: string;
  readonly externalId: string;
}

const purpose = 'erased roster person';
const textOf = ({ organizationId, provider, externalId }: Named) =>
  JSON.stringify([organizationId, provider, externalId]);

export const erasedHash = (cipher: Pick<SecretCipher, 'keyedHash'>, named: Named): string =>
  cipher.keyedHash(purpose, textOf(named));

interface Hash {
  readonly externalId: string;
  readonly personHash: string;
}

/** Those who were erased here. One who is known under an earlier key is known under the first one from now on. */
export async function erasedAmong(
  { db, cipher }: { readonly db: Db; readonly cipher: SecretCipher },
  owner: Omit<Named, 'externalId'>,
  externalIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const hashes = externalIds.flatMap((externalId) =>
    cipher
      .keyedHashes(purpose, textOf({ ...owner, externalId }))
      .map((personHash, at) => ({ externalId, personHash, isOfFirstKey: at === 0 })),
  );
  const stored = await storedAmong(db, owner, hashes);
  const found = hashes.filter(({ personHash }) => stored.has(personHash));
  const known = new Set(found.flatMap(({ externalId, isOfFirstKey }) => (isOfFirstKey ? [externalId] : [])));
  await keepAnew(
    db,
    owner,
    found
      .filter(({ externalId }) => !known.has(externalId))
      .map(({ externalId, personHash }) => ({ personHash, anew: erasedHash(cipher, { ...owner, externalId }) })),
  );
  return new Set(found.map(({ externalId }) => externalId));
}

async function storedAmong(
  db: Db,
  { organizationId, provider }: Omit<Named, 'externalId'>,
  hashes: readonly Hash[],
): Promise<ReadonlySet<string>> {
  const rows = await inReadOnlyContext(db, { organizationId }, (trx) =>
    rowsOf<Pick<Hash, 'personHash'>>(
      trx,
      `select person_hash from lms_erased_person
       where organization_id = :organizationId and provider = :provider and person_hash = any(:hashes::text[])`,
      { organizationId, provider, hashes: hashes.map(({ personHash }) => personHash) },
    ),
  );
  return new Set(rows.map(({ personHash }) => personHash));
}

/** Beside the hash under the earlier key, as old as that. */
async function keepAnew(
  db: Db,
  { organizationId, provider }: Omit<Named, 'externalId'>,
  earlier: readonly { readonly personHash: string; readonly anew: string }[],
): Promise<void> {
  if (earlier.length === 0) return;
  await inContext(db, { organizationId }, (trx) =>
    trx.raw(
      `insert into lms_erased_person (organization_id, provider, person_hash, erased_at)
       select e.organization_id, e.provider, r.anew, e.erased_at from lms_erased_person e
       join jsonb_to_recordset(:earlier::jsonb) as r ("personHash" text, anew text) on r."personHash" = e.person_hash
       where e.organization_id = :organizationId and e.provider = :provider on conflict do nothing`,
      { organizationId, provider, earlier: JSON.stringify(earlier) },
    ),
  );
}
