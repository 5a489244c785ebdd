// Enums of assignments and deliveries that tables and code share.
import { assignmentStates, openStates } from '../engine/vocabulary.ts';

/** Whether students were chosen one by one or as a group. */
export const assignmentSources = ['individual', 'cluster'] as const;
export type AssignmentSource = (typeof assignmentSources)[number];

export const completionResults = ['goals_met', 'goals_not_met'] as const;
export type CompletionResult = (typeof completionResults)[number];

/** The kind of the session. */
export const deliverySources = ['live', 'blueprint'] as const;
export type DeliverySource = (typeof deliverySources)[number];

/** States without a further move. */
export const endedStates = assignmentStates.filter((state) => !openStates.some((open) => open === state));

/** Reasons for suggesting another assignment. */
export const assignmentSuggestions = [
  'off_track_no_delivery',
  'below_aim_line',
  'step_goal_not_met',
  'low_fidelity',
  'plan_completed',
  'plan_overdue',
  'plan_expired',
  'provider_left',
] as const;
export type AssignmentSuggestion = (typeof assignmentSuggestions)[number];

/** How the anchor of a completed assignment is measured again. */
export const measuringActions = ['repeat_diagnostic', 'administer_orf'] as const;
export type MeasuringAction = (typeof measuringActions)[number];
