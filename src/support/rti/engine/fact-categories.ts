// The facts of tiers, skill states and alerts that follow from evidence. Tiers and alerts are decided by people.
import { evidence, type FactCategories, fixed } from '#rules/rulesets/engine/index.ts';

export const factCategories: FactCategories = {
  'rti/data-sufficiency': {
    ...evidence('dndy', 'dataIncomplete', 'gate', 'weeksInTier', 'progress'),
    ...fixed('contextActive', 'tier'),
  },
  'rti/skill-state': { ...evidence('outcome', 'run', 'runDays', 'trend'), ...fixed('prior') },
  // Elapsed weeks are no evidence, and less delivery is no way to end an alert.
  'rti/alerts': {
    ...evidence('dndy', 'dataIncomplete', 'progress', 'broadCount', 'strongCount', 'severeTile', 'skillHit'),
    ...fixed('acuteDrop', 'acuteCbm', 'tier', 'weeksInTier', 'reviewWeeks', 'deliveredWeeks', 'gate'),
    ...fixed('quietIntensive', 'quietStudent', 'quietReview', 'quietSkill'),
  },
  'rti/tier-recommendation': {
    ...evidence('sufficiencyReason', 'anchorStrong', 'progress', 'strongCount', 'anchorMonitoring'),
    ...fixed('acuteOpen', 'acutePacket', 'tier', 'studentAlertOpen', 'intensiveOpen'),
  },
};
