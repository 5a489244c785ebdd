// A batch of events as a client sends it, again and again until it is told that it arrived.

/** An event's number and its time, which rise together. */
export interface Numbered {
  readonly seq: number;
  readonly atMs: number;
}

/** The events whose number has not been seen, in the order of their numbers; of two with one number the first. */
export function freshEvents<Event extends Numbered>(input: readonly Event[], seen: ReadonlySet<number>): Event[] {
  const bySeq = new Map<number, Event>();
  for (const event of input) if (!seen.has(event.seq) && !bySeq.has(event.seq)) bySeq.set(event.seq, event);
  return [...bySeq.values()].sort((a, b) => a.seq - b.seq);
}

/** A fresh event whose time breaks the rise with the numbers, among all that are known; undefined when none does. */
export function outOfOrder<Event extends Numbered>(
  fresh: readonly Event[],
  stored: readonly Numbered[],
): Event | undefined {
  const all = [...stored, ...fresh].sort((a, b) => a.seq - b.seq);
  const falls = all.findIndex(({ atMs }, at) => atMs < (all[at - 1]?.atMs ?? 0));
  return fresh.find((event) => event === all[falls]) ?? fresh.find((event) => event === all[falls - 1]);
}
