// The life cycle of an assignment: moves by state and trigger (AS-03 to AS-13). A move that is not listed is not allowed.
import type { AssignmentState } from '../vocabulary.ts';

/** Actions of a review. */
export const reviewActions = [
  'pause',
  'resume',
  'stop',
  'extend',
  'step_up',
  'step_down',
  'complete',
  'replace',
  'acknowledge_off_track',
  'reassign',
] as const;
export type ReviewAction = (typeof reviewActions)[number];

/**
 * Triggers without a review: the start date comes, the last step is done, the student leaves, or the time of the plan is over,
 * whether it was given as planned or not.
 */
export const moveTriggers = ['start', 'last_step_done', 'leave', 'expire_given', 'expire_not_given'] as const;
export type MoveTrigger = (typeof moveTriggers)[number];

const open = ['scheduled', 'active', 'paused'] as const;

interface Move {
  readonly from: readonly AssignmentState[];
  /** Absent when the state does not change. */
  readonly to?: AssignmentState;
  /** Absent when the life cycle has no row for it. */
  readonly id?: string;
}

const moves: Readonly<Record<ReviewAction | MoveTrigger, Move>> = {
  start: { from: ['scheduled'], to: 'active', id: 'AS-03' },
  pause: { from: ['active'], to: 'paused', id: 'AS-04' },
  resume: { from: ['paused'], to: 'active', id: 'AS-05' },
  last_step_done: { from: ['active'], to: 'completed', id: 'AS-06' },
  complete: { from: ['active'], to: 'completed', id: 'AS-07' },
  stop: { from: open, to: 'stopped', id: 'AS-08' },
  replace: { from: open, to: 'superseded', id: 'AS-09' },
  leave: { from: open, to: 'stopped', id: 'AS-10' },
  expire_given: { from: ['active'], to: 'completed', id: 'AS-13' },
  expire_not_given: { from: ['active'], to: 'stopped', id: 'AS-13' },
  extend: { from: ['active'] },
  step_up: { from: ['active'] },
  step_down: { from: ['active'] },
  acknowledge_off_track: { from: ['active'] },
  reassign: { from: open },
};

/** The state after the move; null when the state allows no such move (AS-11, AS-12). */
export function moved(state: AssignmentState, trigger: ReviewAction | MoveTrigger): AssignmentState | null {
  const { from, to } = moves[trigger];
  return from.includes(state) ? (to ?? state) : null;
}

/** AS-01 and AS-02: the first state of an assignment. */
export const firstState = (startOn: string, today: string): 'active' | 'scheduled' =>
  startOn <= today ? 'active' : 'scheduled';

/** The id of the row in the life cycle; undefined when the state does not change. */
export const moveId = (trigger: ReviewAction | MoveTrigger): string | undefined => moves[trigger].id;
