// Which of a student's sub-flags an item meets, and what the child is told then.

import type { LocalText } from '#rules/rulesets/engine/index.ts';
import type { Item } from '../../content/engine/index.ts';
import type { SubFlagLevel } from './escalation.ts';
import { type Families, isDesignedFor } from './pattern-key.ts';

export interface SupportedFlag {
  readonly patternKey: string;
  readonly level: SubFlagLevel;
}

/** The highest level first, then the pattern's name; undefined when the item can show none of them. */
export const flagMet = (item: Item, flags: readonly SupportedFlag[], families: Families): SupportedFlag | undefined =>
  flags
    .filter(({ patternKey }) => isDesignedFor(item, patternKey, families))
    .sort((a, b) => b.level - a.level || (a.patternKey < b.patternKey ? -1 : 1))[0];

/** The words for a pattern, or the general ones for a pattern that has none. Throws RangeError without either. */
export function hintText(patternKey: string, messages: Readonly<Record<string, LocalText>>): string {
  const text = messages[hintName(patternKey)] ?? messages[hintName('default')];
  if (!text) throw new RangeError('subflag/subflag holds no hint');
  return text.ar;
}

/** `subflag.hint.dot_confusion`, `subflag.hint.family.spelling` */
export const hintName = (patternKey: string): string => `subflag.hint.${patternKey.replace(':', '.')}`;
