// Passwords are stored as argon2id; a check against nobody's hash costs the same as one against somebody's.
import { hash, verify } from '@node-rs/argon2';
import { invalid } from '../platform/errors.ts';

/** argon2id, 19 MiB, 2 passes, 1 lane (OWASP Password Storage Cheat Sheet). */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

export const passwordLength = { min: 8, max: 128 } as const;

let nobodysHash: Promise<string> | undefined;

export const hashPassword = (password: string): Promise<string> => hash(password, cost);

/** `stored` undefined or null: nobody, or somebody without a password. The work done is the same. */
export async function passwordMatches(stored: string | null | undefined, password: string): Promise<boolean> {
  nobodysHash ??= hashPassword('the password of nobody');
  const matches = await verify(stored ?? (await nobodysHash), password);
  return matches && stored !== null && stored !== undefined;
}

/** VALIDATION_ERROR for a password that is the account's e-mail address. */
export function requireFitPassword(password: string, email: string | null, field = 'password'): void {
  if (email !== null && password.trim().toLowerCase() === email.trim().toLowerCase()) {
    throw invalid(field, 'must not be the e-mail address');
  }
}
