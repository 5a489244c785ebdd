// A student's own items: the run of one member, who works on while the class goes on.

export interface OwnItems {
  /** Of the playlist, in its order. */
  readonly playlist: readonly string[];
  /** By the student, in this session. */
  readonly answered: ReadonlySet<string>;
  /** Named by the teacher; undefined: all that are left. */
  readonly named?: readonly string[] | undefined;
  /** Of a student of whom nothing may be decided the order is that of the playlist alone. */
  readonly halted: boolean;
}

/** Empty: there is nothing left for this student. */
export function ownItemsOf({ playlist, answered, named, halted }: OwnItems): string[] {
  const wanted = named === undefined ? playlist : halted ? playlist.filter((ref) => named.includes(ref)) : named;
  return wanted.filter((ref) => !answered.has(ref));
}

/** Null: all are answered, and the run is finished. */
export const nextOwnItem = (items: readonly string[], answered: ReadonlySet<string>): string | null =>
  items.find((ref) => !answered.has(ref)) ?? null;
