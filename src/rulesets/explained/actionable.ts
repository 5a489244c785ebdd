// What a school can act on: more answers, other answers, another session. The nearest change is told in these facts alone;
// that a child would be judged otherwise in another grade, or by another sub-skill's place in the catalogue, helps nobody.

/** `evidence`: follows from answers, items and sessions, or from support that was given. `fixed`: nobody can change it. */
type Sort = 'evidence' | 'fixed';

/** Every fact of every shipped table, by document; one that is not listed here is not proposed. */
export const factSorts: Readonly<Record<string, Readonly<Record<string, Sort>>>> = {
  ...interventionFacts(),
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
  'growth-trend/tile': all('halted', 'points', 'movement'),
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

/** Plans, alerts, tiers and what a bundle offers are decided by people; a circumstance is no child's to change. */
function interventionFacts(): Readonly<Record<string, Readonly<Record<string, Sort>>>> {
  return {
    'profile/resolution': {
      ...all('dndy', 'requiredMissing', 'compWeak', 'pattern', 'bottleneckRole', 'indicatorOnly'),
      ...all('broadCount', 'strongCount', 'strongPHON', 'strongLETTER', 'strongDECODE', 'strongFLUENCY'),
      ...all('strongLANGUAGE', 'strongCOMP', 'strongENCODE', 'anyWeakIsolated', 'anyCaution', 'anyWatch'),
      ...fixed('requiredContext'),
    },
    'profile/modifiers': {
      ...all('profileCode', 'indicatorWeak', 'anyCaution', 'optionalMissing', 'severeTile'),
      ...fixed('contextFlag'),
    },
    'bundle/recommendation': {
      ...all('dndy', 'profileCode', 'profileRuleId', 'awaitingMeasure', 'strongNeed', 'anchorRole'),
      ...fixed('acuteOpen', 'coveringOpen', 'lastResult', 'grade'),
    },
    'bundle/scaffold-tier': {
      ...all('anchorStatus', 'independentRate', 'independentRateKnown'),
      ...fixed('continueOpen'),
    },
    'bundle/delivery-mode': { ...all('scaffoldTier'), ...fixed('hasModes', 'tier', 'grade', 'selfPacedListed') },
    'bundle/step-progress': {
      ...all('dndy', 'plannedReached', 'doublePlannedReached', 'goalMet'),
      ...fixed('hasGoal'),
    },
    'bundle/track-status': { ...all('weeksWithoutDelivery', 'anyDelivery', 'rate', 'rateKnown'), ...fixed('active') },
    'bundle/session-recipient': { ...all('dndy', 'dataIncomplete'), ...fixed('acuteOpen', 'hasActive') },
    'bundle/blueprint-validation': fixed(
      ...['usable', 'stepFits', 'offered', 'targetsFit', 'segmentsFit', 'refsFit', 'optionsFit', 'goalStep'],
      ...['checkItems', 'textsSafe', 'codeUnique', 'samePublished', 'itemsOnTarget'],
    ),
    'cluster/smart-cluster': { ...all('dndy', 'dataIncomplete', 'recommendedNull'), ...fixed('acuteOpen') },
    'cluster/key-tier': { ...all('scaffoldTier'), ...fixed('teacherLed') },
    'rti/data-sufficiency': {
      ...all('dndy', 'dataIncomplete', 'gate', 'weeksInTier', 'progress'),
      ...fixed('contextActive', 'tier'),
    },
    'rti/skill-state': { ...all('outcome', 'run', 'runDays', 'trend'), ...fixed('prior') },
    // How many weeks went by is no evidence, and less delivery is no way out.
    'rti/alerts': {
      ...all('dndy', 'dataIncomplete', 'progress', 'broadCount', 'strongCount', 'severeTile', 'skillHit'),
      ...fixed('acuteDrop', 'acuteCbm', 'tier', 'weeksInTier', 'reviewWeeks', 'deliveredWeeks', 'gate'),
      ...fixed('quietIntensive', 'quietStudent', 'quietReview', 'quietSkill'),
    },
    'rti/tier-recommendation': {
      ...all('sufficiencyReason', 'anchorStrong', 'progress', 'strongCount', 'anchorMonitoring'),
      ...fixed('acuteOpen', 'acutePacket', 'tier', 'studentAlertOpen', 'intensiveOpen'),
    },
    'fidelity/gate': { ...all('thresholdReached'), ...fixed('gateType', 'planned') },
  };
}

function all(...facts: readonly string[]): Record<string, Sort> {
  return Object.fromEntries(facts.map((fact) => [fact, 'evidence']));
}

function fixed(...facts: readonly string[]): Record<string, Sort> {
  return Object.fromEntries(facts.map((fact) => [fact, 'fixed']));
}

export const isActionable = (document: string, fact: string): boolean => factSorts[document]?.[fact] === 'evidence';
