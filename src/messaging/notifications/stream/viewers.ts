// Who listens at this process, and what each was told last.
import type { EventSink } from '#core/http/event-stream.ts';
import type { Claims } from '#core/http/route.ts';

export interface Viewer {
  readonly claims: Claims;
  /** The end of the access token. */
  readonly expiresAt: Date;
  /** The id of its place among those of the person. */
  readonly place: string;
  readonly sink: EventSink;
  /** The last event that went out; undefined before the first one. */
  sent: string | undefined;
  /** Of the clock of the machine: when something went out last. */
  beatAtMs: number;
}

/** One person may look from several devices. */
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
