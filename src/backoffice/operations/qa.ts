// Checks of background work: events, queues and schedules that do not progress, and rows that are kept for too long.
import type { Services } from '#core/module/services.ts';
import { inReadOnlyContext } from '#core/platform/db.ts';
import { foundOf, type Probe, type ProbeFinding } from '#messaging/qa/index.ts';
import { queueNamesOf } from './queue-states.ts';
import type { Expiring } from './retention/expiring.ts';
import { sharesOf } from './retention/shares.ts';
import { lateSchedules } from './schedules.ts';

const ofPlatform = (id: string): ProbeFinding => ({ organizationId: null, id, studentId: null });

export const operationsProbes: readonly Probe[] = [
  {
    check: 'OUTBOX_STUCK',
    kind: 'runtime',
    subject: 'event',
    of: 'platform',
    waits: true,
    findings: `select organization_id, min(id)::text as id, null::bigint as student_id from outbox
      where relayed_at is null and created_at < :now::timestamptz - :threshold * interval '1 second'
      group by organization_id`,
  },
  {
    check: 'OUTBOX_PARKED',
    kind: 'runtime',
    subject: 'event',
    of: 'platform',
    findings: `select organization_id, event_id::text as id, null::bigint as student_id from outbox_retry
      where parked_at is not null group by organization_id, event_id`,
  },
  {
    check: 'QUEUE_STALLED',
    kind: 'runtime',
    subject: 'queue',
    of: 'platform',
    waits: true,
    async look({ services, threshold }, queues) {
      const names = queueNamesOf(services.capabilities);
      const states = await Promise.all(names.map((name) => queues?.state(name)));
      return foundOf(names.filter((_, at) => (states[at]?.oldestSeconds ?? 0) > threshold).map(ofPlatform));
    },
  },
  {
    check: 'SCHEDULE_OVERDUE',
    kind: 'runtime',
    subject: 'schedule',
    of: 'platform',
    waits: true,
    async look({ services, now, threshold }) {
      return foundOf((await lateSchedules(services.db, services.capabilities, now, threshold)).map(ofPlatform));
    },
  },
  {
    check: 'RETENTION_OVERDUE',
    kind: 'audit',
    subject: 'table',
    of: 'platform',
    async look({ services, now, threshold }) {
      const before = new Date(now.getTime() - threshold * 1_000);
      const late: string[] = [];
      for (const one of services.capabilities.flatMap(({ retention = [] }) => retention)) {
        if (await holdsOverdue(services, one, before)) late.push(one.table);
      }
      return foundOf([...new Set(late)].map(ofPlatform));
    },
  },
];

/** Whether the table holds a row whose period was over at that moment. */
async function holdsOverdue(services: Services, one: Expiring, moment: Date): Promise<boolean> {
  for (const { table, rows, bindings, instant, end } of await sharesOf(services, one, moment)) {
    const found = await inReadOnlyContext(services.db, 'SUPER', async (trx) => {
      const answer = await trx.raw(`select from ${table} where ${rows} and ${instant} <= ? limit 1`, [
        ...bindings,
        end,
      ]);
      return answer.rows.length > 0;
    });
    if (found) return true;
  }
  return false;
}
