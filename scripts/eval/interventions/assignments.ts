// Cases of assignments: lessons through the steps, transitions of the life cycle, and what a person may do.
import {
  type ActivationCall,
  type ActivationState,
  checkActivation,
} from '#support/interventions/engine/assignments/activation-check.ts';
import { type MoveTrigger, moved, type ReviewAction } from '#support/interventions/engine/assignments/moves.ts';
import {
  checkReview,
  type ReviewCall,
  type ReviewedAssignment,
} from '#support/interventions/engine/assignments/review-check.ts';
import {
  completionResultOf,
  type StepDelivery,
  type StepEvent,
  type StepProgress,
  startedProgress,
} from '#support/interventions/engine/assignments/steps.ts';
import { targetSubSkills } from '#support/interventions/engine/bundles/targets.ts';
import type { AssignmentState, RoleCode, ScaffoldTier } from '#support/interventions/engine/vocabulary.ts';
import type { Engines } from './engines.ts';

interface StepsInput {
  readonly bundle_id: string;
  readonly grade: number;
  readonly anchorRole?: RoleCode | null;
  readonly scaffoldTier: ScaffoldTier;
  readonly deliveries: readonly StepDelivery[];
}

export function stepsCase(input: StepsInput, { steps, recommendation, profiles }: Engines) {
  const bundle = recommendation.catalogue.byId.get(input.bundle_id);
  if (!bundle) throw new RangeError(`the catalogue has no ${input.bundle_id}`);
  const targets = targetSubSkills(bundle, input.grade, input.anchorRole ?? null, profiles);
  const codes = new Set(targets.map(({ code }) => code));
  let progress: StepProgress = startedProgress(bundle.steps, input.scaffoldTier);
  const events: StepEvent[] = [];
  const ruleIds: string[] = [];
  for (const delivery of input.deliveries) {
    if (progress.currentStepNo === null) break;
    const advanced = steps(progress, delivery, codes);
    progress = advanced.progress;
    events.push(...advanced.events);
    ruleIds.push(advanced.ruleId);
  }
  const isDone = progress.currentStepNo === null;
  return {
    state: isDone ? 'completed' : 'active',
    completionResult: isDone ? completionResultOf(progress.steps) : null,
    currentStepNo: progress.currentStepNo,
    scaffoldTier: progress.scaffoldTier,
    events: events.map(eventText),
    ruleIds,
    steps: progress.steps.map(({ stepNo, deliveredSessions, goalState, scored, correct, rate }) => ({
      stepNo,
      deliveredSessions,
      goalState,
      scored,
      correct,
      rate,
    })),
  };
}

function eventText(event: StepEvent): string {
  if ('stepNo' in event) return `${event.topic}:${event.stepNo}`;
  if ('code' in event) return `${event.topic}:${event.code}`;
  return 'from' in event ? `${event.topic}:${event.from}>${event.to}` : event.topic;
}

interface MoveInput {
  readonly state: AssignmentState;
  readonly action: ReviewAction | MoveTrigger;
}

export const moveCase = ({ state, action }: MoveInput) => moved(state, action);

interface GivenState {
  readonly halted: boolean;
  readonly grade: number;
  readonly rec: ActivationState['recommendation'];
  /** bundle_id of each open assignment. */
  readonly open: readonly string[];
}

const stateOf = ({ halted, grade, rec, open }: GivenState): ActivationState => ({
  halted,
  grade,
  recommendation: rec,
  openBundles: open,
});

const rulesOf = ({ recommendation, codes, settings }: Engines) => ({
  catalogue: recommendation.catalogue,
  codes,
  capacity: settings.openAssignments,
  settings,
});

interface ActivationInput {
  readonly call: ActivationCall;
  readonly state: GivenState;
}

export const activationCase = ({ call, state }: ActivationInput, engines: Engines) =>
  checkActivation(call, stateOf(state), rulesOf(engines));

interface ReviewInput {
  readonly call: ReviewCall;
  readonly assignment: ReviewedAssignment;
  /** The state that activation checks; for `replace`. */
  readonly state?: GivenState;
}

export const reviewCase = ({ call, assignment, state }: ReviewInput, engines: Engines) =>
  checkReview(call, assignment, rulesOf(engines), state && stateOf(state));
