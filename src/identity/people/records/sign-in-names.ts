// The table of sign-in addresses of all organizations: at sign-in, the organization is not known yet. Every change of an
// e-mail address updates it, through the functions of this file and `roster/accounts.ts` only.
import { type Trx, violatedConstraint } from '#core/platform/db.ts';
import { AppError } from '#core/platform/errors.ts';
import { storedOrganization } from '#core/platform/pure/platform-organization.ts';
import type { User } from './users.ts';

export interface UserKey {
  /** Null for a SUPER account. */
  readonly organizationId: string | null;
  readonly userId: number;
}

type Person = Pick<User, 'id' | 'organizationId'>;

export const normalEmail = (email: string): string => email.trim().toLowerCase();

const emailExists = () => new AppError('EMAIL_EXISTS', 'This e-mail address already has an account.');

/** Returns the account with this address, if the transaction's context can see it. */
export const findSignInOwner = (trx: Trx, email: string): Promise<UserKey | undefined> =>
  trx('sign_in_name')
    .where({ email: normalEmail(email) })
    .first('organizationId', 'userId');

/** Sets or removes a person's address. Throws EMAIL_EXISTS when it belongs to another account, also under concurrency. */
export async function setSignInEmail(trx: Trx, { id, organizationId }: Person, email: string | null): Promise<void> {
  const key = { organizationId: storedOrganization(organizationId), userId: id };
  if (email === null) {
    await trx('sign_in_name').where(key).delete();
    return;
  }
  await trx('sign_in_name')
    .insert({ ...key, email: normalEmail(email) })
    .onConflict(['organizationId', 'userId'])
    .merge(['email'])
    .catch(refuseKnownEmail);
}

function refuseKnownEmail(error: unknown): never {
  if (violatedConstraint(error) === 'sign_in_name_pkey') throw emailExists();
  throw error;
}
