// What tiers of support, states of skills, alerts and the decisions about them bring to the service.
import type { Capability } from '../kernel/capability.ts';
import { alertRoutes } from './alerts/routes.ts';
import { auditedTiers } from './audited.ts';
import { evaluationParked } from './evaluation/failures.ts';
import { evaluationsOfRuns } from './evaluation/follow-runs.ts';
import { evaluationJobs } from './evaluation/jobs.ts';
import { rtiEvents } from './events.ts';
import { rtiSection } from './personal-data.ts';
import { reasonCodeRoutes } from './reason-codes/routes.ts';
import { readRtiRules } from './rules/read-rules.ts';
import { rtiWires } from './rules/wires.ts';
import { statusRoutes } from './status/routes.ts';
import { tierStandings } from './tiers/standings.ts';

export const rtiCapability: Capability = {
  name: 'rti',
  routes: [...statusRoutes, ...alertRoutes, ...reasonCodeRoutes],
  events: rtiEvents,
  alerts: [evaluationParked],
  ...evaluationJobs,
  runFollowers: [evaluationsOfRuns],
  standings: tierStandings,
  personalData: [rtiSection],
  audited: auditedTiers,
  ruleWires: rtiWires,
  ruleReaders: [readRtiRules],
};
