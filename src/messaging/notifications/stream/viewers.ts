// The viewers of this process, with the state sent last.
import type { EventSink } from '#core/http/event-stream.ts';
import type { Claims } from '#core/http/route.ts';

export interface Viewer {
  readonly claims: Claims;
  /** Expiry of the access token. */
  readonly expiresAt: Date;
  /** The id of the slot. */
  readonly slot: string;
  readonly sink: EventSink;
  /** The last event that was sent; undefined before the first one. */
  sent: string | undefined;
  /** Monotonic time in ms at which something was sent last. */
  beatAtMs: number;
}

/** A person may have several viewers, one for each device. */
export class Viewers {
  readonly #byUser = new Map<number, Set<Viewer>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  of = (userId: number): readonly Viewer[] => [...(this.#byUser.get(userId) ?? [])];

  all = (): readonly Viewer[] => [...this.#byUser.values()].flatMap((viewers) => [...viewers]);

  users = (): readonly number[] => [...this.#byUser.keys()];

  add(viewer: Viewer): void {
    const { userId } = viewer.claims;
    const viewers = this.#byUser.get(userId) ?? new Set();
    this.#byUser.set(userId, viewers.add(viewer));
    this.#size += 1;
  }

  remove(viewer: Viewer): void {
    const { userId } = viewer.claims;
    const viewers = this.#byUser.get(userId);
    if (!viewers?.delete(viewer)) return;
    this.#size -= 1;
    if (viewers.size === 0) this.#byUser.delete(userId);
  }
}
