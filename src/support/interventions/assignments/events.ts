// Events of assignments.
import Type from 'typebox';
import { CalendarDate, IntegerId, nullable, object, oneOf } from '#core/http/schemas.ts';
import { eventKind, type NewEvent, newEvent, TextId } from '#core/module/events.ts';
import {
  type AssignmentSuggestion,
  assignmentSuggestions,
  completionResults,
  endedStates,
  type MeasuringAction,
  measuringActions,
} from '../assignment-rows/enums.ts';
import type { BundleAssignment } from '../assignment-rows/store.ts';
import { firstSchoolDayAfter, type SchoolCalendar } from '../engine/assignments/calendar.ts';
import type { StepEvent } from '../engine/assignments/steps.ts';
import { scaffoldTiers } from '../engine/vocabulary.ts';
import type { InterventionRules } from '../rules/compiled.ts';

const BundleWord = Type.String({ minLength: 1, maxLength: 64 });
const ofAssignment = { studentId: IntegerId, assignmentId: TextId, bundle_id: BundleWord };

export const assignmentActivated = eventKind({
  topic: 'assignment.activated',
  summary: 'Work on a bundle has begun: an assignment has become active, at once or on its day.',
  payload: object(ofAssignment),
});

export const assignmentClosed = eventKind({
  topic: 'assignment.closed',
  summary: 'An assignment has ended: completed, stopped, or replaced by another one.',
  payload: object({
    ...ofAssignment,
    state: oneOf(endedStates),
    completionResult: nullable(oneOf(completionResults)),
    reasonCode: nullable(Type.String()),
  }),
});

export const stepGoalMet = eventKind({
  topic: 'bundle.step_goal_met',
  summary: 'A delivered session has met the goal of a step.',
  payload: object({ ...ofAssignment, stepNo: Type.Integer({ minimum: 1 }) }),
});

export const scaffoldStepUp = eventKind({
  topic: 'bundle.scaffold_step_up',
  summary:
    'After a goal that was met with almost everything right an assignment gives less support; people raise nothing.',
  payload: object({ ...ofAssignment, from: oneOf(scaffoldTiers), to: oneOf(scaffoldTiers) }),
});

export const bundleCompleted = eventKind({
  topic: 'bundle.completed',
  summary: 'An assignment is completed and every goal of it was met. `assignment.closed` follows.',
  payload: object({ ...ofAssignment, endedBy: oneOf(['session', 'review']) }),
});

export const planChanged = eventKind({
  topic: 'delivery.plan_changed',
  summary: 'What is to be given of an open assignment, or when, is another: it was paused, resumed or extended.',
  payload: object({ studentId: IntegerId, assignmentId: TextId }),
});

export const planModificationSuggested = eventKind({
  topic: 'plan.modification_suggested',
  summary: 'An assignment does not go as planned, has ended or has another provider: once each time that it turns so.',
  payload: object({
    ...ofAssignment,
    suggestionCode: oneOf(assignmentSuggestions),
    /** Of a completed plan. */
    nextAction: Type.Optional(oneOf(measuringActions)),
    measureFrom: Type.Optional(CalendarDate),
  }),
});

export const assignmentEvents = [
  assignmentActivated,
  stepGoalMet,
  scaffoldStepUp,
  planChanged,
  planModificationSuggested,
  bundleCompleted,
  assignmentClosed,
] as const;

type Named = Pick<BundleAssignment, 'studentId' | 'id' | 'bundleId'>;

const idsOf = ({ studentId, id, bundleId }: Named) => ({ studentId, assignmentId: id, bundle_id: bundleId });

interface NextMeasuring {
  readonly nextAction?: MeasuringAction;
  /** Local date. */
  readonly measureFrom?: string;
}

export const suggestion = (
  row: Named & Pick<BundleAssignment, 'organizationId'>,
  suggestionCode: AssignmentSuggestion,
  measuring: NextMeasuring = {},
): NewEvent => newEvent(planModificationSuggested, row.organizationId, { ...idsOf(row), suggestionCode, ...measuring });

/** AS-06, AS-07: a completed plan is told with what is measured next, from the first day of school after its end. */
export function completionEvents(
  row: BundleAssignment,
  { state, endedOn }: Partial<Pick<BundleAssignment, 'state' | 'endedOn'>>,
  calendar: SchoolCalendar,
  { profiles }: Pick<InterventionRules, 'profiles'>,
): NewEvent[] {
  if (state !== 'completed' || !endedOn) return [];
  const { measuredByOrf = false } = profiles.catalogue.byCode.get(row.anchorSubSkillCode ?? '') ?? {};
  const measureFrom = firstSchoolDayAfter(calendar, endedOn);
  const nextAction = measuredByOrf ? 'administer_orf' : 'repeat_diagnostic';
  return [suggestion(row, 'plan_completed', { nextAction, ...(measureFrom !== null && { measureFrom }) })];
}

/** Events that a session leads to. The end of the assignment follows from the change of its row. */
export const stepEvents = (row: BundleAssignment, events: readonly StepEvent[]): NewEvent[] =>
  events.flatMap((event) => stepEvent(row, event) ?? []);

function stepEvent(row: BundleAssignment, event: StepEvent): NewEvent | undefined {
  const { organizationId } = row;
  switch (event.topic) {
    case 'bundle_step_goal_met':
      return newEvent(stepGoalMet, organizationId, { ...idsOf(row), stepNo: event.stepNo });
    case 'plan_modification_suggestion':
      return suggestion(row, event.code);
    case 'scaffold_tier_step_up':
      return newEvent(scaffoldStepUp, organizationId, { ...idsOf(row), from: event.from, to: event.to });
    case 'bundle_completion':
      return undefined;
  }
}

/** Events of a change from one row to another; `before` is null for a new row. */
export const eventsBetween = (before: BundleAssignment | null, after: BundleAssignment): NewEvent[] => [
  ...activation(before, after),
  ...replanned(before, after),
  ...offTrack(before, after),
  ...ending(before, after),
];

function activation(before: BundleAssignment | null, after: BundleAssignment): NewEvent[] {
  const wasWaiting = before === null || before.state === 'scheduled';
  if (after.state !== 'active' || !wasWaiting) return [];
  return [newEvent(assignmentActivated, after.organizationId, idsOf(after))];
}

function replanned(before: BundleAssignment | null, after: BundleAssignment): NewEvent[] {
  if (before === null || (before.pauses === after.pauses && before.plannedWeeks === after.plannedWeeks)) return [];
  const { organizationId, studentId, id } = after;
  return [newEvent(planChanged, organizationId, { studentId, assignmentId: id })];
}

/** One event for each time that the status becomes off_track. */
function offTrack(before: BundleAssignment | null, after: BundleAssignment): NewEvent[] {
  const hasEntered = after.trackStatus === 'off_track' && before?.trackStatus !== 'off_track';
  return hasEntered ? [suggestion(after, 'off_track_no_delivery')] : [];
}

function ending(before: BundleAssignment | null, after: BundleAssignment): NewEvent[] {
  const { organizationId, completionResult, reasonCode } = after;
  const state = endedStates.find((one) => one === after.state);
  if (state === undefined || before?.state === state) return [];
  const how = { state, completionResult, reasonCode };
  // A review leaves the steps unchanged.
  const endedBy = before?.steps === after.steps ? 'review' : 'session';
  return [
    ...(completionResult === 'goals_met'
      ? [newEvent(bundleCompleted, organizationId, { ...idsOf(after), endedBy })]
      : []),
    newEvent(assignmentClosed, organizationId, { ...idsOf(after), ...how }),
  ];
}
