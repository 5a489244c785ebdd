// Layer DDR-LC: why reading comprehension is weak, in the simple view of reading (Gough & Tunmer 1986).
import type { RuleBundle } from '#rules/rulesets/engine/index.ts';
import { firstHit } from '#rules/rulesets/engine/index.ts';
import {
  type CompPattern,
  type CompRoutingHint,
  type ComprehensionAction,
  compPatterns,
  type FactorState,
  isWeak,
  routingHints,
  type SkillStatus,
} from '../vocabulary.ts';
import { ddrLcFacts } from './typed-facts.ts';

export interface Comprehension {
  /** Null when the table was not asked, because comprehension is undecided or not weak. */
  readonly ruleId: string | null;
  readonly pattern: CompPattern | null;
  readonly compRoutingHint: CompRoutingHint;
  readonly decodingState: FactorState;
  readonly languageState: FactorState;
  readonly nextRecommendedDataAction: ComprehensionAction | null;
}

/** What the layer reads of a domain. */
export interface ComprehensionDomain {
  readonly domain: { readonly code: string };
  readonly outcome: string;
  /** Of a decided domain. */
  readonly status?: SkillStatus;
}

export type ComprehensionLayer = (domains: readonly ComprehensionDomain[]) => Comprehension;

export function compileComprehension(bundle: RuleBundle): ComprehensionLayer {
  const patternOf = firstHit(bundle.table('ddr-lc/ddr-lc'), ddrLcFacts, (answer) => ({
    ruleId: answer.ruleId,
    pattern: answer.word('outcome', compPatterns),
    compRoutingHint: answer.word('compRoutingHint', routingHints),
  }));
  return (domains) => {
    const statusOf = statuses(domains);
    const decodingState = factorState(['LK', 'DEC', 'FLU'], 'DEC', statusOf);
    const languageState = factorState(['LIS', 'VOC'], 'LIS', statusOf);
    const status = statusOf('RC');
    if (status === null) {
      const nextRecommendedDataAction = 'assess_comprehension';
      const compRoutingHint = 'collect_more_data';
      return { ...unasked, compRoutingHint, decodingState, languageState, nextRecommendedDataAction };
    }
    if (!isWeak(status) && !isDoubtful(status)) return { ...unasked, decodingState, languageState };
    const comprehension = isDoubtful(status) ? 'doubtful' : 'weak';
    const answer = patternOf({ comprehension, decodingState, languageState });
    const inconclusive = answer.pattern === 'inconclusive_needs_more_data';
    const nextRecommendedDataAction = inconclusive ? missingData(status, decodingState) : null;
    return { ...answer, decodingState, languageState, nextRecommendedDataAction };
  };
}

const unasked = { ruleId: null, pattern: null, compRoutingHint: 'none', nextRecommendedDataAction: null } as const;

type StatusOfDomain = (code: string) => SkillStatus | null;

const statuses =
  (domains: readonly ComprehensionDomain[]): StatusOfDomain =>
  (code) => {
    const found = domains.find(({ domain }) => domain.code === code);
    return found?.outcome === 'decided' ? (found.status ?? null) : null;
  };

/**
 * Returns the factor's state: weak with one weak domain; ok only when its main domain has a status that is not
 * doubtful.
 */
function factorState(domains: readonly string[], main: string, statusOf: StatusOfDomain): FactorState {
  for (const code of domains) {
    const status = statusOf(code);
    if (status !== null && isWeak(status)) return 'weak';
  }
  const status = statusOf(main);
  return status === null || isDoubtful(status) ? 'unknown' : 'ok';
}

const isDoubtful = (status: SkillStatus): boolean =>
  status === 'cautionary_weakness_with_metadata' || status === 'contextual_review';

function missingData(status: SkillStatus, decodingState: FactorState): ComprehensionAction {
  if (status === 'contextual_review') return 'review_context';
  if (status === 'cautionary_weakness_with_metadata') return 'repeat_diagnostic';
  return decodingState === 'unknown' ? 'assess_decoding' : 'assess_listening';
}
