// Selects the sub-flag that an item can show, and the hint text for the child.

import type { LocalText } from '#rules/rulesets/engine/index.ts';
import type { Item } from '../../content/engine/index.ts';
import type { SubFlagLevel } from './escalation.ts';
import { type Families, isDesignedFor } from './pattern-key.ts';

export interface SupportedFlag {
  readonly patternKey: string;
  readonly level: SubFlagLevel;
}

/** Returns the matching flag with the highest level, then by pattern name; undefined when the item can show none. */
export const flagMet = (item: Item, flags: readonly SupportedFlag[], families: Families): SupportedFlag | undefined =>
  flags
    .filter(({ patternKey }) => isDesignedFor(item, patternKey, families))
    .sort((a, b) => b.level - a.level || (a.patternKey < b.patternKey ? -1 : 1))[0];

/** Returns the hint of a pattern, or the general hint. Throws RangeError when both are missing. */
export function hintText(patternKey: string, messages: Readonly<Record<string, LocalText>>): string {
  const text = messages[hintName(patternKey)] ?? messages[hintName('default')];
  if (!text) throw new RangeError('subflag/subflag holds no hint');
  return text.ar;
}

/** Returns the message key: `subflag.hint.dot_confusion`, `subflag.hint.family.spelling`. */
export const hintName = (patternKey: string): string => `subflag.hint.${patternKey.replace(':', '.')}`;
