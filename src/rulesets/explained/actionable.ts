// What a school can act on: more answers, other answers, another session. The nearest change is told in these facts alone;
// that a child would be judged otherwise in another grade, or by another sub-skill's place in the catalogue, helps nobody.

/** `evidence`: follows from answers, items and sessions, or from support that was given. `fixed`: nobody can change it. */
type Sort = 'evidence' | 'fixed';

/** Every fact of every shipped table, by document; one that is not listed here is not proposed. */
export const factSorts: Readonly<Record<string, Readonly<Record<string, Sort>>>> = {
  'adr/adr': all('analysable', 'answered', 'attempt', 'correct', 'support', 'speed', 'errorClass'),
  'bnd/bnd': all('rawRate', 'okSideWins'),
  // The aim line comes from the norms of the grade.
  'cbm/trend': { ...all('monitoringPoints', 'lastBelow', 'slopeGap'), aimLine: 'fixed' },
  'cis/cis': all('sides', 'imbalance', 'authority', 'daysApart'),
  'ddr/ddr': {
    ...all('decided', 'broadWeak', 'gatewayWeak', 'coreWeak', 'coreWeakShare'),
    ...all('anyCaution', 'gatewayMonitor', 'anyMonitor'),
    anyContext: 'fixed',
  },
  'ddr-lc/ddr-lc': all('comprehension', 'decodingState', 'languageState'),
  'dsm/dsm': all('domainStatus', 'coverage'),
  'esc/esc': all(
    ...['domainStatus', 'gatewaySeverityKnown', 'gatewaySeverity', 'validEvidence', 'rawWeightedDeficitRate'],
  ),
  'pac/pac': {
    ...all('distinctItems', 'conflictState', 'deficitBand', 'patternState', 'sessionCount'),
    ...all('supportShare', 'slowShare', 'prereqShare', 'behaviourShare'),
  },
  'rbm/rbm': {
    ...all('served', 'answered', 'rapid', 'rapidShare', 'longestRapidStreak', 'longestPositionStreak'),
    ...all('longestAlternation', 'longestOmissionRun', 'omissionShare', 'pauses', 'longestPauseSec', 'totalPauseSec'),
    ...all('replayOveruseItems', 'slowShare', 'manyChangesItems', 'rightShareDrop'),
  },
  // What is known of the child from elsewhere, and the sub-skill's place in the catalogue.
  'ssr/ssr': {
    ...all('pacDecision', 'pacReason', 'coreWeakDomains', 'prereqConfirmedWeak', 'domainPeersWeak'),
    ...{ contextReview: 'fixed', gateway: 'fixed', accuracyIndicator: 'fixed' },
  },
  'subflag/subflag': all(
    ...['validOccurrences', 'sessions', 'linkedOccurrences', 'supportDelivered', 'occurrencesAfterSupport'],
  ),
};

function all(...facts: readonly string[]): Record<string, Sort> {
  return Object.fromEntries(facts.map((fact) => [fact, 'evidence']));
}

export const isActionable = (document: string, fact: string): boolean => factSorts[document]?.[fact] === 'evidence';
