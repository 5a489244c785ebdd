// How the engine takes part in background work: which events ask for a recompute, who serves it, who notices a lost one.
import type { Static, TInteger, TObject } from 'typebox';
import type { EventKind, EventOf } from '#core/module/events.ts';
import { type CapabilityJobs, type Reaction, reaction } from '#core/module/jobs.ts';
import { inContext, type Trx } from '#core/platform/db.ts';
import type { Trigger } from '../results/enums.ts';
import { asking, joinAsking } from '../results/waiting.ts';
import type { RecomputeTrigger } from './reasons.ts';
import { recomputeWaiting } from './recompute.ts';
import { overdueJobs, recomputeQueue, requestRecomputes } from './requests.ts';

type Asking = EventOf<(typeof asking)[number]>;

const sweepEveryMs = 5_000;
/** A job that is only slow is not added twice: its id keeps it unique while it waits. */
const overdueAfterMs = 10_000;
const sweepLimit = 1_000;

export const skillStatusJobs: CapabilityJobs = {
  reactions: [
    reaction({
      name: 'recompute-request',
      locks: 'recomputeRequest',
      to: asking,
      toJobs: async (trx, events) => requestRecomputes(trx, (await momentsOf(trx, events)).map(recomputeTrigger)),
    }),
  ],
  handlers: [
    {
      queue: recomputeQueue,
      concurrency: 4,
      turn: 'awaited',
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

interface Grown<Payload extends TObject> {
  /** Of the reaction. */
  readonly name: string;
  readonly to: EventKind<string, Payload>;
  readonly trigger: Trigger;
  /** What triggered. */
  refOf(payload: Readonly<Static<Payload>>): string;
}

/** For whoever brings evidence of its own: a reaction to there being more of it, which has the student judged anew. */
export const recomputeOn = <Payload extends TObject<{ studentId: TInteger }>>(grown: Grown<Payload>): Reaction => {
  joinAsking(grown.to);
  const triggered = ({ organizationId, payload, at }: EventOf<EventKind<string, Payload>> & Dated) => ({
    ...{ organizationId, studentId: Number(payload.studentId), at },
    ...{ trigger: grown.trigger, triggerRef: grown.refOf(payload) },
  });
  return reaction({
    name: grown.name,
    locks: 'recomputeRequest',
    to: [grown.to],
    toJobs: async (trx, events) => requestRecomputes(trx, (await momentsOf(trx, events)).map(triggered)),
  });
};

const idsOf = (list: string | number): number[] => String(list).split(',').filter(Boolean).map(Number);

interface Dated {
  readonly at: string;
}

/** When events happened is on their rows: a run must not look at the time before its trigger. */
async function momentsOf<Event extends { readonly id: number }>(
  trx: Trx,
  events: readonly Event[],
): Promise<(Event & Dated)[]> {
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

function recomputeTrigger(event: Asking & Dated): RecomputeTrigger {
  const { organizationId, at } = event;
  return { organizationId, studentId: event.payload.studentId, at, ...triggerOf(event) };
}

/** `triggerRef` names what triggered. */
function triggerOf({ topic, payload }: Asking): Pick<RecomputeTrigger, 'trigger' | 'triggerRef'> {
  switch (topic) {
    case 'diagnostic.finished':
      return { trigger: 'diagnostic_finished', triggerRef: payload.sessionId };
    case 'practice.completed':
      return { trigger: 'practice_completed', triggerRef: payload.queueId };
    case 'orf.scored':
      return { trigger: 'orf_scored', triggerRef: payload.assessmentId };
    case 'student.grade_changed':
      return { trigger: 'grade_changed', triggerRef: String(payload.classId) };
    case 'context_flag.changed':
      return { trigger: 'context_flag_changed', triggerRef: String(payload.flagId) };
  }
}
