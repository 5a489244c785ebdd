// Typed facts of CIS, BND, PAC and SSR.
import type { TypedFacts } from '#rules/rulesets/engine/index.ts';
import type { ConflictState, DeficitBand, PacDecision, PacReason, PatternState } from '../vocabulary.ts';

type CisFacts = {
  readonly sides: 'one_sided' | 'two_sided';
  readonly imbalance: number;
  readonly authority: boolean;
  readonly daysApart: number;
};

export const cisFacts: TypedFacts<CisFacts> = ({ word, number, flag }) => {
  const sides = word('sides');
  const imbalance = number('imbalance');
  const authority = flag('authority');
  const daysApart = number('daysApart');
  return (facts) =>
    sides(facts.sides) & imbalance(facts.imbalance) & authority(facts.authority) & daysApart(facts.daysApart);
};

export const bndFacts: TypedFacts<{ readonly rawRate: number; readonly okSideWins: boolean }> = ({ number, flag }) => {
  const rawRate = number('rawRate');
  const okSideWins = flag('okSideWins');
  return (facts) => rawRate(facts.rawRate) & okSideWins(facts.okSideWins);
};

export type PacFacts = {
  readonly distinctItems: number;
  readonly conflictState: ConflictState;
  readonly deficitBand: DeficitBand | 'unknown';
  readonly patternState: PatternState;
  readonly sessionCount: number;
  readonly supportShare: number;
  readonly slowShare: number;
  readonly prereqShare: number;
  readonly behaviourShare: number;
};

export const pacFacts: TypedFacts<PacFacts> = ({ word, number }) => {
  const distinctItems = number('distinctItems');
  const conflictState = word('conflictState');
  const deficitBand = word('deficitBand');
  const patternState = word('patternState');
  const sessionCount = number('sessionCount');
  const supportShare = number('supportShare');
  const slowShare = number('slowShare');
  const prereqShare = number('prereqShare');
  const behaviourShare = number('behaviourShare');
  return (facts) =>
    distinctItems(facts.distinctItems) &
    conflictState(facts.conflictState) &
    deficitBand(facts.deficitBand) &
    patternState(facts.patternState) &
    sessionCount(facts.sessionCount) &
    supportShare(facts.supportShare) &
    slowShare(facts.slowShare) &
    prereqShare(facts.prereqShare) &
    behaviourShare(facts.behaviourShare);
};

type SsrFacts = {
  readonly pacDecision: PacDecision;
  readonly pacReason: PacReason;
  readonly contextReview: boolean;
  readonly gateway: boolean;
  readonly accuracyIndicator: boolean;
  readonly coreWeakDomains: number;
  readonly prereqConfirmedWeak: boolean;
  readonly domainPeersWeak: boolean;
};

export const ssrFacts: TypedFacts<SsrFacts> = ({ word, number, flag }) => {
  const pacDecision = word('pacDecision');
  const pacReason = word('pacReason');
  const contextReview = flag('contextReview');
  const gateway = flag('gateway');
  const accuracyIndicator = flag('accuracyIndicator');
  const coreWeakDomains = number('coreWeakDomains');
  const prereqConfirmedWeak = flag('prereqConfirmedWeak');
  const domainPeersWeak = flag('domainPeersWeak');
  return (facts) =>
    pacDecision(facts.pacDecision) &
    pacReason(facts.pacReason) &
    contextReview(facts.contextReview) &
    gateway(facts.gateway) &
    accuracyIndicator(facts.accuracyIndicator) &
    coreWeakDomains(facts.coreWeakDomains) &
    prereqConfirmedWeak(facts.prereqConfirmedWeak) &
    domainPeersWeak(facts.domainPeersWeak);
};
