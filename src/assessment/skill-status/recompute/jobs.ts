// Background work of the engine: the events that trigger a recompute, its queue, and the sweep for lost requests.
import type { Static, TInteger, TObject } from 'typebox';
import type { EventKind, EventOf } from '#core/module/events.ts';
import { type CapabilityJobs, type Reaction, reaction } from '#core/module/jobs.ts';
import { requestJobs } from '#core/module/request-queue.ts';
import type { TriggerKind } from '../results/enums.ts';
import { recomputeEvents, registerRecomputeEvent } from '../results/waiting.ts';
import { recomputeRequests } from './queue.ts';
import type { RecomputeTrigger } from './reasons.ts';
import { recomputeWaiting } from './recompute.ts';
import { requestRecomputes } from './requests.ts';

type Asking = EventOf<(typeof recomputeEvents)[number]>;

export const skillStatusJobs: CapabilityJobs = {
  reactions: [
    reaction({
      name: 'recompute-request',
      locks: 'recomputeRequest',
      to: recomputeEvents,
      toJobs: (trx, events) => requestRecomputes(trx, events.map(recomputeTrigger)),
    }),
  ],
  ...requestJobs(recomputeRequests, {
    concurrency: 4,
    priority: 'awaited',
    sweep: 'recompute-sweep',
    serve: (services, organizationId, studentIds) => recomputeWaiting(services, organizationId, ...studentIds),
  }),
};

interface Grown<Payload extends TObject> {
  /** Name of the reaction. */
  readonly name: string;
  readonly to: EventKind<string, Payload>;
  readonly trigger: TriggerKind;
  /** Returns the trigger reference of an event. */
  refOf(payload: Readonly<Static<Payload>>): string;
}

/** Returns a reaction for capabilities with their own evidence: more of it triggers a recompute of the student. */
export const recomputeOn = <Payload extends TObject<{ studentId: TInteger }>>(grown: Grown<Payload>): Reaction => {
  registerRecomputeEvent(grown.to);
  const triggered = ({ organizationId, payload, createdAt: at }: EventOf<EventKind<string, Payload>>) => ({
    organizationId,
    studentId: Number(payload.studentId),
    at,
    trigger: grown.trigger,
    triggerRef: grown.refOf(payload),
  });
  return reaction({
    name: grown.name,
    locks: 'recomputeRequest',
    to: [grown.to],
    toJobs: (trx, events) => requestRecomputes(trx, events.map(triggered)),
  });
};

/** Returns the trigger with the event's time, because a run must not be as of a time before its trigger. */
function recomputeTrigger(event: Asking): RecomputeTrigger {
  const { organizationId, payload, createdAt: at } = event;
  return { organizationId, studentId: payload.studentId, at, ...triggerOf(event) };
}

/** `triggerRef` identifies the trigger. */
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
    case 'evidence.corrected':
      return { trigger: 'evidence_corrected', triggerRef: String(payload.correctionId) };
    case 'context_flag.changed':
      return { trigger: 'context_flag_changed', triggerRef: String(payload.flagId) };
  }
}
