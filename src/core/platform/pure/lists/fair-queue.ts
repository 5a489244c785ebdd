// A queue that serves the organization that was served longest ago, in it the person served longest ago, and of that person the
// oldest request. Many requests of one person wait behind each other, and not in front of other people's.

export interface Requester {
  /** null if the requester has no organization. */
  readonly organizationId: string | null;
  readonly userId: number;
}

interface Waiting<T> {
  readonly organization: string;
  readonly person: string;
  readonly value: T;
}

/** The most organizations and people whose last service is stored; the least recently served are removed first. */
const maxServed = 10_000;

export class FairQueue<T> {
  readonly #waiting: Waiting<T>[] = [];
  /** The number of the last service by key. A served key moves to the end. */
  readonly #servedAt = new Map<string, number>();
  #served = 0;

  get size(): number {
    return this.#waiting.length;
  }

  push({ organizationId, userId }: Requester, value: T): void {
    const organization = `organization ${organizationId}`;
    this.#waiting.push({ organization, person: `${organization} person ${userId}`, value });
  }

  /** Removes and returns the next value; undefined if none is waiting. */
  next(): T | undefined {
    let at = 0;
    for (const [index, one] of this.#waiting.entries()) if (this.#precedes(one, this.#waiting[at])) at = index;
    const [found] = this.#waiting.splice(at, 1);
    if (!found) return undefined;
    this.#served += 1;
    this.#note(found.organization);
    this.#note(found.person);
    return found.value;
  }

  /** Removes and returns all waiting values. */
  drain(): T[] {
    return this.#waiting.splice(0).map(({ value }) => value);
  }

  #precedes(one: Waiting<T>, other: Waiting<T> | undefined): boolean {
    if (!other) return true;
    const last = (key: string) => this.#servedAt.get(key) ?? 0;
    if (last(one.organization) !== last(other.organization)) return last(one.organization) < last(other.organization);
    return last(one.person) < last(other.person);
  }

  #note(key: string): void {
    this.#servedAt.delete(key);
    this.#servedAt.set(key, this.#served);
    if (this.#servedAt.size <= maxServed) return;
    const [oldest] = this.#servedAt.keys();
    if (oldest !== undefined) this.#servedAt.delete(oldest);
  }
}
