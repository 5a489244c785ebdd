// What attackers try first. The list is a maintained package's, the commonest first, all in small letters.
import { dictionary } from '@zxcvbn-ts/language-common';

/** OWASP ASVS 5.0, 6.2.4: the 3,000 commonest of those that the rule on length lets through. */
const listed = 3_000;

const lists = new Map<number, ReadonlySet<string>>();

/** `minLength`: shorter ones are refused anyway, and take no place of the list. */
export function isCommonPassword(password: string, minLength: number): boolean {
  let list = lists.get(minLength);
  if (!list) {
    list = new Set(dictionary['passwords-common'].filter((common) => common.length >= minLength).slice(0, listed));
    lists.set(minLength, list);
  }
  return list.has(password.toLowerCase());
}
