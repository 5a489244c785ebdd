// The table of sign-in addresses of all organizations: at sign-in, the organization is not known yet. Every change of an
// e-mail address updates it, through the functions of this file and `roster/accounts.ts` only.
import { type Trx, violatedConstraint } from '#core/platform/db.ts';
import { AppError } from '#core/platform/errors.ts';
import { storedOrganization } from '#core/platform/pure/platform-organization.ts';
import { SignInName, type User } from './users.ts';

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
  SignInName.query(trx)
    .where({ email: normalEmail(email) })
    .select('organizationId', 'userId')
    .first()
    .execute();

/** Sets or removes a person's address. Throws EMAIL_EXISTS when it belongs to another account, also under concurrency. */
export async function setSignInEmail(trx: Trx, { id, organizationId }: Person, email: string | null): Promise<void> {
  const key = { organizationId: storedOrganization(organizationId), userId: id };
  if (email === null) {
    await SignInName.query(trx).where(key).delete();
    return;
  }
  await SignInName.query(trx)
    .insert({ ...key, email: normalEmail(email) })
    .onConflict(['organizationId', 'userId'])
    .merge(['email'])
    .catch(refuseKnownEmail);
}

/** Sets a person's address unless it belongs to another account by now. Returns whether it was set. */
export async function takeSignInEmail(trx: Trx, { id, organizationId }: Person, email: string): Promise<boolean> {
  const taken = await SignInName.query(trx)
    .insert({ organizationId: storedOrganization(organizationId), userId: id, email: normalEmail(email) })
    .onConflict('email')
    .ignore()
    .returning('email')
    .toKnexQuery();
  return taken.length > 0;
}

function refuseKnownEmail(error: unknown): never {
  if (violatedConstraint(error) === 'sign_in_name_pkey') throw emailExists();
  throw error;
}
