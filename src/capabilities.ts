// Everything that the service can do, one value for each folder that brings something: router, workers, archive of personal
// data, purge, validation of rules, explanations and the documentation of events derive from this list, and there is no other.
import { aggregatesCapability } from './aggregates/index.ts';
import { alertsCapability } from './alerts/index.ts';
import { auditCapability } from './audit/index.ts';
import { clientLogsCapability } from './client-logs/index.ts';
import { contentCapability } from './content/index.ts';
import { contextFlagsCapability } from './context-flags/index.ts';
import { decisionPacketsCapability } from './decision-packets/index.ts';
import { demoCapability } from './demo/index.ts';
import { errorPatternsCapability } from './error-patterns/index.ts';
import { fidelityCapability } from './fidelity/index.ts';
import { homeCapability } from './home/index.ts';
import { interventionsCapability } from './interventions/index.ts';
import type { Capability } from './kernel/capability.ts';
import { languageCapability } from './language/index.ts';
import { languageRulesCapability } from './language-rules/index.ts';
import { liveSessionsCapability } from './live-sessions/index.ts';
import { lmsCapability } from './lms/index.ts';
import { longJobsCapability } from './long-jobs/index.ts';
import { measurementCapability } from './measurement/index.ts';
import { notificationsCapability } from './notifications/index.ts';
import { operationsCapability } from './operations/index.ts';
import { parentsCapability } from './parents/index.ts';
import { peopleCapability } from './people/index.ts';
import { qaCapability } from './qa/index.ts';
import { qaChecksCapability } from './qa-checks/index.ts';
import { reportJobsCapability } from './report-jobs/index.ts';
import { reportsCapability } from './reports/index.ts';
import { rewardsCapability } from './rewards/index.ts';
import { rtiCapability } from './rti/index.ts';
import { securityEventsCapability } from './security-events/index.ts';
import { sessionBlueprintsCapability } from './session-blueprints/index.ts';
import { sessionsCapability } from './sessions/index.ts';
import { skillStatusCapability } from './skill-status/index.ts';
import { standardsCapability } from './standards/index.ts';
import { teaserCapability } from './teaser/index.ts';
import { workbenchCapability } from './workbench/index.ts';

/** In the order in which addresses are matched and personal data is told. */
export const capabilities: readonly Capability[] = [
  peopleCapability,
  auditCapability,
  securityEventsCapability,
  contextFlagsCapability,
  qaCapability,
  reportJobsCapability,
  notificationsCapability,
  clientLogsCapability,
  lmsCapability,
  measurementCapability,
  errorPatternsCapability,
  teaserCapability,
  skillStatusCapability,
  interventionsCapability,
  fidelityCapability,
  rtiCapability,
  decisionPacketsCapability,
  sessionBlueprintsCapability,
  sessionsCapability,
  liveSessionsCapability,
  aggregatesCapability,
  reportsCapability,
  rewardsCapability,
  parentsCapability,
  alertsCapability,
  longJobsCapability,
  languageCapability,
  workbenchCapability,
  languageRulesCapability,
  qaChecksCapability,
  standardsCapability,
  demoCapability,
  homeCapability,
  contentCapability,
  operationsCapability,
];
