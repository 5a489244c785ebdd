// What the registry of checks brings to the service: the checks in force, what they have found, and who is told of it.
import './services.ts';
import { type Capability, togetherJobs } from '#core/module/capability.ts';
import type { CapabilityJobs } from '#core/module/jobs.ts';
import { auditJobs } from './audit/jobs.ts';
import { catalogueOf } from './catalogue.ts';
import { documentSchemas } from './checks/document-schemas.ts';
import { checkFindings, readChecks } from './checks/read-checks.ts';
import { peopleProbes } from './probes/people.ts';
import { qaRoutes } from './routes.ts';
import { announceAlerts } from './routing/announce.ts';
import { runRuntimeChecks } from './runtime/run.ts';

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
  ...togetherJobs([auditJobs, runtimeJobs]),
  probes: peopleProbes,
  ruleFamilies: [{ family: 'qa', needsImpact: false, checkValues: checkFindings }],
  ruleReaders: [(bundle, capabilities) => void readChecks(bundle, catalogueOf(capabilities))],
};
