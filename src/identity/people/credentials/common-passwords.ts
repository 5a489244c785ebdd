// The most common passwords. The list comes from a maintained package, the most common first, all in lower case.
import { dictionary } from '@zxcvbn-ts/language-common';

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
