// The life of an assignment: which trigger leads where (AS-03 to AS-12). What is not listed is no move.
import type { AssignmentState } from '../vocabulary.ts';

/** What people ask for in a review. */
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

/** What happens by itself: its day has come, its last step is done, the student has left. */
export const triggers = ['start', 'last_step_done', 'leave'] as const;
export type Trigger = (typeof triggers)[number];

const open = ['scheduled', 'active', 'paused'] as const;

interface Move {
  readonly from: readonly AssignmentState[];
  /** Absent where the state stays. */
  readonly to?: AssignmentState;
  /** Absent where the life cycle has no row of its own. */
  readonly id?: string;
}

const moves: Readonly<Record<ReviewAction | Trigger, Move>> = {
  start: { from: ['scheduled'], to: 'active', id: 'AS-03' },
  pause: { from: ['active'], to: 'paused', id: 'AS-04' },
  resume: { from: ['paused'], to: 'active', id: 'AS-05' },
  last_step_done: { from: ['active'], to: 'completed', id: 'AS-06' },
  complete: { from: ['active'], to: 'completed', id: 'AS-07' },
  stop: { from: open, to: 'stopped', id: 'AS-08' },
  replace: { from: open, to: 'superseded', id: 'AS-09' },
  leave: { from: open, to: 'stopped', id: 'AS-10' },
  extend: { from: ['active'] },
  step_up: { from: ['active'] },
  step_down: { from: ['active'] },
  acknowledge_off_track: { from: ['active'] },
  reassign: { from: open },
};

/** The state after the move; null where the state allows no such move (AS-11, AS-12). */
export function moved(state: AssignmentState, trigger: ReviewAction | Trigger): AssignmentState | null {
  const { from, to } = moves[trigger];
  return from.includes(state) ? (to ?? state) : null;
}

/** AS-01 and AS-02: how a new assignment begins. */
export const firstState = (startOn: string, today: string): 'active' | 'scheduled' =>
  startOn <= today ? 'active' : 'scheduled';

/** The row of the life cycle; undefined where the state stays. */
export const moveId = (trigger: ReviewAction | Trigger): string | undefined => moves[trigger].id;
