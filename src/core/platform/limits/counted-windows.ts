// Rate-limit windows that are counted in memory and settled in batches with the store that all processes share. A request is
// decided without a query of the store, unless its window has more points that the store has not counted than it may.
import type { AddPoints, SettledWindow } from './stores.ts';

export interface CountedWindowsOptions {
  /** The points of a window. */
  readonly points: number;
  readonly add: AddPoints;
  /** Default: one second. */
  readonly timeoutMs?: number | undefined;
  /** Called with the error of a store that fails. */
  readonly onDown: (error: unknown) => void;
}

/** Milliseconds until the next try is admitted; undefined if it is admitted now. */
export type RetryAfterMs = number | undefined;

/** Four processes together admit at most 1 % too many: each of the other three this share of a window. */
const unsettledShare = 1 / 300;
/** Points are sent to the store after this time at the latest. */
const settleAfterMs = 100;
/** A store that does not respond within this time counts as down, so that a request does not wait for its limit. */
const defaultTimeoutMs = 1_000;
/** A store that is down is not queried for this long. */
const downMs = 1_000;
/** Above this number windows that have ended are removed. */
const mostWindows = 10_000;

interface Batch {
  readonly points: Map<string, number>;
  readonly settled: Promise<ReadonlyMap<string, SettledWindow>>;
}

export class CountedWindows {
  readonly #options: CountedWindowsOptions;
  readonly #mostUnsettled: number;
  /** The last state of each window in the store. */
  readonly #known = new Map<string, SettledWindow>();
  /** Points that no response of the store includes yet. */
  readonly #unsettled = new Map<string, number>();
  #collecting: (Batch & { readonly send: () => void }) | undefined;
  #underWay: Promise<unknown> = Promise.resolve();
  #downUntil = 0;

  constructor(options: CountedWindowsOptions) {
    this.#options = options;
    this.#mostUnsettled = Math.floor(options.points * unsettledShare);
  }

  /**
   * Takes a point. With `exact`, the store has counted it before the request is admitted. Throws the error of the store if it
   * must be queried.
   */
  async take(key: string, exact: boolean): Promise<RetryAfterMs> {
    const now = Date.now();
    const known = this.#windowOf(key, now);
    const unsettled = this.#unsettled.get(key) ?? 0;
    const used = known.points + unsettled;
    if (known.points >= this.#options.points) return known.endsAt - now;
    if (!exact && now < this.#downUntil) return undefined;
    const batch = this.#collect();
    const position = (batch.points.get(key) ?? 0) + 1;
    batch.points.set(key, position);
    this.#unsettled.set(key, unsettled + 1);
    if (!exact && unsettled < this.#mostUnsettled && used < this.#options.points) return undefined;
    batch.send();
    return this.#refusalOf(key, batch, position);
  }

  /** Sends the remaining points to the store. */
  async close(): Promise<void> {
    const batch = this.#collecting;
    batch?.send();
    await batch?.settled.catch(() => {});
  }

  /** Points of one batch were taken in the order of their positions in it. */
  async #refusalOf(key: string, { points, settled }: Batch, positionInBatch: number): Promise<RetryAfterMs> {
    const window = (await settled).get(key);
    if (!window) return undefined;
    const position = window.points - (points.get(key) ?? 0) + positionInBatch;
    return position <= this.#options.points ? undefined : window.endsAt - Date.now();
  }

  #windowOf(key: string, now: number): SettledWindow {
    const known = this.#known.get(key);
    return known && known.endsAt > now ? known : { points: 0, endsAt: now };
  }

  #collect() {
    if (this.#collecting) return this.#collecting;
    const points = new Map<string, number>();
    let send = () => {};
    const sent = new Promise<void>((resolve) => {
      send = resolve;
    });
    const timer = setTimeout(() => send(), settleAfterMs).unref();
    const settled = sent.then(() => this.#settle(points)).finally(() => clearTimeout(timer));
    settled.catch(this.#options.onDown);
    this.#collecting = { points, settled, send };
    return this.#collecting;
  }

  /** Settles one batch after the other; points taken meanwhile are collected for the next one. */
  async #settle(points: ReadonlyMap<string, number>): Promise<ReadonlyMap<string, SettledWindow>> {
    await this.#underWay;
    this.#collecting = undefined;
    const answer = withStoreTimeout(this.#options.add(points), this.#options.timeoutMs);
    this.#underWay = answer.catch(() => {});
    try {
      const windows = await answer;
      for (const [key, window] of windows) this.#known.set(key, window);
      return windows;
    } catch (error) {
      this.#downUntil = Date.now() + downMs;
      throw error;
    } finally {
      this.#dropSettled(points);
    }
  }

  #dropSettled(settled: ReadonlyMap<string, number>): void {
    for (const [key, points] of settled) {
      const left = (this.#unsettled.get(key) ?? 0) - points;
      if (left > 0) this.#unsettled.set(key, left);
      else this.#unsettled.delete(key);
    }
    if (this.#known.size <= mostWindows) return;
    const now = Date.now();
    for (const [key, { endsAt }] of this.#known) if (endsAt <= now) this.#known.delete(key);
  }
}

export function withStoreTimeout<T>(answer: Promise<T>, timeoutMs = defaultTimeoutMs): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer in time')), timeoutMs);
  });
  return Promise.race([answer, silence]).finally(() => clearTimeout(timer));
}
