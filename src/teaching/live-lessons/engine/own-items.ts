// A student's own items: a run in which one student works individually during the lesson.

export interface OwnItems {
  /** References of the playlist, in order. */
  readonly playlist: readonly string[];
  /** Items that the student has answered in this lesson. */
  readonly answered: ReadonlySet<string>;
  /** Items chosen by the teacher; undefined for all unanswered ones. */
  readonly named?: readonly string[] | undefined;
  /** For a halted student, the order is always that of the playlist. */
  readonly halted: boolean;
}

/** Returns the items of the run; empty when the student has answered all. */
export function ownItemsOf({ playlist, answered, named, halted }: OwnItems): string[] {
  const selected = named === undefined ? playlist : halted ? playlist.filter((ref) => named.includes(ref)) : named;
  return selected.filter((ref) => !answered.has(ref));
}

/** Returns null when all items are answered and the run is finished. */
export const nextOwnItem = (items: readonly string[], answered: ReadonlySet<string>): string | null =>
  items.find((ref) => !answered.has(ref)) ?? null;
