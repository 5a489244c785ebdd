// Windows that are counted in memory and settled with the store of all processes in batches: a request is let in or
// refused without a question to the store, unless its window has more points that the store has not seen than it may.
import type { AddPoints, Settled } from './stores.ts';

export interface CountedWindowsOptions {
  /** Points of a window. */
  readonly points: number;
  readonly add: AddPoints;
  /** Default: a second. */
  readonly timeoutMs?: number | undefined;
  /** Told of a store that cannot be asked. */
  readonly onDown: (error: unknown) => void;
}

/** Milliseconds until the next try is let in; undefined: it is let in now. */
export type Refusal = number | undefined;

/** Four processes together let in at most 1 % too many, each of the other three this share of a window. */
const unsettledShare = 1 / 300;
/** The store hears of points no later than this. */
const settleAfterMs = 100;
/** A store that says nothing for this long is down: a request must not wait for its limit. */
const defaultTimeoutMs = 1_000;
/** A store that is down is left alone for this long. */
const downMs = 1_000;
/** Windows that have ended are dropped when there are more than so many. */
const mostWindows = 10_000;

interface Batch {
  readonly points: Map<string, number>;
  readonly settled: Promise<ReadonlyMap<string, Settled>>;
}

export class CountedWindows {
  readonly #options: CountedWindowsOptions;
  readonly #mostUnsettled: number;
  /** What the store said last. */
  readonly #known = new Map<string, Settled>();
  /** Points that no answer of the store holds yet. */
  readonly #unsettled = new Map<string, number>();
  #collecting: (Batch & { readonly send: () => void }) | undefined;
  #underWay: Promise<unknown> = Promise.resolve();
  #downUntil = 0;

  constructor(options: CountedWindowsOptions) {
    this.#options = options;
    this.#mostUnsettled = Math.floor(options.points * unsettledShare);
  }

  /** `exact`: not before the store has counted this one. Throws what the store throws, where it has to be asked. */
  async take(key: string, exact: boolean): Promise<Refusal> {
    const now = Date.now();
    const known = this.#windowOf(key, now);
    const unsettled = this.#unsettled.get(key) ?? 0;
    const used = known.points + unsettled;
    if (known.points >= this.#options.points) return known.endsAt - now;
    if (!exact && now < this.#downUntil) return undefined;
    const batch = this.#collect();
    const place = (batch.points.get(key) ?? 0) + 1;
    batch.points.set(key, place);
    this.#unsettled.set(key, unsettled + 1);
    if (!exact && unsettled < this.#mostUnsettled && used < this.#options.points) return undefined;
    batch.send();
    return this.#refusalOf(key, batch, place);
  }

  /** The store hears of what is left. */
  async close(): Promise<void> {
    const batch = this.#collecting;
    batch?.send();
    await batch?.settled.catch(() => {});
  }

  /** Points of one batch were taken in the order of their places. */
  async #refusalOf(key: string, { points, settled }: Batch, place: number): Promise<Refusal> {
    const window = (await settled).get(key);
    if (!window) return undefined;
    const position = window.points - (points.get(key) ?? 0) + place;
    return position <= this.#options.points ? undefined : window.endsAt - Date.now();
  }

  #windowOf(key: string, now: number): Settled {
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

  /** One batch after the other; what is taken while one is under way is collected for the next. */
  async #settle(points: ReadonlyMap<string, number>): Promise<ReadonlyMap<string, Settled>> {
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
