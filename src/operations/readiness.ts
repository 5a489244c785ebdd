// Can this process serve? Each dependency gets a moment to answer; a silent one counts as down. Anybody may ask, without
// a limit, so what is asked costs the same however many ask: one round of checks at a time, whose outcome is kept.

const patienceMs = 2_000;
const keptMs = 1_000;

export type Readiness = Readonly<Record<string, 'ok' | 'down'>>;
/** By name of the dependency; a rejection or a long silence means "down". */
export type ReadinessChecks = Readonly<Record<string, () => Promise<unknown>>>;

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

async function askAll(checks: ReadinessChecks): Promise<Readiness> {
  const asked = Object.entries(checks).map(async ([name, check]) => [name, await inTime(check)] as const);
  return Object.fromEntries(await Promise.all(asked));
}

async function inTime(check: () => Promise<unknown>): Promise<'ok' | 'down'> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'down'>((resolve) => {
    timer = setTimeout(() => resolve('down'), patienceMs);
  });
  const answered = (async () => check())().then(
    () => 'ok' as const,
    () => 'down' as const,
  );
  return Promise.race([answered, late]).finally(() => clearTimeout(timer));
}
