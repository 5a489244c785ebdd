// The rewards capability: ledgers of growth, badges, celebrations and leaderboards.
import type { Capability } from '#core/module/capability.ts';
import { rewardAuditRoutes } from './audit/routes.ts';
import { auditedRewards } from './audited.ts';
import { celebrationRoutes } from './celebrations/routes.ts';
import { masteryParked } from './emission/failures.ts';
import { emissionJobs } from './emission/jobs.ts';
import { rewardFindings } from './engine/check-document.ts';
import { documentSchemas } from './engine/document-schemas.ts';
import { rewardRules } from './engine/rules.ts';
import { rewardsExplainer } from './explain/explainer.ts';
import { rewardsSection } from './personal-data.ts';
import { rewardProbes } from './qa.ts';
import { rewardReadRoutes } from './reads/routes.ts';
import { rescindRoutes } from './rescind/routes.ts';
import { rewardSimulator } from './simulate/simulator.ts';
import { retiredBadgeTexts, rewardTexts } from './texts.ts';

export const rewardsCapability: Capability = {
  name: 'rewards',
  documentSchemas,
  probes: rewardProbes,
  alerts: [masteryParked],
  ...emissionJobs,
  routes: [...rewardAuditRoutes, ...rewardReadRoutes, ...celebrationRoutes, ...rescindRoutes],
  ruleFamilies: [{ family: 'gamification', checkValues: rewardFindings }],
  ruleReaders: [rewardRules],
  simulators: [rewardSimulator],
  explainers: [rewardsExplainer],
  texts: [rewardTexts],
  storedTexts: [retiredBadgeTexts],
  personalData: [rewardsSection],
  audited: auditedRewards,
};
