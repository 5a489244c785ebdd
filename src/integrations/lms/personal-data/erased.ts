// What is left of a person who was erased: enough to know the same row of a roster again, and nothing else. Whoever writes
// what a roster says looks for it in the transaction that writes.
import type { Trx } from '#core/platform/db.ts';
import type { SecretCipher } from '#core/platform/keys/cipher.ts';
import { acquireNamedLock, shareNamedLock } from '#core/platform/locks.ts';
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

/** Until the transaction ends nobody is erased: who was is seen, and who will be goes out of what is written here. */
export const holdErasures = (trx: Trx, organizationId: string): Promise<void> =>
  shareNamedLock(trx, 'rosterNames', organizationId);

/** Waits for whoever is writing what a roster says; what they have written is seen by the next statement. */
export const holdRosters = (trx: Trx, organizationId: string): Promise<void> =>
  acquireNamedLock(trx, 'rosterNames', organizationId);

export type RosterOwner = Omit<Named, 'externalId'>;

export interface PersonHashes {
  readonly externalId: string;
  /** Under each key, the first one first. */
  readonly hashes: readonly string[];
}

/** Worked out before the transaction begins. */
export const hashesOf = (
  cipher: Pick<SecretCipher, 'keyedHashes'>,
  owner: RosterOwner,
  externalIds: readonly string[],
): PersonHashes[] =>
  externalIds.map((externalId) => ({
    externalId,
    hashes: cipher.keyedHashes(purpose, textOf({ ...owner, externalId })),
  }));

export const isAnybodyErased = async (trx: Trx, { organizationId, provider }: RosterOwner): Promise<boolean> =>
  (await trx('lms_erased_person').where({ organizationId, provider }).first('provider')) !== undefined;

/** Those who were erased here. One who is known under an earlier key is known under the first one from now on. */
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
    return personHash === undefined ? [] : [{ externalId, personHash, anew: hashes[0] ?? personHash }];
  });
  const earlier = found.filter(({ personHash, anew }) => personHash !== anew);
  await keepAnew(
    trx,
    owner,
    earlier.map(({ personHash, anew }) => ({ personHash, anew })),
  );
  return new Set(found.map(({ externalId }) => externalId));
}

/** Beside the hash under the earlier key, as old as that. */
async function keepAnew(
  trx: Trx,
  { organizationId, provider }: RosterOwner,
  earlier: readonly { readonly personHash: string; readonly anew: string }[],
): Promise<void> {
  if (earlier.length === 0) return;
  await trx.raw(
    `insert into lms_erased_person (organization_id, provider, person_hash, erased_at)
     select e.organization_id, e.provider, r.anew, e.erased_at from lms_erased_person e
     join jsonb_to_recordset(:earlier::jsonb) as r ("personHash" text, anew text) on r."personHash" = e.person_hash
     where e.organization_id = :organizationId and e.provider = :provider on conflict do nothing`,
    { organizationId, provider, earlier: JSON.stringify(earlier) },
  );
}
