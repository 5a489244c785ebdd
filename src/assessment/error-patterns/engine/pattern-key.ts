// The name of an error pattern, and the code under which people meet it.
import type { Item, ItemOption } from '../../content/engine/index.ts';

const familyPrefix = 'family:';

/** The option's micro-pattern, or `family:…` where it has only a family; null where choosing it reveals nothing. */
export const patternKeyOf = ({ microPattern, errorFamily }: ItemOption): string | null =>
  microPattern ?? (errorFamily === null ? null : `${familyPrefix}${errorFamily}`);

/** microPattern → the family it belongs to. */
export type Families = ReadonlyMap<string, string>;

/** The item was built to detect the pattern; for a family, to detect a pattern of that family. */
export function isDesignedFor({ designedPatterns }: Item, patternKey: string, families: Families): boolean {
  if (!patternKey.startsWith(familyPrefix)) return designedPatterns.includes(patternKey);
  const family = patternKey.slice(familyPrefix.length);
  return designedPatterns.some((pattern) => families.get(pattern) === family);
}

const orthographicConfusion = 'AR_ORTHOGRAPHIC_CONFUSION_FLAG';
const confusedLetters: ReadonlySet<string> = new Set(['dot_confusion', 'similar_shape']);

/** Dots and shapes are one confusion to a reader; every other pattern has a code of its own. */
export const subFlagCode = (patternKey: string): string =>
  confusedLetters.has(patternKey) ? orthographicConfusion : `AR_${patternKey.toUpperCase().replaceAll(':', '_')}_FLAG`;

/** Rows keep the code that they were stored under; the one that spoke of letter confusion has another name today. */
export const readCode = (stored: string): string =>
  stored.includes('LETTER_CONFUSION') ? orthographicConfusion : stored;
