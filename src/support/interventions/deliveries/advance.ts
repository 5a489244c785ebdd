// Applies one delivered session to an assignment.

import type { BundleAssignment } from '../assignment-rows/store.ts';
import type { AssignmentChange } from '../assignments/change.ts';
import { type AssignmentMoment, trackOf } from '../assignments/track.ts';
import { moved } from '../engine/assignments/moves.ts';
import {
  completionResultOf,
  type SessionResponse,
  type StepDelivery,
  type StepEvent,
  type StepProgress,
} from '../engine/assignments/steps.ts';
import type { InterventionRules } from '../rules/compiled.ts';

export interface BeforeSession {
  /** Responses of the sessions that counted for the current step, in order. */
  readonly pooled: readonly SessionResponse[];
  /** Local dates of all sessions of the assignment. */
  readonly days: readonly string[];
  readonly moment: AssignmentMoment & { readonly deliveredOn: string };
  /** Sub-skills by which goals are evaluated. */
  readonly targets: ReadonlySet<string>;
}

export function advancedBy(
  row: BundleAssignment,
  delivery: StepDelivery,
  { pooled, days, moment, targets }: BeforeSession,
  rules: Pick<InterventionRules, 'steps' | 'track'>,
): { readonly change: AssignmentChange; readonly events: readonly StepEvent[] } {
  const { steps, currentStepNo, scaffoldTier } = row;
  const { progress, events } = rules.steps({ steps, currentStepNo, scaffoldTier, pooled }, delivery, targets);
  const change = { ...progressed(progress), ...ended(row, progress, moment.today) };
  const delivered = new Map([[row.id, [...days, moment.deliveredOn]]]);
  return { change: { ...change, trackStatus: trackOf({ ...row, ...change }, delivered, moment, rules) }, events };
}

const progressed = ({ steps, currentStepNo, scaffoldTier }: StepProgress) => ({
  steps: [...steps],
  currentStepNo,
  scaffoldTier,
});

/** AS-06: the assignment ends on the day of the call that records its last session. */
function ended({ state }: BundleAssignment, { steps, currentStepNo }: StepProgress, today: string) {
  const to = currentStepNo === null ? moved(state, 'last_step_done') : null;
  return to === null ? {} : { state: to, completionResult: completionResultOf(steps), endedOn: today };
}
