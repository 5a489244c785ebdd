// The peak memory of processes during some work, and their memory when idle.

import { cpuMs, residentMiB } from '../harness/processes.ts';
import type { Service } from '../harness/service.ts';

const everyMs = 50;

export type Resident = Readonly<Record<'api' | 'worker', number>>;
type Pids = Service['pids'];

const processorMs = ({ api, worker, database }: Pids) => cpuMs(api) + cpuMs(worker) + cpuMs(database);

const residentOf = ({ api, worker }: Pids): Resident => ({ api: residentMiB(api), worker: residentMiB(worker) });

export const larger = (one: Resident, other: Resident): Resident => ({
  api: Math.max(one.api, other.api),
  worker: Math.max(one.worker, other.worker),
});

/** The idle memory in MiB. */
export async function whenIdle(pids: Pids, quietMs: number): Promise<Resident> {
  await new Promise((resolve) => setTimeout(resolve, quietMs));
  return residentOf(pids);
}

export interface Watched {
  readonly seconds: number;
  /** The sum of API, worker and PostgreSQL. */
  readonly processorSeconds: number;
  readonly peak: Resident;
}

/** Samples every 50 ms, and at the beginning and the end. */
export async function watched<Outcome>(
  pids: Pids,
  work: () => Promise<Outcome>,
): Promise<Watched & { readonly outcome: Outcome }> {
  let peak = residentOf(pids);
  const look = () => {
    peak = larger(peak, residentOf(pids));
  };
  const timer = setInterval(look, everyMs);
  const [from, usedMs] = [performance.now(), processorMs(pids)];
  try {
    const outcome = await work();
    const seconds = (performance.now() - from) / 1_000;
    look();
    return { outcome, seconds, processorSeconds: (processorMs(pids) - usedMs) / 1_000, peak };
  } finally {
    clearInterval(timer);
  }
}
