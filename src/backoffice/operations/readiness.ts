// Can this process serve? Each dependency gets a moment to answer; a silent one counts as down. Anybody may ask, without
// a limit, so what is asked costs the same however many ask: one round of checks at a time, whose outcome is kept.

import { ConfigError } from '#core/platform/config/settings.ts';

const patienceMs = 2_000;
const keptMs = 1_000;

/** `full` and `read_only`: it answers and takes no writes; reads go on. */
export const servingStates = ['ok', 'full', 'read_only'] as const;
export type ServingState = (typeof servingStates)[number];
export type Readiness = Readonly<Record<string, ServingState | 'down'>>;
/** By name of the dependency; a rejection or a long silence means "down". */
export type ReadinessChecks = Readonly<Record<string, () => Promise<unknown>>>;

/** Names of what is down: requests cannot be served. */
export const downIn = (checks: Readiness): string[] => Object.keys(checks).filter((name) => checks[name] === 'down');

/** On the machine's clock: about the service, not about its business. Milliseconds. */
const machineNow = () => performance.now();

/** Asks the dependencies at most once at a time, and again when the last outcome is older than a second. */
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

/** How long a start waits for its dependencies, and between two looks. Milliseconds. */
const startPatienceMs = 60_000;
const lookAgainMs = 200;

/** Resolves when every check is `ok`. Throws ConfigError with the names of those that are not, when they stay so. */
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
    (said) => servingStates.find((state) => state === said) ?? 'ok',
    () => 'down' as const,
  );
  return Promise.race([answered, late]).finally(() => clearTimeout(timer));
}
