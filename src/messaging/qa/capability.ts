// The capability value of the registry of checks: checks in force, their findings and alerts.
import './services.ts';
import { type Capability, mergeJobs } from '#core/module/capability.ts';
import type { CapabilityJobs } from '#core/module/jobs.ts';
import { announceAlerts } from './announce-alerts.ts';
import { auditJobs } from './audit/jobs.ts';
import { catalogueOf } from './catalogue.ts';
import { documentSchemas } from './checks/document-schemas.ts';
import { checkFindings, readChecks } from './checks/read-checks.ts';
import { peopleProbes } from './probes/people.ts';
import { qaRoutes } from './routes.ts';
import { runRuntimeChecks } from './runtime-checks.ts';

const announceEveryMs = 5_000;
const runtimeEveryMs = 60_000;

const runtimeJobs: CapabilityJobs = {
  schedules: [
    { name: 'alert-announcements', everyMs: announceEveryMs, run: announceAlerts },
    { name: 'qa-runtime-checks', everyMs: runtimeEveryMs, run: runRuntimeChecks },
  ],
};

export const qaCapability: Capability = {
  name: 'qa',
  documentSchemas,
  routes: qaRoutes,
  ...mergeJobs([auditJobs, runtimeJobs]),
  probes: peopleProbes,
  ruleFamilies: [{ family: 'qa', checkValues: checkFindings }],
  ruleReaders: [(bundle, capabilities) => void readChecks(bundle, catalogueOf(capabilities))],
};
