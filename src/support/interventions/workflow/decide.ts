// Prepares the checks of a call: the student's situation under the lock, and the values that the call leaves open.
import { unavailable } from '#core/platform/errors.ts';
import { noGrade } from '#identity/people/index.ts';
import type { DecidedSituation } from '../assignments/activate.ts';
import { type ActivationRules, type ActivationState, bundleRefusal } from '../engine/assignments/activation-check.ts';
import { sessionsPerWeekOf } from '../engine/assignments/dosage.ts';
import type { ReplacementState } from '../engine/assignments/review-check.ts';
import type { InterventionBundle } from '../engine/bundles/catalogue.ts';
import { targetSubSkills } from '../engine/bundles/targets.ts';
import type { DeliveryMode, ScaffoldTier } from '../engine/vocabulary.ts';
import type { InterventionRules } from '../rules/compiled.ts';
import { recommendationOf } from '../situations/input.ts';
import type { Situations, StudentSituation } from '../situations/situations.ts';

/** Throws CONFLICT `no_grade` between classes, because an assignment needs a class. */
export function decidedOf(found: Situations, studentId: number): DecidedSituation {
  const situation = found.situations.get(studentId);
  if (!situation || situation.currentGrade === null) throw noGrade('studentId');
  return { situation, rules: found.rules, versions: found.versions };
}

/**
 * The student without a plan that is to be replaced. A recommendation to give more support stays, because it speaks of that
 * plan; any other is asked again without the plan.
 */
export function withoutPlan({ situation, rules, versions }: DecidedSituation, assignmentId: string): DecidedSituation {
  const isOther = (one: { readonly assignmentId: string }) => one.assignmentId !== assignmentId;
  const open = situation.open.filter(isOther);
  if (situation.recommendation.action === 'intensify') return { situation: { ...situation, open }, rules, versions };
  const input = { ...situation.input, open, assignments: situation.input.assignments.filter(isOther) };
  return { situation: { ...situation, open, input, recommendation: recommendationOf(input, rules) }, rules, versions };
}

/** How a bundle would be given; undefined for one that cannot be given to the student. */
export function givenAs(named: Named, decided: DecidedSituation): ReplacementState['given'] {
  const { situation, rules } = decided;
  const { catalogue } = rules.recommendation;
  const bundle = catalogue.byId.get(named.bundle_id);
  const { bundle_id } = named;
  if (!bundle || bundleRefusal({ bundle_id }, situation.grade ?? 0, catalogue)) return undefined;
  const sessionsPerWeek = sessionsPerWeekOf(bundle, situation.tier, rules.settings) ?? 0;
  return { ...chosenDelivery(named, decided), sessionsPerWeek };
}

export const checkRules = ({ recommendation, codes, settings }: InterventionRules): ActivationRules => ({
  catalogue: recommendation.catalogue,
  codes,
  capacity: settings.openAssignments,
});

export function activationState({ situation, rules }: Pick<DecidedSituation, 'situation' | 'rules'>): ActivationState {
  const { halted, grade, recommendation, open, profile } = situation;
  return {
    hasTarget: (bundle) => targetSubSkills(bundle, grade ?? 0, profile.anchorRole, rules.profiles).length > 0,
    halted,
    grade: grade ?? 0,
    recommendation:
      recommendation.outcome === 'recommended'
        ? {
            bundle_id: recommendation.bundle.bundle_id,
            scaffoldTier: recommendation.scaffold.scaffoldTier,
            deliveryMode: recommendation.delivery.deliveryMode,
          }
        : null,
    openBundles: open.map(({ bundle_id }) => bundle_id),
  };
}

/** The body of the response while the evidence about the student is insufficient. */
export function blockedBody({ profile }: StudentSituation) {
  const { nextRecommendedDataAction } = profile;
  if (nextRecommendedDataAction === null) throw unavailable('What to measure next is not known.');
  return {
    outcome: 'blocked_insufficient_evidence',
    recommended_bundle_id: null,
    nextRecommendedDataAction,
  } as const;
}

interface Named {
  readonly bundle_id: string;
  readonly scaffoldTier?: ScaffoldTier | undefined;
  readonly deliveryMode?: DeliveryMode | undefined;
}

/** Fills what the call leaves open from the recommendation, or for another bundle from SCF and DLM. */
export function chosenDelivery({ bundle_id, ...named }: Named, { situation, rules }: DecidedSituation) {
  const { recommendation, profile, independentRate, tier, grade } = situation;
  const { choices, catalogue } = rules.recommendation;
  const same =
    recommendation.outcome === 'recommended' && recommendation.bundle.bundle_id === bundle_id ? recommendation : null;
  const asked = { openTier: null, anchorStatus: profile.anchorStatus, independentRate };
  const scaffoldTier = named.scaffoldTier ?? same?.scaffold.scaffoldTier ?? choices.scaffold(asked).scaffoldTier;
  const bundle = catalogue.byId.get(bundle_id) as InterventionBundle;
  const isAdvised = same?.scaffold.scaffoldTier === scaffoldTier;
  const answered = isAdvised
    ? same.delivery.deliveryMode
    : choices.delivery({ bundle, tier, grade: grade ?? 0, scaffoldTier }).deliveryMode;
  const deliveryMode = named.deliveryMode ?? answered;
  if (deliveryMode === 'none') throw new RangeError(`${bundle_id} can be assigned and has no way to be given`);
  return { scaffoldTier, deliveryMode };
}
