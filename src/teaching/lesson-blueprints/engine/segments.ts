// Whether the parts of a blueprint agree: numbers and minutes of its segments, and the items that they name.
import type { NewBlueprint } from '../schemas.ts';

/** Numbers from 1 without a gap; minutes that add up. */
export function segmentFaults({ segments, durationMinutes }: NewBlueprint): string[] {
  const misplaced = segments.flatMap(({ segmentNo }, at) => (segmentNo === at + 1 ? [] : [`segments.${at}`]));
  const minutes = segments.reduce((sum, segment) => sum + segment.minutes, 0);
  return minutes === durationMinutes ? misplaced : [...misplaced, 'durationMinutes'];
}

/** Items that stand twice, that no segment uses, and those that are used without standing there. */
export function refFaults({ segments, items }: NewBlueprint): string[] {
  const places = new Map<string, number>();
  items.forEach(({ itemRef }, at) => {
    if (!places.has(itemRef)) places.set(itemRef, at);
  });
  const used = new Set(segments.flatMap(({ itemRefs }) => itemRefs));
  const odd = items.flatMap(({ itemRef }, at) =>
    places.get(itemRef) !== at || !used.has(itemRef) ? [`items.${at}`] : [],
  );
  const undefinedRefs = segments.flatMap(({ itemRefs }, at) =>
    itemRefs.flatMap((itemRef, no) => (places.has(itemRef) ? [] : [`segments.${at}.itemRefs.${no}`])),
  );
  return [...undefinedRefs, ...odd];
}
