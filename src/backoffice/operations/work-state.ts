// The state of background work on one page, for operators. Statements read what waits or fails by an index, up to a bound.
import Type from 'typebox';
import { Count, Cuid, named, nullable, object, oneOf, Timestamp } from '#core/http/schemas.ts';
import { type AlertSeverity, alertSeverities } from '#core/module/alerts.ts';
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { outboxState } from '#core/platform/outbox-metrics.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { checksAt } from '#messaging/qa/index.ts';
import { processRoles } from './enums.ts';
import { type LivingProcess, livingProcesses } from './process-report.ts';
import { lateSchedules, type ScheduleState, scheduleStates } from './schedules.ts';

/** What is more is not counted: the number says enough, and counting on would take long. */
const mostCounted = 100_000;
const mostOrganizations = 100;
const UpToMost = Type.Integer({ minimum: 0, maximum: mostCounted, description: `Counted up to ${mostCounted}.` });

export const WorkStateView = {
  outbox: object({ waiting: UpToMost, parked: Count, oldestSeconds: Type.Number({ minimum: 0 }) }),
  recompute: object({
    waiting: UpToMost,
    failing: Type.Array(
      named(
        'FailingRecompute',
        object({
          organizationId: Cuid,
          students: UpToMost,
          lastError: Type.String({ description: 'Of the newest request.' }),
          since: Timestamp,
        }),
      ),
      { maxItems: mostOrganizations },
    ),
  }),
  schedules: Type.Array(
    object({
      name: Type.String(),
      everyMs: Type.Integer({ minimum: 1 }),
      lastRunAt: nullable(Timestamp),
      late: Type.Boolean(),
    }),
  ),
  processes: Type.Array(
    object({
      id: Cuid,
      role: oneOf(processRoles),
      version: Type.String(),
      seenAt: Timestamp,
      queues: Type.Array(Type.String()),
    }),
  ),
  alerts: object({ critical: UpToMost, high: UpToMost, medium: UpToMost, low: UpToMost }),
};

interface FailingRecompute {
  readonly organizationId: string;
  readonly students: number;
  readonly lastError: string;
  /** When the oldest of the failing requests was made. */
  readonly since: string;
}

interface WorkState {
  readonly outbox: { readonly waiting: number; readonly parked: number; readonly oldestSeconds: number };
  readonly recompute: { readonly waiting: number; readonly failing: FailingRecompute[] };
  readonly schedules: (ScheduleState & { readonly late: boolean })[];
  readonly processes: LivingProcess[];
  readonly alerts: Readonly<Record<AlertSeverity, number>>;
}

/** The context is SUPER. Throws ENGINE_UNAVAILABLE when no rules or no checks are in force. */
export async function workState(
  trx: Trx,
  services: Pick<Services, 'rules' | 'capabilities'>,
  now: Date,
): Promise<WorkState> {
  const { parked, oldestSeconds } = await outboxState(trx, now);
  return {
    outbox: { waiting: await outboxWaiting(trx), parked, oldestSeconds },
    recompute: { waiting: await recomputesWaiting(trx), failing: await failingRecomputes(trx) },
    schedules: await schedulesAt(trx, services, now),
    processes: await livingProcesses(trx, now),
    alerts: await alertsOfDay(trx, now),
  };
}

const one = async (trx: Trx, statement: string): Promise<number> => {
  const [row] = await rowsOf<{ waiting: number }>(trx, statement, { most: mostCounted });
  return row?.waiting ?? 0;
};

/** Events whose reactions have not begun, or wait for a retry. */
const outboxWaiting = (trx: Trx): Promise<number> =>
  one(
    trx,
    `select count(*)::integer as waiting from (
       (select from outbox where relayed_at is null limit :most) union all
       (select from outbox_retry where parked_at is null limit :most) limit :most) w`,
  );

/** Students whose recompute was requested and is not parked. */
const recomputesWaiting = (trx: Trx): Promise<number> =>
  one(
    trx,
    `select count(*)::integer as waiting from (select from sse_recompute_request
       where requested_seq > processed_seq and parked_at is null limit :most) w`,
  );

/** Organizations with recomputes that have failed and are retried or parked, the longest first. */
const failingRecomputes = (trx: Trx): Promise<FailingRecompute[]> =>
  rowsOf(
    trx,
    `select organization_id, count(*)::integer as students, min(requested_at) as since,
       (array_agg(last_error order by requested_at desc))[1] as last_error
     from (select organization_id, last_error, requested_at from sse_recompute_request
       where last_error is not null order by organization_id, requested_at limit :most) f
     group by organization_id order by since, organization_id limit :mostOrganizations`,
    { most: mostCounted, mostOrganizations },
  );

/** The rule of the check SCHEDULE_OVERDUE says when a schedule is late, also while the check is off. */
async function schedulesAt(trx: Trx, services: Pick<Services, 'rules' | 'capabilities'>, now: Date) {
  const { capabilities } = services;
  const { items } = await checksAt(services, trx, now);
  const threshold = items.find(({ qaCheckId }) => qaCheckId === 'SCHEDULE_OVERDUE')?.threshold ?? 0;
  const late = new Set(await lateSchedules(trx, capabilities, now, threshold));
  const states = await scheduleStates(trx, capabilities);
  return states.map(({ name, everyMs, lastRunAt }) => ({ name, everyMs, lastRunAt, late: late.has(name) }));
}

/** What checks of the service have found within 24 hours, by severity. */
async function alertsOfDay(trx: Trx, now: Date): Promise<Readonly<Record<AlertSeverity, number>>> {
  const rows = await rowsOf<{ severity: AlertSeverity; found: number }>(
    trx,
    `select severity, count(*)::integer as found from (select severity from platform_alert
       where kind = 'qa' and at > :now::timestamptz - interval '24 hours' order by at desc, id desc limit :most) a
     group by severity`,
    { now: now.toISOString(), most: mostCounted },
  );
  const found = new Map(rows.map((row) => [row.severity, row.found]));
  const counts = alertSeverities.map((severity) => [severity, found.get(severity) ?? 0]);
  return Object.fromEntries(counts) as Record<AlertSeverity, number>;
}
