// Metrics of the outbox for operators: how long the oldest event has waited for its reactions, and how many events are parked.
import { Gauge, type Registry } from 'prom-client';
import type { Clock } from './clock.ts';
import { type Db, inContext, type Trx } from './db.ts';
import { rowsOf } from './sql.ts';

export interface OutboxState {
  readonly oldestSeconds: number;
  readonly parked: number;
}

/** The database is queried when the metrics are read. If it is unreachable, the values are NaN. */
export function registerOutboxMetrics(registry: Registry, db: Db, clock: Clock): void {
  const read = () =>
    inContext(db, 'SUPER', (trx) => outboxState(trx, clock.now())).catch(() => ({
      oldestSeconds: Number.NaN,
      parked: Number.NaN,
    }));
  new Gauge({
    name: 'outbox_oldest_waiting_seconds',
    help: 'Age of the oldest event that still waits for a reaction; 0 when none does',
    registers: [registry],
    async collect() {
      this.set((await read()).oldestSeconds);
    },
  });
  new Gauge({
    name: 'outbox_parked',
    help: 'Events parked because a reaction failed permanently, until an operator releases them',
    registers: [registry],
    async collect() {
      this.set((await read()).parked);
    },
  });
}

/** The context is SUPER. */
export async function outboxState(trx: Trx, now: Date): Promise<OutboxState> {
  const [state] = await rowsOf<OutboxState>(
    trx,
    `with recursive queue as (
         (select lane, organization_id from outbox where relayed_at is null order by lane, organization_id limit 1)
         union all
         select further.lane, further.organization_id from queue q cross join lateral (
           select lane, organization_id from outbox
           where relayed_at is null and (lane, organization_id) > (q.lane, q.organization_id)
           order by lane, organization_id limit 1) further),
       waiting as (
         select oldest.created_at from queue q cross join lateral (
           select created_at from outbox o
           where o.relayed_at is null and o.lane = q.lane and o.organization_id = q.organization_id
           order by o.id limit 1) oldest
         union all (select o.created_at from outbox_retry r join outbox o on o.id = r.event_id
           where r.parked_at is null))
       select greatest(0, coalesce(extract(epoch from :now::timestamptz - min(created_at)), 0))::float8
           as oldest_seconds,
         (select count(*) from outbox_retry where parked_at is not null) as parked
       from waiting`,
    { now: now.toISOString() },
  );
  return state ?? { oldestSeconds: 0, parked: 0 };
}
