// A conversation with a provider: guarded, tried again where that may help, and ended when nobody waits for it any more.
import http from 'node:http';
import https from 'node:https';
import { rootCertificates } from 'node:tls';
import { minuteMs } from '#core/platform/pure/dates/durations.ts';
import { type Asked, exchange, type Line, type Told } from './exchange.ts';
import { ReachFailure } from './failures.ts';
import { createGuard, type Guard, type Resolve } from './guard.ts';
import { mostTries, pauseMs, retryAfterMs } from './tries.ts';

export interface ReachOptions {
  readonly trustedHosts: ReadonlySet<string>;
  /** Of one request, until its answer is read. */
  readonly timeoutMs: number;
  /** Certificates that are trusted beside the usual ones, as PEM. */
  readonly ca?: string;
  readonly resolve?: Resolve;
  /** From 0 to below 1. */
  readonly random?: () => number;
  /** Of a whole conversation. Default: ten minutes of the machine's clock. */
  readonly conversationMs?: number;
  /** Ends early when the signal is raised. */
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<void>;
}

export interface TalkOptions {
  /** How long the whole conversation may take, where somebody waits for it. */
  readonly patienceMs?: number;
  readonly signal?: AbortSignal;
  /** The operator has named the address: it is asked wherever it leads. */
  readonly operatorsOwn?: boolean;
}

/** Ends the tries of an answer as 429 does. */
export type CountsAsLimited = (told: Told) => boolean;

export interface AskOptions {
  readonly limited?: CountsAsLimited | undefined;
  /** Of the same request, which has less than `mostTries` left by them. */
  readonly triesBefore?: number;
}

export interface Answered extends Told {
  /** Of the request in all. */
  readonly tries: number;
}

export interface Talk {
  /** The answer, whatever its status below 500 but 429. Throws ReachFailure. */
  ask(asked: Asked, options?: AskOptions): Promise<Answered>;
  /** Ends what is under way, and lets go of all connections. */
  close(): void;
}

export interface Reach {
  /** Throws ReachFailure `address` for an address that may not be asked. */
  check(url: URL): void;
  talk(options?: TalkOptions): Talk;
  /** Raised when a conversation that begins now has taken its time, or when `stop` is. */
  conversation(stop?: AbortSignal): AbortSignal;
}

const usualConversationMs = 10 * minuteMs;

/** How long somebody who waits for an answer is kept. */
export const callersPatienceMs = 20_000;

const open: Guard = { check: () => {}, lookupFor: () => undefined };

export function createReach(options: ReachOptions): Reach {
  const guard = createGuard(options.trustedHosts, options.resolve);
  return {
    check: guard.check,
    conversation: (stop) => endingSignal(options.conversationMs ?? usualConversationMs, stop),
    talk: ({ patienceMs, signal, operatorsOwn } = {}) => {
      const line: Line = {
        guard: operatorsOwn ? open : guard,
        plain: new http.Agent({ keepAlive: true, maxSockets: 1 }),
        encrypted: new https.Agent({
          keepAlive: true,
          maxSockets: 1,
          ...(options.ca && { ca: [...rootCertificates, options.ca] }),
        }),
        timeoutMs: options.timeoutMs,
      };
      return talkOver(line, options, ending(patienceMs, signal));
    },
  };
}

/**
 * Held by its timer. Node 20 may collect what AbortSignal.timeout() and AbortSignal.any() have made before it is raised, and a
 * conversation would have no end.
 */
function endingSignal(ms: number, stop: AbortSignal | undefined): AbortSignal {
  const controller = new AbortController();
  const end = () => {
    clearTimeout(timer);
    stop?.removeEventListener('abort', end);
    controller.abort();
  };
  const timer = setTimeout(end, ms).unref();
  stop?.addEventListener('abort', end, { once: true });
  if (stop?.aborted) end();
  return controller.signal;
}

interface Ending {
  readonly signal: AbortSignal;
  /** Of the machine's monotonic clock, in milliseconds. */
  readonly atMs: number;
  end(): void;
}

function ending(patienceMs: number | undefined, outer: AbortSignal | undefined): Ending {
  const controller = new AbortController();
  const abort = () => controller.abort();
  const timer = patienceMs === undefined ? undefined : setTimeout(abort, patienceMs);
  outer?.addEventListener('abort', abort, { once: true });
  if (outer?.aborted) abort();
  return {
    signal: controller.signal,
    atMs: patienceMs === undefined ? Number.POSITIVE_INFINITY : performance.now() + patienceMs,
    end() {
      clearTimeout(timer);
      outer?.removeEventListener('abort', abort);
      abort();
    },
  };
}

function talkOver(line: Line, { random = Math.random, pause = usualPause }: ReachOptions, ends: Ending): Talk {
  return {
    async ask(asked, { limited = () => false, triesBefore = 0 } = {}) {
      for (let tries = triesBefore + 1; ; tries++) {
        const outcome = await once(line, asked, limited, ends.signal);
        if ('told' in outcome) return { ...outcome.told, tries };
        if (ends.signal.aborted) throw new ReachFailure('unavailable', 'The conversation with the provider has ended.');
        if (tries >= mostTries) throw outcome.failure;
        const ms = pauseMs(tries, random(), outcome.askedMs);
        // Whoever waits hears at once that the wait would be too long.
        if (performance.now() + ms >= ends.atMs) throw outcome.failure;
        await pause(ms, ends.signal);
      }
    },
    close() {
      ends.end();
      line.plain.destroy();
      line.encrypted.destroy();
    },
  };
}

type Outcome = { readonly told: Told } | { readonly failure: ReachFailure; readonly askedMs: number | undefined };

/** Throws what trying again cannot help. */
async function once(line: Line, asked: Asked, limited: CountsAsLimited, signal: AbortSignal): Promise<Outcome> {
  let told: Told;
  try {
    told = await exchange(line, asked, signal);
  } catch (error) {
    if (!(error instanceof ReachFailure) || error.problem !== 'unavailable') throw error;
    return { failure: withWait('unavailable', error.message), askedMs: undefined };
  }
  const tooOften = told.status === 429 || limited(told);
  if (told.status < 500 && !tooOften) return { told };
  const askedMs = retryAfterMs(told.headers['retry-after'], told.headers.date, Date.now());
  const failure = tooOften
    ? withWait('rate_limited', 'The provider is asked too often at the moment.', askedMs)
    : withWait('unavailable', 'The provider is in trouble at the moment.', askedMs);
  return { failure, askedMs };
}

const usualWaitMs = 5_000;

const withWait = (problem: 'unavailable' | 'rate_limited', message: string, askedMs = usualWaitMs) =>
  new ReachFailure(problem, message, { retryAfter: Math.max(1, Math.ceil(askedMs / 1_000)) });

function usualPause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
  });
}
