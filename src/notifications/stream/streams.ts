// All streams of this process. One listener hears of whom something has changed, one question tells what, and one look a
// second finds who may not listen any more: none of them costs a connection or a question a stream.
import type { EventSink } from '../../http/event-stream.ts';
import type { Claims } from '../../http/pipeline.ts';
import type { News, NewsChannel } from '../../platform/announcements/news.ts';
import { debounced } from '../../platform/announcements/speak.ts';
import type { Trx } from '../../platform/db.ts';
import { AppError, unavailable } from '../../platform/errors.ts';
import type { UnreadState, Whose } from './state.ts';
import { type Viewer, Viewers } from './viewers.ts';

export interface StreamParts {
  readonly news: NewsChannel;
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
/** Devices of one person. */
const mostOfUser = 3;
/** Of one question. */
const peopleAtOnce = 500;

export class NotificationStreams {
  readonly #parts: StreamParts;
  readonly #viewers = new Viewers();
  readonly #changed = new Set<number>();
  readonly #telling = debounced(() => this.#tellChanged().catch((error) => this.#parts.failed(error)));
  #deaf: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #allAtMs = 0;
  #isClosed = false;

  constructor(parts: StreamParts) {
    this.#parts = parts;
  }

  /** Something has changed for these people: their streams hear of it, at whichever process, once this is committed. */
  tell(trx: Trx, userIds: readonly number[]): void {
    this.#parts.news.tell(trx, userIds);
  }

  /** Throws RATE_LIMITED where the person has as many open, ENGINE_UNAVAILABLE once the process is about to end. */
  requirePlace(userId: number): void {
    if (this.#isClosed) throw unavailable();
    if (this.#viewers.of(userId).length < mostOfUser) return;
    throw new AppError('RATE_LIMITED', 'You have three streams open. Close one first.', { retryAfter: 5 });
  }

  /** Answers what is to be called when the connection is gone. */
  open(claims: Claims, expiresAt: Date, sink: EventSink): () => void {
    const viewer: Viewer = { claims, expiresAt, sink, sent: undefined, beatAtMs: performance.now() };
    if (this.#isClosed) sink.end();
    this.#viewers.add(viewer);
    this.#deaf ??= this.#parts.news.listen((news) => this.#hear(news));
    this.#timer ??= this.#lookLater();
    this.#hear([claims.userId]);
    return () => this.#viewers.remove(viewer);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { sink } of this.#viewers.all()) sink.end();
    clearTimeout(this.#timer);
    this.#deaf?.();
    await this.#telling.settled();
    await this.#parts.news.close();
  }

  #hear(news: News): void {
    for (const userId of news === 'everybody' ? this.#viewers.users() : news) {
      if (this.#viewers.of(userId).length > 0) this.#changed.add(userId);
    }
    if (this.#changed.size > 0) this.#telling.call();
  }

  async #tellChanged(): Promise<void> {
    const userIds = [...this.#changed].slice(0, peopleAtOnce);
    for (const userId of userIds) this.#changed.delete(userId);
    const people = userIds.flatMap((userId) =>
      this.#viewers
        .of(userId)
        .slice(0, 1)
        .map(({ claims }) => claims),
    );
    if (people.length === 0) return;
    const states = await this.#parts.statesOf(people);
    for (const state of states) for (const viewer of this.#viewers.of(state.userId)) this.#send(viewer, state);
    if (this.#changed.size > 0) this.#telling.call();
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

  #lookLater(): NodeJS.Timeout {
    return setTimeout(() => {
      this.#look()
        .catch((error) => this.#parts.failed(error))
        .finally(() => {
          const goesOn = this.#viewers.size > 0 && !this.#isClosed;
          this.#timer = goesOn ? this.#lookLater() : undefined;
        });
    }, lookEveryMs).unref();
  }

  async #look(): Promise<void> {
    this.#endExpired();
    this.#beat();
    await this.#endRevoked();
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
    this.#hear('everybody');
  }

  async #endRevoked(): Promise<void> {
    const viewers = this.#viewers.all();
    const may = await this.#parts.mayListen(viewers.map(({ claims }) => claims));
    for (const [at, { sink }] of viewers.entries()) if (!may[at]) sink.end();
  }
}
