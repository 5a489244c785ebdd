// Metrics of long jobs and of alerts. Each value is read when the metrics are scraped, and is missing while the database is down.
import { Gauge, type Registry } from 'prom-client';
import { type AlertSeverity, alertSeverities } from '#core/module/alerts.ts';
import type { Services } from '#core/module/services.ts';
import { type Db, inContext } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';

interface OpenJobs {
  readonly kind: string;
  readonly state: string;
  readonly open: number;
  readonly oldestSeconds: number;
}

type Parts = Pick<Services, 'db' | 'clock'> & { readonly registry: Registry };

export function watchLongJobs({ registry, db, clock }: Parts): void {
  const fill = async (gauge: Gauge<'kind' | 'state'>, value: (jobs: OpenJobs) => number) => {
    gauge.reset();
    for (const jobs of await openJobs(db, clock.now()).catch(() => []))
      gauge.set({ kind: jobs.kind, state: jobs.state }, value(jobs));
  };
  const common = { labelNames: ['kind', 'state'] as const, registers: [registry] };
  new Gauge({
    ...common,
    name: 'long_jobs_open',
    help: 'Long jobs that wait or run, by kind',
    async collect() {
      await fill(this, ({ open }) => open);
    },
  });
  new Gauge({
    ...common,
    name: 'long_jobs_oldest_seconds',
    help: 'Age of the oldest long job that waits or runs, by kind',
    async collect() {
      await fill(this, ({ oldestSeconds }) => oldestSeconds);
    },
  });
}

const openJobs = (db: Db, now: Date): Promise<OpenJobs[]> =>
  inContext(db, 'SUPER', (trx) =>
    rowsOf(
      trx,
      `select kind, state, count(*)::integer as open,
         greatest(0, extract(epoch from :now::timestamptz - min(created_at)))::float8 as oldest_seconds
       from rule_job where state in ('queued', 'running') group by kind, state`,
      { now: now.toISOString() },
    ),
  );

export function watchAlerts({ registry, db, clock }: Parts): void {
  new Gauge({
    name: 'qa_alerts_last_hour',
    help: 'What checks of the service have found within the last hour, by severity',
    labelNames: ['severity'],
    registers: [registry],
    async collect() {
      const found = await alertsSince(db, clock.now()).catch(() => undefined);
      for (const severity of alertSeverities)
        this.set({ severity }, found === undefined ? Number.NaN : (found.get(severity) ?? 0));
    },
  });
  new Gauge({
    name: 'alert_announcements_waiting',
    help: 'Alerts that are still to be announced',
    registers: [registry],
    async collect() {
      this.set(await announcementsWaiting(db).catch(() => Number.NaN));
    },
  });
}

const alertsSince = (db: Db, now: Date): Promise<ReadonlyMap<AlertSeverity, number>> =>
  inContext(db, 'SUPER', async (trx) => {
    const rows = await rowsOf<{ severity: AlertSeverity; found: number }>(
      trx,
      `select severity, count(*)::integer as found from platform_alert
       where kind = 'qa' and at > :now::timestamptz - interval '1 hour' group by severity`,
      { now: now.toISOString() },
    );
    return new Map(rows.map(({ severity, found }) => [severity, found]));
  });

const announcementsWaiting = (db: Db): Promise<number> =>
  inContext(db, 'SUPER', async (trx) => {
    const [row] = await rowsOf<{ waiting: number }>(
      trx,
      'select count(*)::integer as waiting from alert_announcement',
      {},
    );
    return row?.waiting ?? 0;
  });
