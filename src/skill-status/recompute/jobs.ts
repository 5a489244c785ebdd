// How the engine takes part in background work: which events ask for a recompute, who serves it, who notices a lost one.
import type { CapabilityJobs, StoredEvent } from '../../kernel/jobs.ts';
import { inContext, type Trx } from '../../platform/db.ts';
import type { Trigger } from '../results/tables.ts';
import { recomputeWaiting } from './recompute.ts';
import { overdueJobs, type RecomputeTrigger, recomputeQueue, requestRecomputes } from './requests.ts';

interface TriggerTopic {
  readonly trigger: Trigger;
  /** The part of the payload that names what triggered. */
  readonly ref: string;
}

const triggerOf: Readonly<Record<string, TriggerTopic>> = {
  'diagnostic.finished': { trigger: 'diagnostic_finished', ref: 'sessionId' },
  'practice.completed': { trigger: 'practice_completed', ref: 'queueId' },
  'orf.scored': { trigger: 'orf_scored', ref: 'assessmentId' },
  'context_flag.changed': { trigger: 'context_flag_changed', ref: 'flagId' },
  'student.grade_changed': { trigger: 'grade_changed', ref: 'classId' },
};

const sweepEveryMs = 5_000;
/** A job that is only slow is not added twice: its id keeps it unique while it waits. */
const overdueAfterMs = 10_000;
const sweepLimit = 1_000;

export const skillStatusJobs: CapabilityJobs = {
  reactions: [
    {
      name: 'recompute-request',
      topics: Object.keys(triggerOf),
      toJobs: async (trx, events) => requestRecomputes(trx, (await momentsOf(trx, events)).flatMap(recomputeTrigger)),
    },
  ],
  handlers: [
    {
      queue: recomputeQueue,
      concurrency: 4,
      handle: (services, { organizationId, studentId, others = '' }) =>
        recomputeWaiting(services, String(organizationId), Number(studentId), ...idsOf(others)),
    },
  ],
  schedules: [
    {
      name: 'recompute-sweep',
      everyMs: sweepEveryMs,
      run: async ({ db, clock }, queues) => {
        const now = clock.now();
        await queues.add(await inContext(db, 'SUPER', (trx) => overdueJobs(trx, now, overdueAfterMs, sweepLimit)));
      },
    },
  ],
};

const idsOf = (list: string | number): number[] => String(list).split(',').filter(Boolean).map(Number);

interface DatedEvent extends StoredEvent {
  readonly at: string;
}

/** When events happened is on their rows: a run must not look at the time before its trigger. */
async function momentsOf(trx: Trx, events: readonly StoredEvent[]): Promise<DatedEvent[]> {
  const rows: { id: number; createdAt: string }[] = await trx('outbox')
    .whereIn(
      'id',
      events.map(({ id }) => id),
    )
    .select('id', 'createdAt');
  const moments = new Map(rows.map(({ id, createdAt }) => [id, createdAt]));
  return events.flatMap((event) => {
    const at = moments.get(event.id);
    return at === undefined ? [] : [{ ...event, at }];
  });
}

function recomputeTrigger({ organizationId, topic, payload, at }: DatedEvent): RecomputeTrigger[] {
  const found = triggerOf[topic];
  const studentId = Number(payload.studentId);
  if (!found || !Number.isSafeInteger(studentId)) return [];
  const ref = payload[found.ref];
  return [
    { organizationId, studentId, trigger: found.trigger, triggerRef: ref === undefined ? null : String(ref), at },
  ];
}
