// The capability value of tiers, skill states, alerts and decisions.
import { type Capability, mergeJobs } from '#core/module/capability.ts';
import { alertRoutes } from './alerts/routes.ts';
import { auditedTiers } from './audited.ts';
import { boardRoutes } from './board/routes.ts';
import { decisionExplainer } from './decisions/replay/explainer.ts';
import { decisionsOfRuns } from './decisions/replay/replay-runs.ts';
import { decisionRoutes } from './decisions/routes.ts';
import { dueFindings } from './engine/due/check-document.ts';
import { factCategories } from './engine/fact-categories.ts';
import { evaluationJobs } from './evaluation/jobs.ts';
import { evaluationParked } from './evaluation/queue.ts';
import { rtiEvents } from './events.ts';
import { tierExplainer } from './explain/explainer.ts';
import { alertNotices, alertNotificationKinds } from './notices.ts';
import { rtiSection } from './personal-data.ts';
import { rtiProbes } from './qa.ts';
import { reasonCodeRoutes } from './reason-codes/routes.ts';
import { tierRecommendationRoutes } from './recommendation/routes.ts';
import { readRtiRules } from './rules/compiled.ts';
import { documentSchemas } from './rules/document-schemas.ts';
import { rtiContracts } from './rules/value-contracts.ts';
import { evaluationsOfRuns } from './runs/follow-runs.ts';
import { dueSimulator } from './simulate/due-simulator.ts';
import { stateSimulator } from './simulate/state-simulator.ts';
import { tierSimulator } from './simulate/tier-simulator.ts';
import { statusRoutes } from './status/routes.ts';
import { readStudentTiers } from './tiers/student-tiers.ts';

export const rtiCapability: Capability = {
  name: 'rti',
  documentSchemas,
  factCategories,
  probes: rtiProbes,
  rollOverGuard: {
    decisions: [
      `select student_id from rti_decision where organization_id = :organizationId
         and student_id = any(:studentIds::bigint[]) and committed_at >= :since::timestamptz`,
    ],
  },
  routes: [
    ...statusRoutes,
    ...alertRoutes,
    ...tierRecommendationRoutes,
    ...decisionRoutes,
    ...boardRoutes,
    ...reasonCodeRoutes,
  ],
  events: rtiEvents,
  alerts: [evaluationParked],
  ...mergeJobs([evaluationJobs, { reactions: alertNotices }]),
  notificationKinds: alertNotificationKinds,
  runProjections: [evaluationsOfRuns],
  runReplayers: [decisionsOfRuns],
  explainers: [decisionExplainer, tierExplainer],
  studentTiers: readStudentTiers,
  personalData: [rtiSection],
  audited: auditedTiers,
  simulators: [stateSimulator, tierSimulator, dueSimulator],
  valueContracts: rtiContracts,
  ruleFamilies: [{ family: 'rti', checkValues: dueFindings }],
  ruleReaders: [readRtiRules],
};
