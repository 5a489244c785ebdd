// Whether this process can serve requests. A dependency that does not respond in time counts as down. Requests for it are not
// limited, so one round of checks runs at a time and its outcome is cached: the cost does not depend on the number of requests.

import { ConfigError } from '#core/platform/config/settings.ts';

const patienceMs = 2_000;
const keptMs = 1_000;

/** `full` and `read_only`: the database responds but refuses writes; reads go on. */
export const servingStates = ['ok', 'full', 'read_only'] as const;
export type ServingState = (typeof servingStates)[number];
export type Readiness = Readonly<Record<string, ServingState | 'down'>>;
/** By name of the dependency; a rejection or a timeout means "down". */
export type ReadinessChecks = Readonly<Record<string, () => Promise<unknown>>>;

/** Names of the dependencies that are down, because of which requests cannot be served. */
export const downIn = (checks: Readiness): string[] => Object.keys(checks).filter((name) => checks[name] === 'down');

/** Milliseconds on the machine's clock, since this is not business time. */
const machineNow = () => performance.now();

/** Runs at most one round of checks at a time, and a new one when the last outcome is older than a second. */
export function readinessOf(checks: ReadinessChecks, now: () => number = machineNow): () => Promise<Readiness> {
  let outcome: Promise<Readiness> = Promise.resolve({});
  let staleAt = Number.NEGATIVE_INFINITY;
  const ask = () =>
    askAll(checks).finally(() => {
      staleAt = now() + keptMs;
    });
  return () => {
    if (now() >= staleAt) {
      staleAt = Number.POSITIVE_INFINITY;
      outcome = ask();
    }
    return outcome;
  };
}

/** Milliseconds that a start waits for its dependencies, and between two rounds of checks. */
const startPatienceMs = 60_000;
const lookAgainMs = 200;

/** Resolves when every check is `ok`. Throws ConfigError with the names of the failed checks when the time is over. */
export async function untilReady(
  readiness: () => Promise<Readiness>,
  patienceMs = startPatienceMs,
  now: () => number = machineNow,
): Promise<void> {
  const deadline = now() + patienceMs;
  for (;;) {
    const checks = await readiness();
    const missing = Object.keys(checks).filter((name) => checks[name] !== 'ok');
    if (missing.length === 0) return;
    if (now() >= deadline) {
      const states = missing.map((name) => `${name} (${checks[name]})`).join(', ');
      throw new ConfigError(`The service does not become ready: ${states}.`);
    }
    await new Promise((resolve) => setTimeout(resolve, lookAgainMs));
  }
}

async function askAll(checks: ReadinessChecks): Promise<Readiness> {
  const asked = Object.entries(checks).map(async ([name, check]) => [name, await inTime(check)] as const);
  return Object.fromEntries(await Promise.all(asked));
}

async function inTime(check: () => Promise<unknown>): Promise<ServingState | 'down'> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'down'>((resolve) => {
    timer = setTimeout(() => resolve('down'), patienceMs);
  });
  const answered = (async () => check())().then(
    (reply) => servingStates.find((state) => state === reply) ?? 'ok',
    () => 'down' as const,
  );
  return Promise.race([answered, late]).finally(() => clearTimeout(timer));
}
