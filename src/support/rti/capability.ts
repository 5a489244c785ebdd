// What tiers of support, states of skills, alerts and the decisions about them bring to the service.
import { type Capability, togetherJobs } from '#core/module/capability.ts';
import { alertRoutes } from './alerts/routes.ts';
import { auditedTiers } from './audited.ts';
import { boardRoutes } from './board/routes.ts';
import { decisionExplainer } from './decisions/again/explainer.ts';
import { decisionsOfRuns } from './decisions/again/of-runs.ts';
import { decisionRoutes } from './decisions/routes.ts';
import { factCategories } from './engine/fact-categories.ts';
import { evaluationJobs } from './evaluation/jobs.ts';
import { evaluationParked } from './evaluation/queue.ts';
import { rtiEvents } from './events.ts';
import { tierExplainer } from './explain/explainer.ts';
import { alertNotices, alertNotificationKinds } from './notices.ts';
import { rtiSection } from './personal-data.ts';
import { rtiProbes } from './qa.ts';
import { reasonCodeRoutes } from './reason-codes/routes.ts';
import { recommendationRoutes } from './recommendation/routes.ts';
import { documentSchemas } from './rules/document-schemas.ts';
import { readRtiRules } from './rules/read-rules.ts';
import { rtiContracts } from './rules/value-contracts.ts';
import { evaluationsOfRuns } from './runs/follow-runs.ts';
import { stateSimulator } from './simulate/state-simulator.ts';
import { tierSimulator } from './simulate/tier-simulator.ts';
import { statusRoutes } from './status/routes.ts';
import { tierStandings } from './tiers/standings.ts';

export const rtiCapability: Capability = {
  name: 'rti',
  documentSchemas,
  factCategories,
  probes: rtiProbes,
  routes: [
    ...statusRoutes,
    ...alertRoutes,
    ...recommendationRoutes,
    ...decisionRoutes,
    ...boardRoutes,
    ...reasonCodeRoutes,
  ],
  events: rtiEvents,
  alerts: [evaluationParked],
  ...togetherJobs([evaluationJobs, { reactions: alertNotices }]),
  notificationKinds: alertNotificationKinds,
  runProjections: [evaluationsOfRuns],
  runReplayers: [decisionsOfRuns],
  explainers: [decisionExplainer, tierExplainer],
  standings: tierStandings,
  personalData: [rtiSection],
  audited: auditedTiers,
  simulators: [stateSimulator, tierSimulator],
  valueContracts: rtiContracts,
  ruleReaders: [readRtiRules],
};
