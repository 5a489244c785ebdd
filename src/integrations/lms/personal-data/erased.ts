// Keeps a hash of each erased person, so that a roster that contains the person again is recognized. Code that stores rows of
// a roster looks for the hashes in the same transaction.

import type { Trx } from '#core/platform/db.ts';
import type { SecretCipher } from '#core/platform/keys/cipher.ts';
import { acquireNamedLock, shareNamedLock } from '#core/platform/locks.ts';
import { modelOf } from '#core/platform/model.ts';
import { rowsOf } from '#core/platform/sql.ts';

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

/** Prevents erasures until the transaction ends. Earlier erasures are visible to it, and later ones delete what it writes. */
export const holdErasures = (trx: Trx, organizationId: string): Promise<void> =>
  shareNamedLock(trx, 'rosterNames', organizationId);

/** Waits for transactions that are storing rows of a roster. The next statement sees their rows. */
export const holdRosters = (trx: Trx, organizationId: string): Promise<void> =>
  acquireNamedLock(trx, 'rosterNames', organizationId);

interface ErasedPersonRow extends Omit<Named, 'externalId'> {
  readonly personHash: string;
  readonly erasedAt: string;
}

export const LmsErasedPerson = modelOf<ErasedPersonRow>('lms_erased_person', {
  id: ['organizationId', 'provider', 'personHash'],
});

export type RosterOwner = Omit<Named, 'externalId'>;

export interface PersonHashes {
  readonly externalId: string;
  /** One hash for each key, that of the first key first. */
  readonly hashes: readonly string[];
}

/** Computes the hashes. The caller does this before its transaction begins. */
export const hashesOf = (
  cipher: Pick<SecretCipher, 'keyedHashes'>,
  owner: RosterOwner,
  externalIds: readonly string[],
): PersonHashes[] =>
  externalIds.map((externalId) => ({
    externalId,
    hashes: cipher.keyedHashes(purpose, textOf({ ...owner, externalId })),
  }));

export const hasErasures = async (trx: Trx, { organizationId, provider }: RosterOwner): Promise<boolean> =>
  (await LmsErasedPerson.query(trx).where({ organizationId, provider }).select('provider').first()) !== undefined;

/** Returns the ids of erased people. A hash under an earlier key is stored under the first key as well. */
export async function erasedAmong(
  trx: Trx,
  owner: RosterOwner,
  people: readonly PersonHashes[],
): Promise<ReadonlySet<string>> {
  const { organizationId, provider } = owner;
  const rows = await rowsOf<{ personHash: string }>(
    trx,
    `select person_hash from lms_erased_person
     where organization_id = :organizationId and provider = :provider and person_hash = any(:hashes::text[])`,
    { organizationId, provider, hashes: people.flatMap(({ hashes }) => hashes) },
  );
  const stored = new Set(rows.map(({ personHash }) => personHash));
  const found = people.flatMap(({ externalId, hashes }) => {
    const personHash = hashes.find((hash) => stored.has(hash));
    return personHash === undefined ? [] : [{ externalId, personHash, currentHash: hashes[0] ?? personHash }];
  });
  const earlier = found.filter(({ personHash, currentHash }) => personHash !== currentHash);
  await storeUnderCurrentKey(
    trx,
    owner,
    earlier.map(({ personHash, currentHash }) => ({ personHash, currentHash })),
  );
  return new Set(found.map(({ externalId }) => externalId));
}

/** Stores the hash under the first key in addition to the earlier one, with the same date. */
async function storeUnderCurrentKey(
  trx: Trx,
  { organizationId, provider }: RosterOwner,
  earlier: readonly { readonly personHash: string; readonly currentHash: string }[],
): Promise<void> {
  if (earlier.length === 0) return;
  await trx.raw(
    `insert into lms_erased_person (organization_id, provider, person_hash, erased_at)
     select e.organization_id, e.provider, r."currentHash", e.erased_at from lms_erased_person e
     join jsonb_to_recordset(:earlier::jsonb) as r ("personHash" text, "currentHash" text) on r."personHash" = e.person_hash
     where e.organization_id = :organizationId and e.provider = :provider on conflict do nothing`,
    { organizationId, provider, earlier: JSON.stringify(earlier) },
  );
}
