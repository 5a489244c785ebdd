// The list of all capabilities. Router, workers, personal data archive, purge, rule validation, explanations and the
// documentation of events derive from it.

import { contentCapability } from '#assessment/content/index.ts';
import { errorPatternsCapability } from '#assessment/error-patterns/index.ts';
import { measurementCapability } from '#assessment/measurement/index.ts';
import { skillStatusCapability } from '#assessment/skill-status/index.ts';
import { teaserCapability } from '#assessment/teaser/index.ts';
import { alertsCapability } from '#backoffice/alerts/index.ts';
import { languageRulesCapability } from '#backoffice/language-rules/index.ts';
import { operationsCapability } from '#backoffice/operations/index.ts';
import { qaChecksCapability } from '#backoffice/qa-checks/index.ts';
import { standardsCapability } from '#backoffice/standards/index.ts';
import { workbenchCapability } from '#backoffice/workbench/index.ts';
import { longJobsCapability } from '#core/long-jobs/index.ts';
import type { Capability } from '#core/module/capability.ts';
import { auditCapability } from '#identity/audit/index.ts';
import { clientLogsCapability } from '#identity/client-logs/index.ts';
import { contextFlagsCapability } from '#identity/context-flags/index.ts';
import { peopleCapability } from '#identity/people/index.ts';
import { securityEventsCapability } from '#identity/security-events/index.ts';
import { lmsCapability } from '#integrations/lms/index.ts';
import { reportJobsCapability } from '#messaging/documents/index.ts';
import { notificationsCapability } from '#messaging/notifications/index.ts';
import { qaCapability } from '#messaging/qa/index.ts';
import { aggregatesCapability } from '#outcomes/aggregates/index.ts';
import { parentsCapability } from '#outcomes/parents/index.ts';
import { reportsCapability } from '#outcomes/reports/index.ts';
import { rewardsCapability } from '#outcomes/rewards/index.ts';
import { catalogueCapability } from '#rules/catalogue/index.ts';
import { languageCapability } from '#rules/language/index.ts';
import { decisionPacketsCapability } from '#support/decision-packets/index.ts';
import { fidelityCapability } from '#support/fidelity/index.ts';
import { interventionsCapability } from '#support/interventions/index.ts';
import { rtiCapability } from '#support/rti/index.ts';
import { studentMergesCapability } from '#support/student-merges/index.ts';
import { lessonBlueprintsCapability } from '#teaching/lesson-blueprints/index.ts';
import { lessonsCapability } from '#teaching/lessons/index.ts';
import { liveLessonsCapability } from '#teaching/live-lessons/index.ts';
import { demoCapability } from './demo/index.ts';
import { homeCapability } from './home/index.ts';

/** In the order of route matching and of personal data archives. */
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
  studentMergesCapability,
  lessonBlueprintsCapability,
  lessonsCapability,
  liveLessonsCapability,
  aggregatesCapability,
  reportsCapability,
  rewardsCapability,
  parentsCapability,
  alertsCapability,
  longJobsCapability,
  languageCapability,
  catalogueCapability,
  workbenchCapability,
  languageRulesCapability,
  qaChecksCapability,
  standardsCapability,
  demoCapability,
  homeCapability,
  contentCapability,
  operationsCapability,
];
