// What measurement contributes to the service: diagnostics, practice, oral reading, warm-up, scoring, and evidence for
// the engine.
import { type Capability, mergeJobs } from '#core/module/capability.ts';
import { diagnosticJobs } from './diagnostics/jobs.ts';
import { diagnosticRoutes } from './diagnostics/routes.ts';
import { engineRoutes } from './engine-operations/routes.ts';
import { measurementEvents } from './events.ts';
import { diagnosticEvidence } from './evidence/diagnostics.ts';
import { orfEvidence } from './evidence/oral-reading.ts';
import { practiceEvidence } from './evidence/practice.ts';
import { factCategories } from './fluency/engine/fact-categories.ts';
import { trendExplainer } from './fluency/explain/explain-trend.ts';
import { fluencyRoutes } from './fluency/routes.ts';
import { signalNotices, signalNotificationKinds } from './fluency/trend/notices.ts';
import { measurementPersonalData } from './personal-data.ts';
import { practiceRoutes } from './practice/routes.ts';
import { measurementProbes } from './qa.ts';
import { readMeasurementRules } from './read-rules.ts';
import { evidenceSinceRollOver } from './roll-over.ts';
import { documentSchemas } from './scoring/document-schemas.ts';
import { voidRoutes } from './voids/routes.ts';
import { warmupRoutes } from './warmup/routes.ts';

export const measurementCapability: Capability = {
  name: 'measurement',
  documentSchemas,
  factCategories,
  probes: measurementProbes,
  routes: [...diagnosticRoutes, ...engineRoutes, ...practiceRoutes, ...fluencyRoutes, ...warmupRoutes, ...voidRoutes],
  evidenceReaders: [diagnosticEvidence, practiceEvidence, orfEvidence],
  events: measurementEvents,
  ...mergeJobs([diagnosticJobs, { reactions: [signalNotices] }]),
  notificationKinds: signalNotificationKinds,
  personalData: measurementPersonalData,
  ruleFamilies: [
    ...['scoring', 'cbm'].map((family) => ({ family })),
    { family: 'benchmark', needsOtherActivator: true },
  ],
  rollOverGuard: evidenceSinceRollOver,
  audited: {
    orf_mark: { id: 'assessment_id', fields: ['id', 'word_index', 'mark'] },
    evidence_void: { id: 'student_id', fields: ['id', 'kind', 'ref_id', 'reason_code', 'restored_at'] },
    cbm_probe: { id: 'student_id', fields: ['id', 'measure_code', 'administered_on', 'orf_assessment_id', 'score'] },
  },
  ruleReaders: [readMeasurementRules],
  explainers: [trendExplainer],
};
