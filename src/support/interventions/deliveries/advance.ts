// What one delivered session makes of an assignment.
import type { Change } from '../assignments/change.ts';
import { type Moment, trackOf } from '../assignments/track.ts';
import { moved } from '../engine/assignments/moves.ts';
import {
  completionResultOf,
  type Delivery,
  type Progress,
  type SessionResponse,
  type StepEvent,
} from '../engine/assignments/steps.ts';
import type { BundleAssignment } from '../plans/store.ts';
import type { InterventionRules } from '../rules/compiled.ts';

export interface BeforeSession {
  /** Of the sessions that were counted to the current step, in order. */
  readonly pooled: readonly SessionResponse[];
  /** Local dates of all sessions of the plan. */
  readonly days: readonly string[];
  readonly moment: Moment & { readonly deliveredOn: string };
  /** Sub-skills that goals are judged by. */
  readonly targets: ReadonlySet<string>;
}

export function advancedBy(
  row: BundleAssignment,
  delivery: Delivery,
  { pooled, days, moment, targets }: BeforeSession,
  rules: Pick<InterventionRules, 'steps' | 'track'>,
): { readonly change: Change; readonly events: readonly StepEvent[] } {
  const { steps, currentStepNo, scaffoldTier } = row;
  const { progress, events } = rules.steps({ steps, currentStepNo, scaffoldTier, pooled }, delivery, targets);
  const change = { ...progressed(progress), ...ended(row, progress, moment.today) };
  const delivered = new Map([[row.id, [...days, moment.deliveredOn]]]);
  return { change: { ...change, trackStatus: trackOf({ ...row, ...change }, delivered, moment, rules) }, events };
}

const progressed = ({ steps, currentStepNo, scaffoldTier }: Progress) => ({
  steps: [...steps],
  currentStepNo,
  scaffoldTier,
});

/** AS-06: it ends on the day on which its last session is told. */
function ended({ state }: BundleAssignment, { steps, currentStepNo }: Progress, today: string) {
  const to = currentStepNo === null ? moved(state, 'last_step_done') : null;
  return to === null ? {} : { state: to, completionResult: completionResultOf(steps), endedOn: today };
}
