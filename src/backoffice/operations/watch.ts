// Metrics of the connection pools, the queues and the oldest waiting recompute. Each value is read when the metrics are scraped,
// and is missing while its store is down.
import { statfs } from 'node:fs/promises';
import { Gauge, type Registry } from 'prom-client';
import { recomputeCounters } from '#assessment/skill-status/index.ts';
import { jobsOf } from '#core/module/capability.ts';
import type { Services } from '#core/module/services.ts';
import { poolsOf } from '#core/platform/connections/pools.ts';
import { type Db, inContext } from '#core/platform/db.ts';
import type { QueueState, Queues } from '#core/platform/queue/queue.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { watchAlerts, watchLongJobs } from './work-metrics.ts';

/** Registers all metrics of this file, once a process. */
export function watchAll(services: Services, queues: Queues): void {
  const { registry } = services.metrics;
  watchPools(registry, services.db);
  watchDisk(registry, services.config);
  const { handlers } = jobsOf(services.capabilities);
  watchQueues(
    registry,
    queues,
    handlers.map(({ queue }) => queue),
  );
  watchRecompute(services);
  watchRules(services);
  recomputeCounters(services.metrics);
  watchLongJobs({ ...services, registry });
  watchAlerts({ ...services, registry });
}

interface Pool {
  readonly max: number;
  numUsed(): number;
  numPendingAcquires(): number;
}

/** Connections of this process by database login: how many are in use, and how many callers wait for one. */
function watchPools(registry: Registry, db: Db): void {
  const { tenants, platform } = poolsOf(db);
  const pools = { requests: tenants, ...(platform !== tenants && { platform }) };
  const watch = (name: string, help: string, read: (pool: Pool) => number) =>
    new Gauge({
      ...{ name, help, labelNames: ['login'], registers: [registry] },
      collect() {
        for (const [login, { client }] of Object.entries(pools)) this.set({ login }, read(client.pool));
      },
    });
  watch('db_pool_size', 'Most database connections of this process', ({ max }) => max);
  watch('db_pool_used', 'Database connections of this process that are in use', (pool) => pool.numUsed());
  watch('db_pool_waiting', 'Callers of this process that wait for a database connection', (pool) =>
    pool.numPendingAcquires(),
  );
}

/** Free disk space of the embedded server's folder. An external server has no such metric. */
function watchDisk(registry: Registry, { dataDir, databaseUrl }: Services['config']): void {
  new Gauge({
    name: 'disk_free_ratio',
    help: 'Free share of the disk that a folder is on, 0 to 1',
    labelNames: ['folder'],
    registers: [registry],
    async collect() {
      if (databaseUrl !== undefined) return;
      const disk = await statfs(dataDir).catch(() => undefined);
      if (disk) this.set({ folder: 'data' }, disk.bavail / disk.blocks);
    },
  });
}

function watchQueues(registry: Registry, queues: Queues, names: readonly string[]): void {
  const help: Readonly<Record<keyof QueueState, string>> = {
    waiting: 'Jobs that wait',
    active: 'Jobs that run',
    delayed: 'Jobs that wait for another try',
    oldestSeconds: 'Age of the oldest job that waits; 0 when none does',
  };
  for (const key of Object.keys(help) as (keyof QueueState)[]) {
    new Gauge({
      name: key === 'oldestSeconds' ? 'queue_oldest_seconds' : `queue_${key}`,
      help: help[key],
      labelNames: ['queue'],
      registers: [registry],
      async collect() {
        for (const queue of names) this.set({ queue }, await queues.state(queue).then((state) => state[key], noNumber));
      },
    });
  }
}

/** The age of the oldest open recompute request, and the number of students who wait for one. */
function watchRecompute({ metrics, db, clock }: Pick<Services, 'metrics' | 'db' | 'clock'>): void {
  const state = () => recomputeState(db, clock.now());
  gauge(
    metrics.registry,
    'recompute_freshness_seconds',
    'Age of the oldest recompute that is asked for; 0 when none is',
    () => state().then(({ oldestSeconds }) => oldestSeconds, noNumber),
  );
  gauge(metrics.registry, 'recompute_waiting', 'Students whose recompute is asked for', () =>
    state().then(({ waiting }) => waiting, noNumber),
  );
}

async function recomputeState(db: Db, now: Date): Promise<{ waiting: number; oldestSeconds: number }> {
  const [state] = await inContext(db, 'SUPER', (trx) =>
    rowsOf<{ waiting: number; oldestSeconds: number }>(
      trx,
      `select count(*)::integer as waiting,
         greatest(0, coalesce(extract(epoch from :now::timestamptz - min(requested_at)), 0))::float8 as oldest_seconds
       from sse_recompute_request where requested_seq > processed_seq and parked_at is null`,
      { now: now.toISOString() },
    ),
  );
  return state ?? { waiting: 0, oldestSeconds: 0 };
}

/** The version of each rule set in force. */
function watchRules({ metrics, rules, db, clock }: Pick<Services, 'metrics' | 'rules' | 'db' | 'clock'>): void {
  new Gauge({
    name: 'rules_in_force',
    help: 'Version of each rule set that is in force',
    labelNames: ['rule_set'],
    registers: [metrics.registry],
    async collect() {
      const active = await rules.at(db, clock.now()).catch(() => undefined);
      this.reset();
      for (const [ruleSet, version] of Object.entries(active?.rules.versions ?? {}))
        this.set({ rule_set: ruleSet }, version);
    },
  });
}

function gauge(registry: Registry, name: string, help: string, read: () => number | Promise<number>): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    async collect() {
      this.set(await read());
    },
  });
}

const noNumber = () => Number.NaN;
