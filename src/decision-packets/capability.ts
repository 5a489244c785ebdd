// What the data room and decision packets bring to the service.
import type { Capability } from '../kernel/capability.ts';
import { auditedPackets } from './audited.ts';
import { evidenceRoutes } from './evidence/routes.ts';
import { packetsSection } from './personal-data.ts';

export const decisionPacketsCapability: Capability = {
  name: 'decision-packets',
  routes: [...evidenceRoutes],
  personalData: [packetsSection],
  audited: auditedPackets,
};
