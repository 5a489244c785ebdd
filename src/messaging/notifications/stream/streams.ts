// All streams of this process. One subscription reports the people with changes, one query reads their state, and one check a
// second finds viewers whose access has ended; none of these costs a connection or query for each stream. Token expiry and
// heartbeats need no database and continue while it is away.
import type { EventSink } from '#core/http/event-stream.ts';
import type { Claims } from '#core/http/route.ts';
import type { Trx } from '#core/platform/db.ts';
import { unavailable } from '#core/platform/errors.ts';
import { renewEveryMs } from '#core/platform/leases.ts';
import type { ChangedIds, ChangeFeed } from '#core/platform/pubsub/change-feed.ts';
import { debounced } from '#core/platform/pubsub/publisher.ts';
import type { Recipient, UnreadState } from './state.ts';
import type { StreamSlots } from './stream-slots.ts';
import { type Viewer, Viewers } from './viewers.ts';

export interface StreamParts {
  readonly changeFeed: ChangeFeed;
  readonly slots: StreamSlots;
  readonly now: () => Date;
  readonly statesOf: (people: readonly Recipient[]) => Promise<readonly UnreadState[]>;
  /** Returns for each of the claims whether it may still listen. */
  readonly mayListen: (claims: readonly Claims[]) => Promise<readonly boolean[]>;
  /** Called with a failure, which is retried on the next run. */
  readonly failed: (error: unknown) => void;
}

/** A revoked session is detected by the check after its end. */
const lookEveryMs = 1_000;
/** Interval of heartbeat comments, and of the check for lost messages. */
const beatEveryMs = 25_000;
/** People in one query. */
const peopleAtOnce = 500;
/** How long a shutdown waits; when the database is away, the slots expire with their lease. */
const closeWithinMs = 2_000;

/** A viewer, and the end of the access. */
export interface Listening {
  readonly claims: Claims;
  /** Expiry of the access token. */
  readonly expiresAt: Date;
  /** The slot returned by `takeSlot`. */
  readonly slot: string;
}

export class NotificationStreams {
  readonly #parts: StreamParts;
  readonly #viewers = new Viewers();
  readonly #changed = new Set<number>();
  readonly #left = new Set<string>();
  readonly #publishing = debounced(() => this.#sendChanged().catch((error) => this.#parts.failed(error)));
  readonly #leaving = debounced(() => this.#leave().catch((error) => this.#parts.failed(error)));
  #deaf: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  #allAtMs = 0;
  #renewedAtMs = 0;
  #isClosed = false;

  constructor(parts: StreamParts) {
    this.#parts = parts;
  }

  /** Publishes after the commit, to the streams of all processes, that the state of these people has changed. */
  tell(trx: Trx, userIds: readonly number[]): void {
    this.#parts.changeFeed.publish(trx, userIds);
  }

  /** Throws RATE_LIMITED when the person has all slots in use, ENGINE_UNAVAILABLE while the process shuts down. */
  async takeSlot(userId: number): Promise<string> {
    if (this.#isClosed) throw unavailable();
    return this.#parts.slots.take(userId);
  }

  /** Returns the function to call when the connection is gone. */
  open({ claims, expiresAt, slot }: Listening, sink: EventSink): () => void {
    if (this.#isClosed) {
      sink.end();
      return () => {};
    }
    const viewer: Viewer = { claims, expiresAt, slot, sink, sent: undefined, beatAtMs: performance.now() };
    this.#viewers.add(viewer);
    this.#deaf ??= this.#parts.changeFeed.subscribe((changed) => this.#hear(changed));
    this.#timer ??= setInterval(() => this.#look(), lookEveryMs).unref();
    this.#hear([claims.userId]);
    return () => this.#gone(viewer);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { sink } of this.#viewers.all()) sink.end();
    clearInterval(this.#timer);
    this.#deaf?.();
    const ends = [
      this.#publishing.settled(),
      this.#leaving.settled(),
      this.#parts.slots.leaveAll(),
      this.#parts.changeFeed.close(),
    ];
    const ended = Promise.all(ends).catch((error) => this.#parts.failed(error));
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, closeWithinMs).unref())]);
  }

  #gone(viewer: Viewer): void {
    this.#viewers.remove(viewer);
    if (this.#isClosed) return;
    this.#left.add(viewer.slot);
    this.#leaving.call();
    if (this.#viewers.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** A slot that cannot be freed now is freed at the next renewal of the lease. */
  async #leave(): Promise<void> {
    const ids = [...this.#left];
    this.#left.clear();
    if (ids.length > 0) await this.#parts.slots.leave(ids);
  }

  #hear(changed: ChangedIds): void {
    for (const userId of changed === 'all' ? this.#viewers.users() : changed) {
      if (this.#viewers.of(userId).length > 0) this.#changed.add(userId);
    }
    if (this.#changed.size > 0) this.#publishing.call();
  }

  async #sendChanged(): Promise<void> {
    const userIds = [...this.#changed].slice(0, peopleAtOnce);
    const people = userIds.flatMap((userId) =>
      this.#viewers
        .of(userId)
        .slice(0, 1)
        .map(({ claims }) => claims),
    );
    for (const userId of userIds) this.#changed.delete(userId);
    const states = people.length > 0 ? await this.#statesOf(people) : [];
    for (const state of states) for (const viewer of this.#viewers.of(state.userId)) this.#send(viewer, state);
    if (this.#changed.size > 0) this.#publishing.call();
  }

  /** People whose state could not be read are served by the next check. */
  async #statesOf(people: readonly Claims[]): Promise<readonly UnreadState[]> {
    try {
      return await this.#parts.statesOf(people);
    } catch (error) {
      for (const { userId } of people) this.#changed.add(userId);
      throw error;
    }
  }

  /** Sends nothing when the state is the one sent last. A slow reader gets the newest state once its buffer has space. */
  #send(viewer: Viewer, { userId, count, newestId }: UnreadState): void {
    const state = `${count} ${newestId}`;
    if (viewer.sent === state) return;
    const isSent = viewer.sink.send({ id: newestId ?? undefined, event: 'unread', data: { count } });
    if (!isSent) return void this.#changed.add(userId);
    viewer.sent = state;
    viewer.beatAtMs = performance.now();
  }

  #look(): void {
    this.#endExpired();
    this.#beat();
    this.#looking ??= this.#ask()
      .catch((error) => this.#parts.failed(error))
      .finally(() => {
        this.#looking = undefined;
      });
  }

  /** Reads the state from the database. */
  async #ask(): Promise<void> {
    await this.#endRevoked();
    await this.#renew();
    if (this.#changed.size > 0) this.#publishing.call();
  }

  #endExpired(): void {
    const now = this.#parts.now();
    for (const { expiresAt, sink } of this.#viewers.all()) if (expiresAt <= now) sink.end();
  }

  #beat(): void {
    const nowMs = performance.now();
    for (const viewer of this.#viewers.all()) {
      if (nowMs - viewer.beatAtMs < beatEveryMs) continue;
      // A viewer who has not read for the interval of heartbeats is disconnected.
      if (viewer.sink.beat()) viewer.beatAtMs = nowMs;
      else viewer.sink.end();
    }
    if (nowMs - this.#allAtMs < beatEveryMs) return;
    this.#allAtMs = nowMs;
    this.#hear('all');
  }

  async #endRevoked(): Promise<void> {
    const viewers = this.#viewers.all();
    const may = await this.#parts.mayListen(viewers.map(({ claims }) => claims));
    for (const [at, { sink }] of viewers.entries()) if (!may[at]) sink.end();
  }

  /**
   * A process that was taken for dead has lost its slots: its viewers are disconnected, connect again and take new slots.
   */
  async #renew(): Promise<void> {
    if (performance.now() - this.#renewedAtMs < renewEveryMs) return;
    const viewers = this.#viewers.all();
    const held = await this.#parts.slots.renew(viewers.map(({ slot }) => slot));
    for (const { slot, sink } of viewers) if (!held.has(slot)) sink.end();
    this.#renewedAtMs = performance.now();
  }
}
