// What the registry of checks brings to the service: the checks in force, what they have found, and who is told of it.
import type { Capability } from '../kernel/capability.ts';
import { readChecks } from './checks/read-checks.ts';
import { qaRoutes } from './routes.ts';
import { announceAlerts } from './routing/announce.ts';

const announceEveryMs = 5_000;

export const qaCapability: Capability = {
  name: 'qa',
  routes: qaRoutes,
  schedules: [{ name: 'alert-announcements', everyMs: announceEveryMs, run: announceAlerts }],
  ruleFamilies: [{ family: 'qa', needsImpact: false }],
  ruleReaders: [readChecks],
};
