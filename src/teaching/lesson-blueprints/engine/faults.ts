// Faults in the structure of a blueprint: segments, item references and options.
import type { NewBlueprint } from '../schemas.ts';

/** Requires segment numbers from 1 without a gap, and minutes that add up to the duration. */
export function segmentFaults({ segments, durationMinutes }: NewBlueprint): string[] {
  const misplaced = segments.flatMap(({ segmentNo }, at) => (segmentNo === at + 1 ? [] : [`segments.${at}`]));
  const minutes = segments.reduce((sum, segment) => sum + segment.minutes, 0);
  return minutes === durationMinutes ? misplaced : [...misplaced, 'durationMinutes'];
}

/** Returns the paths of items that are repeated or unused, and of references to undefined items. */
export function refFaults({ segments, items }: NewBlueprint): string[] {
  const firstIndex = new Map<string, number>();
  items.forEach(({ itemRef }, at) => {
    if (!firstIndex.has(itemRef)) firstIndex.set(itemRef, at);
  });
  const used = new Set(segments.flatMap(({ itemRefs }) => itemRefs));
  const redundant = items.flatMap(({ itemRef }, at) =>
    firstIndex.get(itemRef) !== at || !used.has(itemRef) ? [`items.${at}`] : [],
  );
  const undefinedRefs = segments.flatMap(({ itemRefs }, at) =>
    itemRefs.flatMap((itemRef, no) => (firstIndex.has(itemRef) ? [] : [`segments.${at}.itemRefs.${no}`])),
  );
  return [...undefinedRefs, ...redundant];
}

/** Requires one right option and distinguishable options per item; diacritics count (contract 30 §2). */
export const optionFaults = ({ items }: NewBlueprint): string[] =>
  items.flatMap(({ options, correctOptionIndex }, at) => {
    const distinct = new Set(options.map((option) => option.normalize('NFC').trim()));
    return correctOptionIndex >= options.length || distinct.size < options.length ? [`items.${at}`] : [];
  });
