// Decides whether the evidence suffices to act on (DSF). Recommendations and groups ask about evidence alone; the response to
// support is evaluated with decisions about tiers.
import { firstHit, type RuleBundle } from '#rules/rulesets/engine/index.ts';
import { listedFacts } from '../typed-facts.ts';
import {
  type FidelityGate,
  type ProfileCode,
  type Sufficiency,
  type SufficiencyReason,
  type SupportTier,
  sufficiencies,
  sufficiencyReasons,
} from '../vocabulary.ts';

export interface SufficiencyQuestion {
  readonly dndy: boolean;
  readonly profileCode: ProfileCode;
  /** A flag with the effect `review` was in force at the run. */
  readonly contextReview: boolean;
  readonly support?: {
    readonly gate: FidelityGate;
    readonly tier: SupportTier;
    readonly weeksInTier: number;
    readonly progress: 'unknown' | 'below' | 'mixed' | 'above';
  };
}

export interface SufficiencyAnswer {
  readonly ruleId: string;
  readonly dataSufficiency: Sufficiency;
  readonly reason: SufficiencyReason;
}

export const sufficiencyFacts = listedFacts({
  dndy: 'flag',
  dataIncomplete: 'flag',
  contextActive: 'flag',
  gate: 'word',
  tier: 'number',
  weeksInTier: 'number',
  progress: 'word',
});

const noSupport = { gate: 'not_applicable', tier: 1, weeksInTier: 0, progress: 'unknown' } as const;
/** The upper bound of the fact's domain. */
const mostWeeks = 40;

export function compileSufficiency(bundle: RuleBundle): (question: SufficiencyQuestion) => SufficiencyAnswer {
  const ask = firstHit(bundle.table('rti/data-sufficiency'), sufficiencyFacts, (answer) => ({
    ruleId: answer.ruleId,
    dataSufficiency: answer.word('outcome', sufficiencies),
    reason: answer.word('reason', sufficiencyReasons),
  }));
  return (question) => ask(sufficiencyAsked(question));
}

/** The facts are in the order of the table. */
export const sufficiencyAsked = ({ dndy, profileCode, contextReview, support = noSupport }: SufficiencyQuestion) => ({
  dndy,
  dataIncomplete: profileCode === 'DATA_INCOMPLETE',
  contextActive: contextReview || profileCode === 'CONTEXTUAL_REVIEW',
  gate: support.gate,
  tier: support.tier,
  weeksInTier: Math.min(support.weeksInTier, mostWeeks),
  progress: support.progress,
});
