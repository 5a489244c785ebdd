// The alert about events that are no longer retried, and the retention of relayed events and of finished daily work.

import type { AlertKind } from '#core/module/alerts.ts';
import { OutboxEvent } from '#core/module/events.ts';
import { type CapabilityJobs, ScheduleDay } from '#core/module/jobs.ts';
import { inContext, type Trx } from '#core/platform/db.ts';
import { dayMs } from '#core/platform/pure/dates/durations.ts';

/** The relay opens it. */
export const outboxParked: AlertKind = {
  kind: 'qa',
  code: 'OUTBOX_PARKED',
  severity: 'high',
  subject: 'event',
  summary: 'A reaction has failed on an event for good; it waits until an operator releases it.',
};

const keptMs = 30 * dayMs;
const batchSize = 5_000;

export const outboxJobs: CapabilityJobs = {
  daily: [
    {
      name: 'outbox-purge',
      dailyAt: 0,
      of: 'platform',
      async run({ db, clock }) {
        const before = new Date(clock.now().getTime() - keptMs);
        while ((await inContext(db, 'SUPER', (trx) => purgeBatch(trx, before))) === batchSize);
        await ScheduleDay.query(db).where('day', '<', before.toISOString().slice(0, 10)).delete();
      },
    },
  ],
};

/** Events that wait for a retry, or are parked, are kept. */
const purgeBatch = (trx: Trx, before: Date): Promise<number> =>
  OutboxEvent.query(trx)
    .whereIn(
      'id',
      trx('outbox as o')
        .select('o.id')
        .where('o.relayedAt', '<', before)
        .whereNotExists(trx('outbox_retry as r').select(trx.raw('1')).whereRaw('r.event_id = o.id'))
        .limit(batchSize),
    )
    .delete()
    .execute();
