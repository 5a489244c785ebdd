// Layers DDR and DSM: compute a domain's status, figures and tile value from its sub-skills.

import { ratio4 } from '#core/platform/pure/round.ts';
import type { DomainNode } from '#rules/catalogue/engine/index.ts';
import type { RuleBundle } from '#rules/rulesets/engine/index.ts';
import { firstHit } from '#rules/rulesets/engine/index.ts';
import type { Thresholds } from '../../../measurement/engine/index.ts';
import type { DecidedSubSkill, SubSkillEvaluation, Undecided } from '../skills/status.ts';
import {
  type HaltAction,
  type HaltReason,
  isWeak,
  type Modifier,
  type SkillStatus,
  skillStatuses,
} from '../vocabulary.ts';
import { type DomainFigures, domainFigures } from './figures.ts';
import { compileTileValue, type DomainTile } from './tile.ts';
import { ddrFacts } from './typed-facts.ts';

interface DomainBase {
  readonly domain: DomainNode;
  readonly ruleId: string;
  readonly figures: DomainFigures;
}
export interface DecidedDomain extends DomainBase {
  readonly outcome: 'decided';
  readonly status: SkillStatus;
  readonly tile: DomainTile;
  readonly modifiers: readonly Modifier[];
}
/** No sub-skill is decided and at least one is halted; reason and action are those of the first halted one. */
export interface HaltedDomain extends DomainBase {
  readonly outcome: 'do_not_decide_yet';
  readonly reason: HaltReason;
  readonly nextRecommendedDataAction: HaltAction;
}
export interface UnseenDomain extends DomainBase {
  readonly outcome: 'not_assessed' | 'not_in_scope';
}
export type DomainEvaluation = DecidedDomain | HaltedDomain | UnseenDomain;

/** `inScope` contains the evaluations of the domain's sub-skills in scope, in catalogue order. */
export type DomainLayer = (domain: DomainNode, inScope: readonly SubSkillEvaluation[]) => DomainEvaluation;

const accuracyOnly: Modifier = 'ARABIC_ACCURACY_ONLY_MONITOR';

export function compileDomainLayer(bundle: RuleBundle, thresholds: Thresholds): DomainLayer {
  const statusOf = firstHit(bundle.table('ddr/ddr'), ddrFacts, (answer) => ({
    ruleId: answer.ruleId,
    status: answer.word('outcome', [...skillStatuses, 'undecided']),
  }));
  const tileOf = compileTileValue(bundle);
  return (domain, inScope) => {
    const decided = inScope.filter((evaluation) => evaluation.outcome === 'decided');
    const { ruleId, status } = statusOf(domainFacts(inScope, decided));
    const figures = domainFigures(inScope.length, decided, thresholds);
    if (status === 'undecided') return withoutStatus({ domain, ruleId, figures }, inScope);
    const modifiers = isAccuracyOnly(status, decided) ? [accuracyOnly] : [];
    return { domain, ruleId, figures, outcome: 'decided', status, tile: tileOf(status, figures), modifiers };
  };
}

function domainFacts(inScope: readonly SubSkillEvaluation[], decided: readonly DecidedSubSkill[]) {
  let core = 0;
  for (const { subSkill } of inScope) if (!subSkill.accuracyIndicator) core += 1;
  const facts = {
    decided: decided.length,
    anyContext: false,
    broadWeak: false,
    gatewayWeak: false,
    coreWeak: 0,
    coreWeakShare: 0,
    anyCaution: false,
    gatewayMonitor: false,
    anyMonitor: false,
  };
  for (const { status, subSkill } of decided) {
    facts.anyContext ||= status === 'contextual_review';
    facts.anyMonitor ||= status === 'monitor' || (subSkill.accuracyIndicator && status === 'weak_isolated');
    if (subSkill.accuracyIndicator) continue;
    if (isWeak(status)) facts.coreWeak += 1;
    facts.broadWeak ||= status === 'broad_weakness_related';
    facts.gatewayWeak ||= status === 'weak_gateway';
    facts.anyCaution ||= status === 'cautionary_weakness_with_metadata';
    facts.gatewayMonitor ||= status === 'monitor_gateway';
  }
  if (facts.coreWeak > 0) facts.coreWeakShare = ratio4(facts.coreWeak, core);
  return facts;
}

function withoutStatus(base: DomainBase, inScope: readonly SubSkillEvaluation[]): HaltedDomain | UnseenDomain {
  const halted = inScope.find((evaluation): evaluation is Undecided => evaluation.outcome === 'do_not_decide_yet');
  if (!halted) return { ...base, outcome: inScope.length === 0 ? 'not_in_scope' : 'not_assessed' };
  const { pacReason: reason, nextRecommendedDataAction } = halted;
  return { ...base, outcome: 'do_not_decide_yet', reason, nextRecommendedDataAction };
}

/**
 * Returns whether the domain is monitored only because of marks: an accuracy indicator is weak, and no core sub-skill
 * is monitored.
 */
function isAccuracyOnly(status: SkillStatus, decided: readonly DecidedSubSkill[]): boolean {
  if (status !== 'monitor') return false;
  return (
    decided.some((one) => one.subSkill.accuracyIndicator && one.status === 'weak_isolated') &&
    !decided.some((one) => !one.subSkill.accuracyIndicator && one.status === 'monitor')
  );
}
