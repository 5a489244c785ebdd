// Passwords are stored as argon2id; a check against nobody's hash costs the same as one against somebody's.
import { hash, verify } from '@node-rs/argon2';
import { invalid } from '#core/platform/errors.ts';
import { requireNoTransaction } from '#core/platform/transactions/outside.ts';
import type { Persona } from '../records/permissions.ts';
import { isCommonPassword } from './common-passwords.ts';

export interface HashCost {
  readonly memoryCost: number;
  readonly timeCost: number;
  readonly parallelism: number;
}

/** argon2id, 19 MiB, 2 passes, 1 lane (OWASP Password Storage Cheat Sheet). */
export const fullHashCost: HashCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

let cost = fullHashCost;

export const passwordLength = { min: 8, max: 128 } as const;
export const adminPasswordLength = { min: 12, max: 128 } as const;

let decoyHash: Promise<string> | undefined;

/** For tests that do not look at the cost: the service hashes at full cost, and a test holds it to that. */
export function setHashCost(next: HashCost): void {
  cost = next;
  decoyHash = undefined;
}

export async function hashPassword(password: string): Promise<string> {
  requireNoTransaction('hashing a password');
  return hash(password, cost);
}

/** `stored` undefined or null: nobody, or somebody without a password. The work done is the same. */
export async function passwordMatches(stored: string | null | undefined, password: string): Promise<boolean> {
  requireNoTransaction('checking a password');
  decoyHash ??= hashPassword('the password of nobody');
  const matches = await verify(stored ?? (await decoyHash), password);
  return matches && stored !== null && stored !== undefined;
}

/** Whose password it is going to be. */
export interface PasswordOwner {
  readonly email: string | null;
  readonly primaryPersona: Persona;
}

/** In characters. SUPER administrators are of persona ADMIN too. */
const minPasswordLength = (persona: Persona): number =>
  persona === 'ADMIN' ? adminPasswordLength.min : passwordLength.min;

/** A shorter local part stands in nearly every text. */
const minLocalPart = 3;

/**
 * The one rule for every new password, whoever sets it. VALIDATION_ERROR for one that is too short for its owner, or the
 * e-mail address; issue `too_common` for one that is guessed first: a common one, or one that holds the address's local
 * part.
 */
export function requireFitPassword(password: string, owner: PasswordOwner, field = 'password'): void {
  const min = minPasswordLength(owner.primaryPersona);
  const { length } = [...password];
  if (length < min) throw invalid(field, `must NOT have fewer than ${min} characters`);
  if (length > passwordLength.max) throw invalid(field, `must NOT have more than ${passwordLength.max} characters`);
  const folded = password.toLowerCase();
  const email = owner.email?.trim().toLowerCase();
  if (folded.trim() === email) throw invalid(field, 'must not be the e-mail address');
  const local = email?.split('@')[0] ?? '';
  const holdsLocal = local.length >= minLocalPart && folded.includes(local);
  if (holdsLocal || isCommonPassword(password, min)) {
    throw invalid(field, 'too_common', 'This password is guessed first; choose another one.');
  }
}
