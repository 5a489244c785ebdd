// Who is next of those who wait: the oldest of the organization served longest ago, in it of the person served longest ago. One
// person's many wait behind each other, and not in front of everybody else.

export interface Requester {
  /** null: of no organization. */
  readonly organizationId: string | null;
  readonly userId: number;
}

interface Waiting<T> {
  readonly organization: string;
  readonly person: string;
  readonly value: T;
}

/** Of so many organizations and people it is remembered when they were served; those served longest ago are forgotten first. */
const mostRemembered = 10_000;

export class FairQueue<T> {
  readonly #waiting: Waiting<T>[] = [];
  /** By key the number of the last time. A key that was served moves to the end. */
  readonly #servedAt = new Map<string, number>();
  #served = 0;

  get size(): number {
    return this.#waiting.length;
  }

  push({ organizationId, userId }: Requester, value: T): void {
    const organization = `organization ${organizationId}`;
    this.#waiting.push({ organization, person: `${organization} person ${userId}`, value });
  }

  /** undefined where nobody waits. */
  next(): T | undefined {
    let at = 0;
    for (const [place, one] of this.#waiting.entries()) if (this.#goesBefore(one, this.#waiting[at])) at = place;
    const [found] = this.#waiting.splice(at, 1);
    if (!found) return undefined;
    this.#served += 1;
    this.#note(found.organization);
    this.#note(found.person);
    return found.value;
  }

  /** Everything that waits, which then waits no longer. */
  drain(): T[] {
    return this.#waiting.splice(0).map(({ value }) => value);
  }

  #goesBefore(one: Waiting<T>, other: Waiting<T> | undefined): boolean {
    if (!other) return true;
    const last = (key: string) => this.#servedAt.get(key) ?? 0;
    if (last(one.organization) !== last(other.organization)) return last(one.organization) < last(other.organization);
    return last(one.person) < last(other.person);
  }

  #note(key: string): void {
    this.#servedAt.delete(key);
    this.#servedAt.set(key, this.#served);
    if (this.#servedAt.size <= mostRemembered) return;
    const [oldest] = this.#servedAt.keys();
    if (oldest !== undefined) this.#servedAt.delete(oldest);
  }
}
