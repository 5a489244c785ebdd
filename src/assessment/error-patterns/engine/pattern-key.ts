// The key of an error pattern and its public code.
import type { Item, ItemOption } from '../../content/engine/index.ts';

const familyPrefix = 'family:';

/**
 * Returns the option's micro-pattern, or `family:…` when it has only a family; null when the option reveals nothing.
 */
export const patternKeyOf = ({ microPattern, errorFamily }: ItemOption): string | null =>
  microPattern ?? (errorFamily === null ? null : `${familyPrefix}${errorFamily}`);

/** microPattern → its error family. */
export type Families = ReadonlyMap<string, string>;

/** Returns whether the item is designed to detect the pattern; for a family, any pattern of that family. */
export function isDesignedFor({ designedPatterns }: Item, patternKey: string, families: Families): boolean {
  if (!patternKey.startsWith(familyPrefix)) return designedPatterns.includes(patternKey);
  const family = patternKey.slice(familyPrefix.length);
  return designedPatterns.some((pattern) => families.get(pattern) === family);
}

const orthographicConfusion = 'AR_ORTHOGRAPHIC_CONFUSION_FLAG';
const confusedLetters: ReadonlySet<string> = new Set(['dot_confusion', 'similar_shape']);

/** Returns the public code of a pattern. Dot and shape confusions share one code; every other pattern has its own. */
export const subFlagCode = (patternKey: string): string =>
  confusedLetters.has(patternKey) ? orthographicConfusion : `AR_${patternKey.toUpperCase().replaceAll(':', '_')}_FLAG`;

/** Returns the present code of a stored one. Rows keep their code; the one for letter confusion was renamed. */
export const readCode = (stored: string): string =>
  stored.includes('LETTER_CONFUSION') ? orthographicConfusion : stored;
