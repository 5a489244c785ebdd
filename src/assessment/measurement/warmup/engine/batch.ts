// Batches of client events, which are resent until acknowledged.

/** An event's number and time, which increase together. */
export interface Numbered {
  readonly seq: number;
  readonly atMs: number;
}

/** Returns the events with new numbers, by number; of two with one number the first. */
export function freshEvents<Event extends Numbered>(input: readonly Event[], seen: ReadonlySet<number>): Event[] {
  const bySeq = new Map<number, Event>();
  for (const event of input) if (!seen.has(event.seq) && !bySeq.has(event.seq)) bySeq.set(event.seq, event);
  return [...bySeq.values()].sort((a, b) => a.seq - b.seq);
}

/**
 * Returns a new event whose time does not increase with its number among all known events; undefined when there is
 * none.
 */
export function outOfOrder<Event extends Numbered>(
  fresh: readonly Event[],
  stored: readonly Numbered[],
): Event | undefined {
  const all = [...stored, ...fresh].sort((a, b) => a.seq - b.seq);
  const falls = all.findIndex(({ atMs }, at) => atMs < (all[at - 1]?.atMs ?? 0));
  return fresh.find((event) => event === all[falls]) ?? fresh.find((event) => event === all[falls - 1]);
}
