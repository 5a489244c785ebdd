// Can this process serve? Each dependency gets a moment to answer; a silent one counts as down.
import type { Services } from '../services.ts';

const patienceMs = 2_000;

export type Readiness = Readonly<Record<string, 'ok' | 'down'>>;

export async function readiness(services: Services): Promise<Readiness> {
  const checks = Object.entries(services.readinessChecks);
  const states = await Promise.all(checks.map(async ([name, check]) => [name, await inTime(check)] as const));
  return Object.fromEntries(states);
}

async function inTime(check: () => Promise<unknown>): Promise<'ok' | 'down'> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'down'>((resolve) => {
    timer = setTimeout(() => resolve('down'), patienceMs);
  });
  const answered = check().then(
    () => 'ok' as const,
    () => 'down' as const,
  );
  return Promise.race([answered, late]).finally(() => clearTimeout(timer));
}
