// Applies one delivered session to the steps of an assignment: goals, the end and the scaffold tier (STP).
import { round4 } from '#core/platform/pure/round.ts';
import { firstHit, type RuleBundle } from '#rules/rulesets/engine/index.ts';
import type { BundleStep, Goal } from '../bundles/catalogue.ts';
import { type BundleSettings, bundleSettings } from '../bundles/settings.ts';
import { listedFacts } from '../typed-facts.ts';
import { type GoalState, type ScaffoldTier, scaffoldTiers } from '../vocabulary.ts';

/** Analysable and scored. */
export interface SessionResponse {
  readonly itemId: string;
  readonly subSkillCode: string;
  readonly correct: boolean;
}

export interface StepState extends BundleStep {
  readonly deliveredSessions: number;
  readonly goalState: GoalState;
  readonly scored: number;
  readonly correct: number;
  /** 4 decimals; null without a response. */
  readonly rate: number | null;
}

export interface StepProgress {
  readonly steps: readonly StepState[];
  /** Null when all steps are done. */
  readonly currentStepNo: number | null;
  readonly scaffoldTier: ScaffoldTier;
  /** First answers of the sessions that were counted for the current step. */
  readonly pooled: readonly SessionResponse[];
}

export interface StepDelivery {
  readonly dndy: boolean;
  readonly responses: readonly SessionResponse[];
}

export type StepEvent =
  | { readonly topic: 'bundle_step_goal_met'; readonly stepNo: number }
  | { readonly topic: 'plan_modification_suggestion'; readonly code: 'step_goal_not_met' }
  | { readonly topic: 'scaffold_tier_step_up'; readonly from: ScaffoldTier; readonly to: ScaffoldTier }
  | { readonly topic: 'bundle_completion' };

export interface Advanced {
  readonly progress: StepProgress;
  readonly ruleId: string;
  readonly events: readonly StepEvent[];
}

export const startedProgress = (steps: readonly BundleStep[], scaffoldTier: ScaffoldTier): StepProgress => ({
  steps: steps.map((step) => ({
    ...step,
    ...{ deliveredSessions: 0, goalState: step.goal ? 'pending' : 'none', scored: 0, correct: 0, rate: null },
  })),
  currentStepNo: steps[0]?.stepNo ?? null,
  scaffoldTier,
  pooled: [],
});

export const completionResultOf = (steps: readonly StepState[]): 'goals_met' | 'goals_not_met' =>
  steps.every(({ goal, goalState }) => !goal || goalState === 'met') ? 'goals_met' : 'goals_not_met';

export const stepProgressFacts = listedFacts({
  dndy: 'flag',
  hasGoal: 'flag',
  plannedReached: 'flag',
  doublePlannedReached: 'flag',
  goalMet: 'flag',
});

const outcomes = ['hold', 'step_done', 'goal_met', 'goal_not_met', 'stay'] as const;
type Outcome = (typeof outcomes)[number];

/** `targets`: codes of the bundle's target sub-skills. Throws RangeError once all steps are done. */
export type Advance = (progress: StepProgress, delivery: StepDelivery, targets: ReadonlySet<string>) => Advanced;

/** Throws BundleError when a document is missing, RangeError when one has an unknown value. */
export function compileSteps(bundle: RuleBundle): Advance {
  const settings = bundleSettings(bundle);
  const ask = firstHit(bundle.table('bundle/step-progress'), stepProgressFacts, (answer) => ({
    ruleId: answer.ruleId,
    outcome: answer.word('outcome', outcomes),
  }));
  return (progress, delivery, targets) => {
    const current = progress.steps.find(({ stepNo }) => stepNo === progress.currentStepNo);
    if (!current) throw new RangeError('all steps are done');
    const pooled = [...progress.pooled, ...firstAnswers(delivery.responses)];
    const counted = countedStep(current, pooled, targets);
    const { ruleId, outcome } = ask(stepFacts(counted, delivery.dndy, settings));
    return { ruleId, ...after({ ...progress, pooled }, counted, outcome, settings) };
  };
}

/**
 * For one session, in which an item is asked once. Another session of the step may ask it again, since most steps have one
 * prepared session and a missed goal must be reachable the next time.
 */
export function firstAnswers(responses: readonly SessionResponse[]): SessionResponse[] {
  const answered = new Set<string>();
  return responses.filter(({ itemId }) => !answered.has(itemId) && answered.add(itemId));
}

/** A session counts for the current step, whatever step it was prepared for. */
function countedStep(step: StepState, pooled: readonly SessionResponse[], targets: ReadonlySet<string>): StepState {
  const counted = pooled.filter(({ subSkillCode }) => targets.has(subSkillCode));
  const scored = counted.length;
  const correct = counted.filter((response) => response.correct).length;
  const rate = scored === 0 ? null : round4(correct / scored);
  return { ...step, deliveredSessions: step.deliveredSessions + 1, scored, correct, rate };
}

/** The facts are in the order of the table. */
const stepFacts = (step: StepState, dndy: boolean, { longStepFactor }: BundleSettings) => ({
  dndy,
  hasGoal: step.goal !== null,
  plannedReached: step.deliveredSessions >= step.plannedSessions,
  doublePlannedReached: step.deliveredSessions >= longStepFactor * step.plannedSessions,
  goalMet: step.goal !== null && isMet(step, step.goal),
});

const isMet = ({ scored, rate }: StepState, { minScored, minRate }: Goal): boolean =>
  scored >= minScored && rate !== null && rate >= minRate;

function after(progress: StepProgress, counted: StepState, outcome: Outcome, settings: BundleSettings) {
  const evaluated = evaluatedStep(counted, outcome);
  const steps = progress.steps.map((step) => (step.stepNo === evaluated.stepNo ? evaluated : step));
  if (outcome === 'hold' || outcome === 'stay') return { progress: { ...progress, steps }, events: [] };
  const scaffoldTier = scaffoldAfter(progress.scaffoldTier, evaluated, settings);
  const next = steps.find(({ stepNo }) => stepNo > evaluated.stepNo);
  return {
    progress: { steps, currentStepNo: next?.stepNo ?? null, scaffoldTier, pooled: [] },
    events: [
      ...goalEvents(evaluated),
      ...stepUpEvents(progress.scaffoldTier, scaffoldTier),
      ...(!next && completionResultOf(steps) === 'goals_met' ? [{ topic: 'bundle_completion' } as const] : []),
    ],
  };
}

function evaluatedStep(step: StepState, outcome: Outcome): StepState {
  if (outcome === 'goal_met') return { ...step, goalState: 'met' };
  return outcome === 'goal_not_met' ? { ...step, goalState: 'not_met' } : step;
}

/** A very high rate means less support; a low rate after a long step means more. */
function scaffoldAfter(tier: ScaffoldTier, { goalState, rate }: StepState, settings: BundleSettings): ScaffoldTier {
  if (goalState === 'met' && rate !== null && rate >= settings.stepUpRate) return neighbourTier(tier, 1) ?? tier;
  if (goalState === 'not_met' && rate !== null && rate < settings.stepDownRate) return neighbourTier(tier, -1) ?? tier;
  return tier;
}

/** `by` 1 is towards Level_1, −1 towards Level_3; undefined at the end. */
export const neighbourTier = (tier: ScaffoldTier, by: 1 | -1): ScaffoldTier | undefined =>
  scaffoldTiers[scaffoldTiers.indexOf(tier) + by];

function goalEvents({ goalState, stepNo }: StepState): StepEvent[] {
  if (goalState === 'met') return [{ topic: 'bundle_step_goal_met', stepNo }];
  return goalState === 'not_met' ? [{ topic: 'plan_modification_suggestion', code: 'step_goal_not_met' }] : [];
}

/** A step down raises no event. */
const stepUpEvents = (from: ScaffoldTier, to: ScaffoldTier): StepEvent[] =>
  scaffoldTiers.indexOf(to) > scaffoldTiers.indexOf(from) ? [{ topic: 'scaffold_tier_step_up', from, to }] : [];
