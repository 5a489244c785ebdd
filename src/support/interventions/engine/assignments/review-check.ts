// Checks whether a review may move an assignment: from which state, within which bounds, and when a reason is required.
import type { Goal } from '../bundles/catalogue.ts';
import type { BundleSettings } from '../bundles/settings.ts';
import type { ReasonCodes } from '../reason-codes.ts';
import type { AssignmentState, DeliveryMode, GoalState, ScaffoldTier, TrackStatus } from '../vocabulary.ts';
import {
  type ActivationCall,
  type ActivationRules,
  type ActivationState,
  blocked,
  type CheckAnswer,
  checkActivation,
  confirmationRefusal,
  overrideFault,
  refused,
} from './activation-check.ts';
import { moved, type ReviewAction } from './moves.ts';
import { neighbourTier } from './steps.ts';

export interface ReviewCall extends Partial<ActivationCall> {
  readonly action: ReviewAction;
  readonly reasonCode?: string | undefined;
  readonly startOn?: string | undefined;
  readonly providerUserId?: number | undefined;
}

export interface ReviewedAssignment {
  readonly state: AssignmentState;
  readonly bundle_id?: string;
  readonly trackStatus: TrackStatus;
  readonly scaffoldTier: ScaffoldTier;
  readonly deliveryMode?: DeliveryMode;
  readonly sessionsPerWeek?: number;
  readonly plannedWeeks: number;
  readonly extensions: number;
  readonly completeWeeks: number;
  readonly halted: boolean;
  readonly steps: readonly {
    readonly goal: Goal | null;
    readonly goalState: GoalState;
    readonly rate: number | null;
  }[];
}

/** The student's state without the assignment that is to be replaced. */
export interface ReplacementState extends ActivationState {
  /** How the bundle of the call would be given; undefined where it could not be given at all. */
  readonly given?: Required<Pick<ReviewedAssignment, 'scaffoldTier' | 'deliveryMode' | 'sessionsPerWeek'>> | undefined;
}

export interface ReviewRules extends ActivationRules {
  readonly settings: BundleSettings;
}

type Field = 'reasonCode' | 'bundle_id' | 'scaffoldTier' | 'deliveryMode' | 'startOn' | 'providerUserId';

/** Fields of single actions; the first of each is required. */
const fieldsOf: Readonly<Partial<Record<ReviewAction, readonly Field[]>>> = {
  pause: ['reasonCode'],
  stop: ['reasonCode'],
  replace: ['bundle_id', 'scaffoldTier', 'deliveryMode', 'startOn'],
  reassign: ['providerUserId'],
};
const allFields: readonly Field[] = [
  'reasonCode',
  'bundle_id',
  'scaffoldTier',
  'deliveryMode',
  'startOn',
  'providerUserId',
];
const reasonScopes: Readonly<Partial<Record<ReviewAction, string>>> = {
  pause: 'assignment_pause',
  stop: 'assignment_stop',
};
/** Actions that are refused while the student is halted; pausing and stopping stay allowed. */
const refusedWhileHalted: ReadonlySet<ReviewAction> = new Set(['step_up', 'step_down', 'complete', 'replace']);

/**
 * The checks run in their order; the first failure is returned. `replacing` is the student's state for activation without
 * this assignment; only `replace` needs it.
 */
export function checkReview(
  call: ReviewCall,
  assignment: ReviewedAssignment,
  rules: ReviewRules,
  replacing?: ReplacementState,
): CheckAnswer {
  const { action } = call;
  const fault = reviewFault(call, rules.codes);
  if (fault) return refused(fault.issue);
  if (!isMove(action, assignment)) return refused('invalid_transition', 409);
  if (assignment.halted && refusedWhileHalted.has(action)) return blocked;
  if (action === 'replace') return replaced(call, assignment, rules, replacing);
  const bound = boundOf(action, assignment, rules.settings);
  if (bound) return refused(bound, 409);
  const fields = isOffRecommendation(action, assignment, rules.settings) ? ['action'] : [];
  return confirmationRefusal(call, fields) ?? { status: 200 };
}

export interface CallFault {
  readonly field: string;
  readonly issue: string;
}

/** The first fault of a call that does not depend on the state of the assignment. */
export function reviewFault(call: ReviewCall, codes: ReasonCodes): CallFault | undefined {
  const override = overrideFault(call, codes);
  return (
    fieldFault(call) ??
    reasonFault(call, codes) ??
    (override === undefined ? undefined : { field: 'overrideCode', issue: override })
  );
}

function fieldFault(call: ReviewCall): CallFault | undefined {
  const own = fieldsOf[call.action] ?? [];
  const foreign = allFields.find((field) => call[field] !== undefined && !own.includes(field));
  if (foreign !== undefined) return { field: foreign, issue: 'not_for_action' };
  const [required] = own;
  return required !== undefined && call[required] === undefined ? { field: required, issue: 'required' } : undefined;
}

function reasonFault({ action, reasonCode }: ReviewCall, codes: ReasonCodes): CallFault | undefined {
  const scope = reasonScopes[action];
  const issue = scope === undefined || reasonCode === undefined ? undefined : codes.faultOf(reasonCode, scope);
  return issue === undefined ? undefined : { field: 'reasonCode', issue };
}

const isMove = (action: ReviewAction, { state, trackStatus }: ReviewedAssignment): boolean =>
  moved(state, action) !== null && (action !== 'acknowledge_off_track' || trackStatus === 'off_track');

function replaced(call: ReviewCall, assignment: ReviewedAssignment, rules: ReviewRules, replacing?: ReplacementState) {
  const isSame = call.bundle_id !== undefined && call.bundle_id === assignment.bundle_id;
  if (isSame && !isGivenOtherwise(assignment, replacing?.given)) return refused('already_open', 409);
  if (!replacing || call.bundle_id === undefined) return { status: 200 } as const;
  const answer = checkActivation({ ...call, bundle_id: call.bundle_id }, replacing, rules);
  return answer.status === 201 ? ({ status: 200 } as const) : answer;
}

/** The same bundle again is a replacement only with other support, or more or less of it. */
const isGivenOtherwise = (
  { scaffoldTier, deliveryMode, sessionsPerWeek }: ReviewedAssignment,
  given: ReplacementState['given'],
): boolean =>
  given !== undefined &&
  (given.scaffoldTier !== scaffoldTier ||
    given.deliveryMode !== deliveryMode ||
    given.sessionsPerWeek !== sessionsPerWeek);

function boundOf(action: ReviewAction, { extensions, scaffoldTier }: ReviewedAssignment, settings: BundleSettings) {
  if (action === 'extend' && extensions >= settings.mostExtensions) return 'extend_limit';
  const by = action === 'step_up' ? 1 : action === 'step_down' ? -1 : null;
  return by !== null && neighbourTier(scaffoldTier, by) === undefined ? 'tier_bound' : undefined;
}

/** Whether the assignment's own progress does not support the move. */
function isOffRecommendation(action: ReviewAction, assignment: ReviewedAssignment, settings: BundleSettings): boolean {
  const { completeWeeks, plannedWeeks, steps } = assignment;
  const newest = steps.findLast(({ goalState }) => goalState === 'met' || goalState === 'not_met');
  if (action === 'extend') return completeWeeks < plannedWeeks - settings.extensionWeeks;
  if (action === 'step_up') return !(newest?.goalState === 'met' && (newest.rate ?? 0) >= settings.stepUpRate);
  if (action === 'step_down') return newest?.goalState !== 'not_met';
  return action === 'complete' && steps.some(({ goal, goalState }) => goal !== null && goalState !== 'met');
}
