// Passwords are stored as argon2id hashes. A check without a stored hash takes as long as one with a stored hash.
import { hash, verify } from '@node-rs/argon2';
import { dictionary } from '@zxcvbn-ts/language-common';
import { invalid } from '#core/platform/errors.ts';
import { requireNoTransaction } from '#core/platform/transactions/outside.ts';
import type { Persona } from '../records/permissions.ts';

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

/** Lowers the cost for tests only: the service hashes at full cost, which a test verifies. */
export function setHashCost(next: HashCost): void {
  cost = next;
  decoyHash = undefined;
}

export async function hashPassword(password: string): Promise<string> {
  requireNoTransaction('hashing a password');
  return hash(password, cost);
}

/** `stored` is null or undefined when there is no account or no password; the same work is done against a decoy hash. */
export async function passwordMatches(stored: string | null | undefined, password: string): Promise<boolean> {
  requireNoTransaction('checking a password');
  decoyHash ??= hashPassword('the password of no account');
  const matches = await verify(stored ?? (await decoyHash), password);
  return matches && stored !== null && stored !== undefined;
}

/** The person for whom the password is set. */
export interface PasswordOwner {
  readonly email: string | null;
  readonly primaryPersona: Persona;
}

/** Returns the minimum number of characters. SUPER administrators have the persona ADMIN too. */
const minPasswordLength = (persona: Persona): number =>
  persona === 'ADMIN' ? adminPasswordLength.min : passwordLength.min;

/** A shorter local part of an e-mail address would occur in too many passwords. */
const minLocalPart = 3;

/**
 * The rule for every new password. Throws VALIDATION_ERROR for one that is too short for its owner or equals the e-mail
 * address, with the issue `too_common` for a common one and for one that contains the local part of the address.
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
  const containsLocalPart = local.length >= minLocalPart && folded.includes(local);
  if (containsLocalPart || isCommonPassword(password, min)) {
    throw invalid(field, 'too_common', 'This password is too easy to guess; choose another one.');
  }
}

/** OWASP ASVS 5.0, 6.2.4: the 3,000 most common passwords that are long enough. */
const listLength = 3_000;

const lists = new Map<number, ReadonlySet<string>>();

/** Passwords shorter than `minLength` are refused anyway and do not count towards the list. */
export function isCommonPassword(password: string, minLength: number): boolean {
  let list = lists.get(minLength);
  if (!list) {
    list = new Set(dictionary['passwords-common'].filter((common) => common.length >= minLength).slice(0, listLength));
    lists.set(minLength, list);
  }
  return list.has(password.toLowerCase());
}
