// Whose e-mail address signs in where: one small table for all organizations, because people sign in before anything is
// known of theirs. It is written with every change of an address, by the functions here and by nothing else.
import { type Trx, violatedConstraint } from '#core/platform/db.ts';
import { AppError } from '#core/platform/errors.ts';
import { storedOrganization } from '#core/platform/pure/platform-organization.ts';
import type { User } from './users.ts';

export interface UserKey {
  /** null: an account of the platform. */
  readonly organizationId: string | null;
  readonly userId: number;
}

type Person = Pick<User, 'id' | 'organizationId'>;

export const normalEmail = (email: string): string => email.trim().toLowerCase();

const emailExists = () => new AppError('EMAIL_EXISTS', 'This e-mail address already has an account.');

/** Whose address it is, as far as the transaction's context can see. */
export const ownerOfName = (trx: Trx, email: string): Promise<UserKey | undefined> =>
  trx('sign_in_name')
    .where({ email: normalEmail(email) })
    .first('organizationId', 'userId');

/** Gives the person this address, or none. EMAIL_EXISTS where it is anybody else's; of two at once, one gets it. */
export async function nameForSignIn(trx: Trx, { id, organizationId }: Person, email: string | null): Promise<void> {
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
