// Email addresses and Google accounts belong to one person in all organizations. An import asks the database, as SQL, whether
// another organization has one, and learns nothing else about that organization.
import type { Trx } from '#core/platform/db.ts';
import { UniquenessConflict } from '#identity/people/index.ts';

/** Returns an expression that is bound to `:organizationId`; `address` is an expression too. It uses an index of its own. */
export const isAddressElsewhere = (address: string): string => `address_is_elsewhere(${address}, :organizationId)`;

export const isGoogleAccountElsewhere = (account: string): string =>
  `google_account_is_elsewhere(${account}, :organizationId)`;

export type Identity = 'google' | 'oneroster';

/** The ids of a OneRoster service are unique within the organization only. */
export const identityElsewhere: Readonly<Record<Identity, (subject: string) => string>> = {
  google: isGoogleAccountElsewhere,
  oneroster: () => 'false',
};

/**
 * Writes in a savepoint, and calls `reject`, which throws, when another transaction has just taken one of the values. The
 * savepoint has ended by then, so that `reject` can still read.
 */
export async function rejectIfTaken(
  trx: Trx,
  write: (savepoint: Trx) => Promise<void>,
  reject: () => Promise<never>,
): Promise<void> {
  try {
    await trx.transaction(write);
  } catch (error) {
    if (!(error instanceof UniquenessConflict)) throw error;
    await reject();
  }
}
