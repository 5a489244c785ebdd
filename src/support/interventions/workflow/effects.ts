// The effect of each review action on an assignment (contract 52 §7.2), after its checks have passed.

import type { BundleAssignment } from '../assignment-rows/store.ts';
import type { AssignmentChange } from '../assignments/change.ts';
import { moved, type ReviewAction } from '../engine/assignments/moves.ts';
import { completionResultOf, neighbourTier } from '../engine/assignments/steps.ts';
import type { BundleSettings } from '../engine/bundles/settings.ts';

export interface Move {
  readonly row: BundleAssignment;
  /** Local date. */
  readonly today: string;
  readonly now: Date;
  readonly settings: BundleSettings;
  readonly reasonCode: string | null;
  readonly providerUserId: number | undefined;
}

type Effect = (move: Move) => AssignmentChange;

const stepped =
  (by: 1 | -1): Effect =>
  ({ row }) => ({ scaffoldTier: neighbourTier(row.scaffoldTier, by) ?? row.scaffoldTier });

/** Changes in addition to the new state. */
const effects: Readonly<Record<ReviewAction, Effect>> = {
  pause: ({ row, today, reasonCode }) => ({ reasonCode, pauses: [...row.pauses, { from: today, to: null }] }),
  resume: ({ row, today }) => ({
    reasonCode: null,
    pauses: row.pauses.map((pause) => (pause.to === null ? { from: pause.from, to: today } : pause)),
  }),
  stop: ({ today, reasonCode }) => ({ reasonCode, endedOn: today }),
  extend: ({ row, settings }) => ({
    plannedWeeks: row.plannedWeeks + settings.extensionWeeks,
    extensions: row.extensions + 1,
    // The new end has not been passed by a daily run.
    pastEndSince: null,
  }),
  step_up: stepped(1),
  step_down: stepped(-1),
  complete: ({ row, today }) => ({
    ...{ currentStepNo: null, endedOn: today },
    completionResult: completionResultOf(row.steps),
  }),
  replace: ({ today }) => ({ reasonCode: null, endedOn: today }),
  acknowledge_off_track: ({ now }) => ({ offTrackAcknowledgedAt: now.toISOString() }),
  reassign: ({ row, providerUserId }) => ({
    providerUserId: providerUserId ?? row.providerUserId,
    awaitsProvider: false,
  }),
};

/** Throws RangeError when the state allows no such move, which the checks have refused before. */
export function reviewEffectOf(action: ReviewAction, move: Move): AssignmentChange {
  const state = moved(move.row.state, action);
  if (state === null) throw new RangeError(`${action} is no move from ${move.row.state}`);
  return { state, ...effects[action](move) };
}
