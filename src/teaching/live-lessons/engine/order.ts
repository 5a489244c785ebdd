// In which order the items of a prepared session are shown: as its segments use them.

interface Segment {
  readonly itemRefs: readonly string[];
}

/** Each item once; those that no segment uses come last. */
export function inTaughtOrder<Item extends { readonly itemRef: string }>(
  segments: readonly Segment[],
  items: readonly Item[],
): Item[] {
  const order = new Map([...new Set(segments.flatMap(({ itemRefs }) => itemRefs))].map((itemRef, at) => [itemRef, at]));
  const placeOf = ({ itemRef }: Item) => order.get(itemRef) ?? order.size;
  return items.toSorted((one, other) => placeOf(one) - placeOf(other));
}
