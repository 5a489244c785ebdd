// What a constant may be. The ends are the last values that still mean something: a document beyond them is refused at validation,
// and with one at an end every part of the service still answers. Nowhere else does a limit of them stand.
import type { FactValue } from '../document/document.ts';

export type ConstantRange =
  | { readonly min: number; readonly max: number; readonly integer: boolean }
  | { readonly pattern: RegExp; readonly ends: readonly [string, string] };

/** What is wrong with the value of a constant; undefined for one that fits, and where nobody reads it by its name. */
export function constantFault(range: ConstantRange | undefined, value: FactValue): string | undefined {
  if (!range) return undefined;
  if ('pattern' in range)
    return typeof value === 'string' && range.pattern.test(value) ? undefined : 'is no month and day';
  const { min, max, integer } = range;
  if (typeof value !== 'number') return 'is no number';
  if (integer && !Number.isInteger(value)) return 'is no whole number';
  return value < min || value > max ? `must lie between ${min} and ${max}` : undefined;
}
