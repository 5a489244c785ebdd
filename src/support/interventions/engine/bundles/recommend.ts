// Recommends one bundle for a student, with the rules that chose it.

import type { NextDataAction } from '#assessment/skill-status/engine/index.ts';
import { firstHit, type RuleAnswer, type RuleBundle, type Table } from '#rules/rulesets/engine/index.ts';
import type { EngineProfile } from '../profiles/resolve.ts';
import { listedFacts } from '../typed-facts.ts';
import {
  type DeliveryMode,
  deliveryModes,
  isStrongNeed,
  type ObjectType,
  type RecommendationAction,
  recommendationActions,
  type ScaffoldTier,
  type Sufficiency,
  type SupportTier,
  scaffoldTiers,
} from '../vocabulary.ts';
import { type BundleCatalogue, compileBundles, type InterventionBundle } from './catalogue.ts';
import { coveringAssignment, type OpenAssignment, type PastFacts } from './covering.ts';
import {
  compileDelivery,
  type DeliveryAnswer,
  type DeliveryRules,
  independentRateOf,
  type ScaffoldAnswer,
  type TierCounts,
} from './delivery.ts';
import { compileSufficiency } from './sufficiency.ts';

export type RecommendedProfile = Omit<EngineProfile, 'facts' | 'modifierFacts' | 'modifierRuleIds'>;

export interface RecommendationQuestion {
  readonly grade: number;
  readonly tier: SupportTier;
  readonly contextReview: boolean;
  /** An alert acute_regression_review is open. */
  readonly acuteOpen: boolean;
  readonly profile: RecommendedProfile;
  /** Over the anchor's skill group. */
  readonly counts: TierCounts;
  readonly open: readonly OpenAssignment[];
  /** Results of past assignments, given the bundle that a new recommendation would name. */
  readonly past: (below: string | null) => PastFacts;
  /** Whether the most intensive tier was decided after this plan began; only some versions of the table ask. */
  readonly tierRose?: (covering: OpenAssignment) => boolean;
  /** Whether the anchor sub-skill is measured by oral reading. */
  readonly anchorByOrf: boolean;
}

interface Answer {
  readonly ruleId: string;
  /** A bundle_id, `covering`, `as_below` or `none`. */
  readonly outcome: string;
  readonly action: RecommendationAction;
  readonly scaffoldTier: ScaffoldTier | undefined;
  readonly deliveryMode: DeliveryMode | undefined;
}

interface Common {
  readonly facts: RecommendationFacts;
  readonly ruleId: string;
  readonly action: RecommendationAction;
  readonly dataSufficiency: Sufficiency;
}

export interface Blocked extends Common {
  readonly outcome: 'blocked_insufficient_evidence';
  readonly nextRecommendedDataAction: NextDataAction;
}

export interface Recommended extends Common {
  readonly outcome: 'recommended';
  readonly bundle: InterventionBundle;
  readonly objectType: ObjectType;
  /** The open assignment that continues, when that is recommended. */
  readonly covering: OpenAssignment | null;
  readonly scaffold: ScaffoldAnswer;
  readonly delivery: DeliveryAnswer;
}

export type Recommendation = Blocked | Recommended;

const firstFacts = {
  dndy: 'flag',
  profileCode: 'word',
  profileRuleId: 'word',
  acuteOpen: 'flag',
  coveringOpen: 'flag',
  awaitingMeasure: 'flag',
  lastResult: 'word',
  strongNeed: 'flag',
  grade: 'number',
  anchorRole: 'word',
} as const;

/** The facts from version 2 of the table on; version 1 has no `tierRose`. */
export const bundleFacts = listedFacts({ ...firstFacts, tierRose: 'flag' });
export const firstBundleFacts = listedFacts(firstFacts);

const recommendationFacts = (
  { profile, acuteOpen, grade }: RecommendationQuestion,
  coveringOpen: boolean,
  past: PastFacts,
) => ({
  dndy: profile.outcome === 'do_not_decide_yet',
  profileCode: profile.profileCode,
  profileRuleId: profile.ruleId ?? unmeasuredRule,
  acuteOpen,
  coveringOpen,
  awaitingMeasure: past.awaitingMeasure,
  lastResult: past.lastResult,
  strongNeed: isStrongNeed(profile.profileCode),
  grade,
  anchorRole: profile.anchorRole ?? 'none',
});
export type RecommendationFacts = ReturnType<typeof recommendationFacts> & { readonly tierRose?: boolean };

/** A student without any measurement lacks every required role. */
const unmeasuredRule = 'PRF-02';

export interface RecommendationRules {
  readonly catalogue: BundleCatalogue;
  /** Chooses tier and mode for a bundle that the recommendation does not name. */
  readonly choices: DeliveryRules;
  /**
   * Whether the table asks what followed a plan: a tier that rose since, and how often was measured after its goals were
   * met. Version 1 does not.
   */
  readonly followsPlans: boolean;
  recommend(question: RecommendationQuestion): Recommendation;
}

function questionsOf(table: Table, followsPlans: boolean): (facts: RecommendationFacts) => Answer {
  const read = (answer: RuleAnswer): Answer => ({
    ruleId: answer.ruleId,
    outcome: answer.outcome,
    action: answer.word('action', recommendationActions),
    scaffoldTier: answer.wordIfAny('scaffoldTier', scaffoldTiers),
    deliveryMode: answer.wordIfAny('deliveryMode', deliveryModes),
  });
  if (!followsPlans) return firstHit(table, firstBundleFacts, read);
  const ask = firstHit(table, bundleFacts, read);
  return ({ tierRose = false, ...facts }) => ask({ ...facts, tierRose });
}

/** A rule may name tier and mode itself; then the tables SCF and DLM are not asked. */
function deliveryOf(
  choices: DeliveryRules,
  { grade, tier, counts, profile }: RecommendationQuestion,
  { ruleId, scaffoldTier, deliveryMode }: Answer,
  { target, covering }: { readonly target: InterventionBundle; readonly covering: OpenAssignment | null },
) {
  const openTier = covering?.scaffoldTier ?? null;
  const rate = { anchorStatus: profile.anchorStatus, independentRate: independentRateOf(counts) };
  const asked = choices.scaffold({ openTier, ...rate });
  const scaffold = scaffoldTier ? { ...asked, ruleId, scaffoldTier } : asked;
  const mode = choices.delivery({ bundle: target, tier, grade, scaffoldTier: scaffold.scaffoldTier });
  return { scaffold, delivery: deliveryMode ? { ...mode, ruleId, deliveryMode } : mode };
}

/** Throws BundleError when a document is missing, RangeError when one has an unknown value. */
export function compileRecommendation(bundle: RuleBundle): RecommendationRules {
  const catalogue = compileBundles(bundle);
  const sufficiencyOf = compileSufficiency(bundle);
  const choices = compileDelivery(bundle);
  const table = bundle.table('bundle/recommendation');
  const followsPlans = table.document.facts.tierRose !== undefined;
  const ask = questionsOf(table, followsPlans);

  function recommend(question: RecommendationQuestion): Recommendation {
    const { profile } = question;
    const fresh = ask(recommendationFacts(question, false, { awaitingMeasure: false, lastResult: 'none' }));
    const below = catalogue.byId.has(fresh.outcome) ? fresh.outcome : null;
    const covering = coveringAssignment(question.open, profile, below, catalogue);
    const past = question.past(below);
    const tierRose = covering !== null && (question.tierRose?.(covering) ?? false);
    const facts = {
      ...recommendationFacts(question, covering !== null, past),
      ...(followsPlans && { tierRose }),
    };
    const answer = ask(facts);
    const { dataSufficiency } = sufficiencyOf({
      dndy: facts.dndy,
      profileCode: profile.profileCode,
      contextReview: question.contextReview,
    });
    const common = { facts, ruleId: answer.ruleId, action: answer.action, dataSufficiency };
    const chosen = answer.outcome === 'as_below' ? ask({ ...facts, lastResult: 'none' }).outcome : answer.outcome;
    if (chosen === 'none') {
      const nextRecommendedDataAction = profile.nextRecommendedDataAction ?? measureAgain(question);
      return { ...common, outcome: 'blocked_insufficient_evidence', nextRecommendedDataAction };
    }
    const kept = chosen === 'covering' ? covering : null;
    const target = catalogue.byId.get(kept?.bundle_id ?? chosen);
    if (!target) throw new RangeError(`${answer.ruleId} recommends ${chosen}, which is not in the catalogue`);
    const { objectType } = target;
    return {
      ...common,
      outcome: 'recommended',
      bundle: target,
      objectType,
      covering: kept,
      ...deliveryOf(choices, question, answer, { target, covering: kept }),
    };
  }

  return { catalogue, choices, followsPlans, recommend };
}

const measureAgain = ({ anchorByOrf }: RecommendationQuestion): NextDataAction =>
  anchorByOrf ? 'administer_orf' : 'repeat_diagnostic';
