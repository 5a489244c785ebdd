// Checks that the parts of a blueprint agree: numbers and minutes of its segments, and their item references.
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
