// The facts of profiles, assignments and groups that follow from answers or from delivered support. Assignments, alerts, tiers
// and the catalogue are decided by people; circumstances cannot be changed by a child.
import { evidence, type FactCategories, fixed } from '#rules/rulesets/engine/index.ts';

export const factCategories: FactCategories = {
  'profile/resolution': {
    ...evidence('dndy', 'requiredMissing', 'compWeak', 'pattern', 'bottleneckRole', 'indicatorOnly'),
    ...evidence('broadCount', 'strongCount', 'strongPHON', 'strongLETTER', 'strongDECODE', 'strongFLUENCY'),
    ...evidence('strongLANGUAGE', 'strongCOMP', 'strongENCODE', 'anyWeakIsolated', 'anyCaution', 'anyWatch'),
    ...fixed('requiredContext'),
  },
  'profile/modifiers': {
    ...evidence('profileCode', 'indicatorWeak', 'anyCaution', 'optionalMissing', 'severeTile'),
    ...fixed('contextFlag'),
  },
  'bundle/recommendation': {
    ...evidence('dndy', 'profileCode', 'profileRuleId', 'awaitingMeasure', 'strongNeed', 'anchorRole'),
    ...fixed('acuteOpen', 'coveringOpen', 'tierRose', 'lastResult', 'grade'),
  },
  'bundle/scaffold-tier': {
    ...evidence('anchorStatus', 'independentRate', 'independentRateKnown'),
    ...fixed('continueOpen'),
  },
  'bundle/delivery-mode': { ...evidence('scaffoldTier'), ...fixed('hasModes', 'tier', 'grade', 'selfPacedListed') },
  'bundle/step-progress': {
    ...evidence('dndy', 'plannedReached', 'doublePlannedReached', 'goalMet'),
    ...fixed('hasGoal'),
  },
  'bundle/track-status': {
    ...evidence('weeksWithoutDelivery', 'anyDelivery', 'rate', 'rateKnown'),
    ...fixed('active'),
  },
  'bundle/session-recipient': { ...evidence('dndy', 'dataIncomplete'), ...fixed('acuteOpen', 'hasActive') },
  'bundle/blueprint-validation': fixed(
    ...['usable', 'stepFits', 'offered', 'targetsFit', 'segmentsFit', 'refsFit', 'optionsFit', 'goalStep'],
    ...['checkItems', 'textsSafe', 'codeUnique', 'samePublished', 'itemsOnTarget'],
  ),
  'cluster/smart-cluster': { ...evidence('dndy', 'dataIncomplete', 'recommendedNull'), ...fixed('acuteOpen') },
  'cluster/key-tier': { ...evidence('scaffoldTier'), ...fixed('teacherLed') },
};
