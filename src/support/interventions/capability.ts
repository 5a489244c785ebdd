// The capability value of profiles, bundles, groups and assignments.
import { type Capability, mergeJobs } from '#core/module/capability.ts';
import { assignmentEvents } from './assignments/events.ts';
import { assignmentJobs } from './assignments/jobs.ts';
import { assignmentRoutes } from './assignments/reads/routes.ts';
import { auditedSupport } from './audited.ts';
import { bundleRoutes } from './bundles/routes.ts';
import { clusteringRoutes } from './clustering/routes.ts';
import { deliveryRecorded } from './deliveries/events.ts';
import { expiryFindings } from './engine/assignments/check-expiry.ts';
import { factCategories } from './engine/fact-categories.ts';
import { supportExplainer } from './explain/explainer.ts';
import { narrativeRoutes } from './narratives/routes.ts';
import { seedNarratives } from './narratives/seed.ts';
import { assignmentNotices, assignmentNotificationKinds } from './notices.ts';
import { interventionsSection } from './personal-data.ts';
import { profileChanged } from './profiles/events.ts';
import { studentProfileRoutes } from './profiles/routes.ts';
import { bundleRecommendationRoutes } from './recommendations/routes.ts';
import { supportSinceRollOver } from './roll-over.ts';
import { documentSchemas } from './rules/document-schemas.ts';
import { readInterventionRules } from './rules/read-rules.ts';
import { interventionContracts } from './rules/value-contracts.ts';
import { profilesOfRuns } from './runs/follow-runs.ts';
import { supportSimulator } from './simulate/simulator.ts';
import { interventionTexts, narrativeTexts } from './texts.ts';
import { workflowRoutes } from './workflow/routes.ts';

const families = ['profile', 'cluster', 'fidelity'];

export const interventionsCapability: Capability = {
  name: 'interventions',
  documentSchemas,
  factCategories,
  routes: [
    ...studentProfileRoutes,
    ...bundleRecommendationRoutes,
    ...bundleRoutes,
    ...clusteringRoutes,
    ...assignmentRoutes,
    ...workflowRoutes,
    ...narrativeRoutes,
  ],
  seeds: [seedNarratives],
  events: [profileChanged, ...assignmentEvents, deliveryRecorded],
  ...mergeJobs([assignmentJobs, { reactions: assignmentNotices }]),
  notificationKinds: assignmentNotificationKinds,
  runProjections: [profilesOfRuns],
  personalData: [interventionsSection],
  retention: [
    { table: 'cluster_generation', until: 'expires_at' },
    { table: 'workflow_draft', until: 'expires_at' },
  ],
  audited: auditedSupport,
  rollOverGuard: supportSinceRollOver,
  explainers: [supportExplainer],
  ruleFamilies: [...families.map((family) => ({ family })), { family: 'bundle', checkValues: expiryFindings }],
  valueContracts: interventionContracts,
  ruleReaders: [readInterventionRules],
  simulators: [supportSimulator],
  texts: [interventionTexts],
  storedTexts: [narrativeTexts],
};
