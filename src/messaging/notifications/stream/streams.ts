// All streams of this process. One listener hears of whom something has changed, one question tells what, and one look a
// second finds who may not listen any more: none of them costs a connection or a question a stream. What needs no database (the
// end of a token, a sign of life) goes on while that is away.
import type { EventSink } from '#core/http/event-stream.ts';
import type { Claims } from '#core/http/route.ts';
import type { Trx } from '#core/platform/db.ts';
import { unavailable } from '#core/platform/errors.ts';
import { renewEveryMs } from '#core/platform/leases.ts';
import type { ChangedIds, ChangeFeed } from '#core/platform/pubsub/change-feed.ts';
import { debounced } from '#core/platform/pubsub/publisher.ts';
import type { StreamPlaces } from './places.ts';
import type { UnreadState, Whose } from './state.ts';
import { type Viewer, Viewers } from './viewers.ts';

export interface StreamParts {
  readonly changeFeed: ChangeFeed;
  readonly places: StreamPlaces;
  readonly now: () => Date;
  readonly statesOf: (people: readonly Whose[]) => Promise<readonly UnreadState[]>;
  /** Which of these may listen still. */
  readonly mayListen: (claims: readonly Claims[]) => Promise<readonly boolean[]>;
  /** Told of what went wrong; it is tried again by itself. */
  readonly failed: (error: unknown) => void;
}

/** A revoked session is noticed by the look after its end. */
const lookEveryMs = 1_000;
/** A comment after so much silence, and a look at whether an announcement was lost. */
const beatEveryMs = 25_000;
/** Of one question. */
const peopleAtOnce = 500;
/** What the end of a process waits for; a database that is away frees the places by itself. */
const closeWithinMs = 2_000;

/** Who listens, and until when. */
export interface Listening {
  readonly claims: Claims;
  /** The end of the access token. */
  readonly expiresAt: Date;
  /** Of `takePlace`. */
  readonly place: string;
}

export class NotificationStreams {
  readonly #parts: StreamParts;
  readonly #viewers = new Viewers();
  readonly #changed = new Set<number>();
  readonly #left = new Set<string>();
  readonly #telling = debounced(() => this.#tellChanged().catch((error) => this.#parts.failed(error)));
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

  /** Something has changed for these people: their streams hear of it, at whichever process, once this is committed. */
  tell(trx: Trx, userIds: readonly number[]): void {
    this.#parts.changeFeed.publish(trx, userIds);
  }

  /** Throws RATE_LIMITED where the person has as many open, ENGINE_UNAVAILABLE once the process is about to end. */
  async takePlace(userId: number): Promise<string> {
    if (this.#isClosed) throw unavailable();
    return this.#parts.places.take(userId);
  }

  /** Answers what is to be called when the connection is gone. */
  open({ claims, expiresAt, place }: Listening, sink: EventSink): () => void {
    if (this.#isClosed) {
      sink.end();
      return () => {};
    }
    const viewer: Viewer = { claims, expiresAt, place, sink, sent: undefined, beatAtMs: performance.now() };
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
      this.#telling.settled(),
      this.#leaving.settled(),
      this.#parts.places.leaveAll(),
      this.#parts.changeFeed.close(),
    ];
    const ended = Promise.all(ends).catch((error) => this.#parts.failed(error));
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, closeWithinMs).unref())]);
  }

  #gone(viewer: Viewer): void {
    this.#viewers.remove(viewer);
    if (this.#isClosed) return;
    this.#left.add(viewer.place);
    this.#leaving.call();
    if (this.#viewers.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** What could not be given back now is, as soon as this process says which places it holds. */
  async #leave(): Promise<void> {
    const ids = [...this.#left];
    this.#left.clear();
    if (ids.length > 0) await this.#parts.places.leave(ids);
  }

  #hear(changed: ChangedIds): void {
    for (const userId of changed === 'all' ? this.#viewers.users() : changed) {
      if (this.#viewers.of(userId).length > 0) this.#changed.add(userId);
    }
    if (this.#changed.size > 0) this.#telling.call();
  }

  async #tellChanged(): Promise<void> {
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
    if (this.#changed.size > 0) this.#telling.call();
  }

  /** Whoever could not be told is told by the next look. */
  async #statesOf(people: readonly Claims[]): Promise<readonly UnreadState[]> {
    try {
      return await this.#parts.statesOf(people);
    } catch (error) {
      for (const { userId } of people) this.#changed.add(userId);
      throw error;
    }
  }

  /** Nothing where it is what was told last. Who does not read hears the newest state when there is room again. */
  #send(viewer: Viewer, { userId, count, newestId }: UnreadState): void {
    const said = `${count} ${newestId}`;
    if (viewer.sent === said) return;
    const isSent = viewer.sink.send({ id: newestId ?? undefined, event: 'unread', data: { count } });
    if (!isSent) return void this.#changed.add(userId);
    viewer.sent = said;
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

  /** What the database knows. */
  async #ask(): Promise<void> {
    await this.#endRevoked();
    await this.#renew();
    if (this.#changed.size > 0) this.#telling.call();
  }

  #endExpired(): void {
    const now = this.#parts.now();
    for (const { expiresAt, sink } of this.#viewers.all()) if (expiresAt <= now) sink.end();
  }

  #beat(): void {
    const nowMs = performance.now();
    for (const viewer of this.#viewers.all()) {
      if (nowMs - viewer.beatAtMs < beatEveryMs) continue;
      // Who has not read for so long is gone.
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

  /** A process that was thought dead has lost its places: who listens here comes again and takes another. */
  async #renew(): Promise<void> {
    if (performance.now() - this.#renewedAtMs < renewEveryMs) return;
    const viewers = this.#viewers.all();
    const held = await this.#parts.places.renew(viewers.map(({ place }) => place));
    for (const { place, sink } of viewers) if (!held.has(place)) sink.end();
    this.#renewedAtMs = performance.now();
  }
}
