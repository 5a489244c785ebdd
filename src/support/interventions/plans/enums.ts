// The closed words of assignments and their deliveries that tables and code share.
import { assignmentStates, openStates } from '../engine/vocabulary.ts';

/** Who chose the students: one by one, or as a group that was found. */
export const assignmentSources = ['individual', 'cluster'] as const;
export type AssignmentSource = (typeof assignmentSources)[number];

export const completionResults = ['goals_met', 'goals_not_met'] as const;
export type CompletionResult = (typeof completionResults)[number];

/** What kind of session was given. */
export const deliverySources = ['live', 'blueprint'] as const;
export type DeliverySource = (typeof deliverySources)[number];

/** Nothing follows one of these. */
export const endedStates = assignmentStates.filter((state) => !openStates.some((open) => open === state));

/** Why another plan is worth a thought. */
export const planSuggestions = [
  'off_track_no_delivery',
  'below_aim_line',
  'step_goal_not_met',
  'low_fidelity',
] as const;
export type PlanSuggestion = (typeof planSuggestions)[number];
