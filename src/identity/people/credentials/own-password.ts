// Verification of the password of a signed-in caller. It is slow by design, so it runs while no transaction is open; the
// result is valid only as long as the account still has the same stored hash.
import { hashPassword, passwordMatches } from './passwords.ts';

type StoredHash = string | null | undefined;

export interface PasswordProof {
  readonly stored: StoredHash;
  readonly matches: boolean;
}

export const verifyPassword = async (stored: StoredHash, password: string): Promise<PasswordProof> => ({
  stored,
  matches: await passwordMatches(stored, password),
});

/** Returns false when the password was wrong, or when the account has a new one since. */
export const isProofValid = (
  account: { readonly passwordHash: StoredHash } | undefined,
  proof: PasswordProof,
): boolean => proof.matches && account?.passwordHash === proof.stored;

export interface PasswordChangeProof extends PasswordProof {
  readonly newHash: string;
}

export const verifyPasswordChange = async (
  stored: StoredHash,
  change: { readonly currentPassword: string; readonly newPassword: string },
): Promise<PasswordChangeProof> => ({
  ...(await verifyPassword(stored, change.currentPassword)),
  newHash: await hashPassword(change.newPassword),
});
