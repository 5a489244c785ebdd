// The categories of the facts of the five layers and of RBM and SUBFLAG.
import { evidence, type FactCategories, fixed } from '#rules/rulesets/engine/index.ts';

export const factCategories: FactCategories = {
  'adr/adr': evidence('analysable', 'answered', 'attempt', 'correct', 'support', 'speed', 'errorClass'),
  'bnd/bnd': evidence('rawRate', 'okSideWins'),
  'cis/cis': evidence('sides', 'imbalance', 'authority', 'daysApart'),
  'ddr/ddr': {
    ...evidence('decided', 'broadWeak', 'gatewayWeak', 'coreWeak', 'coreWeakShare'),
    ...evidence('anyCaution', 'gatewayMonitor', 'anyMonitor'),
    anyContext: 'fixed',
  },
  'ddr-lc/ddr-lc': evidence('comprehension', 'decodingState', 'languageState'),
  'dsm/dsm': evidence('domainStatus', 'coverage'),
  'esc/esc': evidence(
    ...['domainStatus', 'gatewaySeverityKnown', 'gatewaySeverity', 'validEvidence', 'rawWeightedDeficitRate'],
  ),
  'pac/pac': {
    ...evidence('distinctItems', 'conflictState', 'deficitBand', 'patternState', 'sessionCount'),
    ...evidence('supportShare', 'slowShare', 'prereqShare', 'behaviourShare'),
  },
  'rbm/rbm': {
    ...evidence('served', 'answered', 'rapid', 'rapidShare', 'longestRapidStreak', 'longestPositionStreak'),
    ...evidence(
      'longestAlternation',
      'longestOmissionRun',
      'omissionShare',
      'pauses',
      'longestPauseSec',
      'totalPauseSec',
    ),
    ...evidence('replayOveruseItems', 'slowShare', 'manyChangesItems', 'rightShareDrop'),
  },
  // Fixed facts: the child's context, the sub-skill's position in the catalogue, and the answer of the layer before.
  'ssr/ssr': {
    ...evidence('coreWeakDomains', 'prereqConfirmedWeak', 'domainPeersWeak'),
    ...fixed('pacDecision', 'pacReason', 'contextReview', 'gateway', 'accuracyIndicator'),
  },
  'subflag/subflag': evidence(
    ...['validOccurrences', 'sessions', 'linkedOccurrences', 'supportDelivered', 'occurrencesAfterSupport'],
  ),
};
