// Enums of live lessons, shared by tables, schemas and code.

export const liveStates = ['draft', 'live', 'paused', 'ended', 'cancelled'] as const;
export type LiveState = (typeof liveStates)[number];

/** States in which the lesson can change and its join code is valid. */
export const openLiveStates = ['draft', 'live', 'paused'] as const satisfies readonly LiveState[];
/** States in which the lesson is being taught; at most one lesson per class is in one of them. */
export const taughtStates = ['live', 'paused'] as const satisfies readonly LiveState[];

/** Event types that students receive; an event about one student goes to that student only. */
export const studentEventTypes = [
  'state_changed',
  'item_changed',
  'lock_changed',
  'group_changed',
  'ism_changed',
] as const;
export const staffEventTypes = [
  ...studentEventTypes,
  'participant_joined',
  'participant_left',
  'hand_raised',
  'segment_started',
  'segment_finished',
  'response_recorded',
  'observation_recorded',
  'projector_committed',
] as const;
export type LiveEventType = (typeof staffEventTypes)[number];

/** Signals that clients may send. */
export const studentSignals = ['heartbeat', 'hand_raised', 'left'] as const;
export const staffSignals = ['segment_started', 'segment_finished'] as const;
export const liveSignals = [...studentSignals, ...staffSignals] as const;
export type LiveSignal = (typeof liveSignals)[number];

export const controlActions = [
  'pause',
  'resume',
  'next',
  'previous',
  'goto',
  'lock',
  'unlock',
  'end',
  'cancel',
] as const;
export type ControlAction = (typeof controlActions)[number];

/** The source of an answer: the current item on a device, the student's own items, or the teacher's marks. */
export const liveResponseSources = ['current', 'ism', 'projector'] as const;
export type LiveResponseSource = (typeof liveResponseSources)[number];

export const observationCodes = [
  'participated_fully',
  'participated_partly',
  'needed_prompting',
  'self_corrected',
  'read_with_flow',
  'hesitated_often',
  'not_present',
] as const;
export type ObservationCode = (typeof observationCodes)[number];

export const ownRunStates = ['running', 'finished', 'stopped'] as const;
export type OwnRunState = (typeof ownRunStates)[number];

export const projectorStates = ['open', 'committed', 'discarded'] as const;
export type ProjectorState = (typeof projectorStates)[number];

export const projectorMarks = ['correct', 'not_correct', 'no_answer'] as const;
export type ProjectorMark = (typeof projectorMarks)[number];
