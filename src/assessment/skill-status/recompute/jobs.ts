// How the engine takes part in background work: which events ask for a recompute, who serves it, who notices a lost one.
import type { Static, TInteger, TObject } from 'typebox';
import type { EventKind, EventOf } from '#core/module/events.ts';
import { type CapabilityJobs, type Reaction, reaction } from '#core/module/jobs.ts';
import { requestJobs } from '#core/module/request-queue.ts';
import type { Trigger } from '../results/enums.ts';
import { asking, joinAsking } from '../results/waiting.ts';
import { recomputeRequests } from './queue.ts';
import type { RecomputeTrigger } from './reasons.ts';
import { recomputeWaiting } from './recompute.ts';
import { requestRecomputes } from './requests.ts';

type Asking = EventOf<(typeof asking)[number]>;

export const skillStatusJobs: CapabilityJobs = {
  reactions: [
    reaction({
      name: 'recompute-request',
      locks: 'recomputeRequest',
      to: asking,
      toJobs: (trx, events) => requestRecomputes(trx, events.map(recomputeTrigger)),
    }),
  ],
  ...requestJobs(recomputeRequests, {
    concurrency: 4,
    turn: 'awaited',
    sweep: 'recompute-sweep',
    serve: (services, organizationId, studentIds) => recomputeWaiting(services, organizationId, ...studentIds),
  }),
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
  const triggered = ({ organizationId, payload, createdAt: at }: EventOf<EventKind<string, Payload>>) => ({
    ...{ organizationId, studentId: Number(payload.studentId), at },
    ...{ trigger: grown.trigger, triggerRef: grown.refOf(payload) },
  });
  return reaction({
    name: grown.name,
    locks: 'recomputeRequest',
    to: [grown.to],
    toJobs: (trx, events) => requestRecomputes(trx, events.map(triggered)),
  });
};

/** A run must not look at the time before its trigger. */
function recomputeTrigger(event: Asking): RecomputeTrigger {
  const { organizationId, payload, createdAt: at } = event;
  return { organizationId, studentId: payload.studentId, at, ...triggerOf(event) };
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
