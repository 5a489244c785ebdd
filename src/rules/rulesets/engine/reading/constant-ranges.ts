// Ranges of constants. The limits are the last meaningful values: a document beyond them is refused at validation, and
// with a constant at a limit every part of the service still works. These limits are defined nowhere else.
import type { FactValue } from '../document/document.ts';

export type ConstantRange =
  | { readonly min: number; readonly max: number; readonly integer: boolean }
  | { readonly pattern: RegExp; readonly ends: readonly [string, string] };

export type ConstantFault =
  | { readonly issue: 'constant_no_day' | 'constant_no_number' | 'constant_not_whole' }
  | { readonly issue: 'constant_out_of_range'; readonly min: number; readonly max: number };

/** Returns what is wrong with a constant's value; undefined when it fits or the constant has no range. */
export function constantFault(range: ConstantRange | undefined, value: FactValue): ConstantFault | undefined {
  if (!range) return undefined;
  if ('pattern' in range) {
    return typeof value === 'string' && range.pattern.test(value) ? undefined : { issue: 'constant_no_day' };
  }
  const { min, max, integer } = range;
  if (typeof value !== 'number') return { issue: 'constant_no_number' };
  if (integer && !Number.isInteger(value)) return { issue: 'constant_not_whole' };
  return value < min || value > max ? { issue: 'constant_out_of_range', min, max } : undefined;
}
