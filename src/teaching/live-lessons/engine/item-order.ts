// The order of a lesson's items in the playlist: the order in which its segments use them.

interface Segment {
  readonly itemRefs: readonly string[];
}

/** Returns each item once; unused items come last. */
export function inLessonOrder<Item extends { readonly itemRef: string }>(
  segments: readonly Segment[],
  items: readonly Item[],
): Item[] {
  const order = new Map([...new Set(segments.flatMap(({ itemRefs }) => itemRefs))].map((itemRef, at) => [itemRef, at]));
  const positionOf = ({ itemRef }: Item) => order.get(itemRef) ?? order.size;
  return items.toSorted((one, other) => positionOf(one) - positionOf(other));
}
