// Ranges of constants. The limits are the last meaningful values: a document beyond them is refused at validation, and
// with a constant at a limit every part of the service still works. These limits are defined nowhere else.
import type { FactValue } from '../document/document.ts';

export type ConstantRange =
  | { readonly min: number; readonly max: number; readonly integer: boolean }
  | { readonly pattern: RegExp; readonly ends: readonly [string, string] };

/** Returns what is wrong with a constant's value; undefined when it fits or the constant has no range. */
export function constantFault(range: ConstantRange | undefined, value: FactValue): string | undefined {
  if (!range) return undefined;
  if ('pattern' in range)
    return typeof value === 'string' && range.pattern.test(value) ? undefined : 'is no month and day';
  const { min, max, integer } = range;
  if (typeof value !== 'number') return 'is no number';
  if (integer && !Number.isInteger(value)) return 'is no whole number';
  return value < min || value > max ? `must lie between ${min} and ${max}` : undefined;
}
