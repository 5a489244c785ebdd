// Samples the processes and the service, from Linux and from /metrics.
import fs from 'node:fs';
import { residentMiB } from '../harness/processes.ts';
import type { Service } from '../harness/service.ts';
import type { Ask } from './ask.ts';

export interface Sample {
  readonly minute: number;
  readonly apiMiB: number;
  readonly workerMiB: number;
  /** The open files and sockets of the API process. */
  readonly handles: number;
  /** All connections to the database. */
  readonly connections: number;
  readonly heapMiB: number;
  readonly eventLoopP99Ms: number;
  readonly outboxSeconds: number;
}

const mebi = 1_048_576;

export async function sampleOf({ pids, owner }: Service, ask: Ask, minute: number): Promise<Sample> {
  const { text } = await ask({ path: '/metrics' });
  const found = await owner('pg_stat_activity').where({ backendType: 'client backend' }).count({ count: '*' }).first();
  return {
    minute,
    apiMiB: residentMiB(pids.api),
    workerMiB: residentMiB(pids.worker),
    handles: handlesOf(pids.api),
    connections: Number(found?.count),
    heapMiB: metricOf(text, 'nodejs_heap_size_used_bytes') / mebi,
    eventLoopP99Ms: metricOf(text, 'nodejs_eventloop_lag_p99_seconds') * 1_000,
    outboxSeconds: metricOf(text, 'outbox_oldest_waiting_seconds'),
  };
}

/** Returns a metric, NaN if it is missing. */
const metricOf = (text: string, name: string): number =>
  Number(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'm').exec(text)?.[1] ?? Number.NaN);

function handlesOf(pid: number): number {
  try {
    return fs.readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return Number.NaN;
  }
}
