// The password of a signed-in caller is put to the stored one while no transaction is open, for that is slow by intention.
// What came out holds for that stored one alone.
import { hashPassword, passwordMatches } from './passwords.ts';

type Stored = string | null | undefined;

export interface PutPassword {
  readonly stored: Stored;
  readonly matches: boolean;
}

export const putPassword = async (stored: Stored, password: string): Promise<PutPassword> => ({
  stored,
  matches: await passwordMatches(stored, password),
});

/** False where the account has had another password since. */
export const stillMatches = (account: { readonly passwordHash: Stored } | undefined, put: PutPassword): boolean =>
  put.matches && account?.passwordHash === put.stored;

export interface PutChange extends PutPassword {
  readonly newHash: string;
}

export const putChange = async (
  stored: Stored,
  change: { readonly currentPassword: string; readonly newPassword: string },
): Promise<PutChange> => ({
  ...(await putPassword(stored, change.currentPassword)),
  newHash: await hashPassword(change.newPassword),
});
