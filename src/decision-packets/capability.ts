// What the data room and decision packets bring to the service.
import type { Capability } from '../kernel/capability.ts';
import { auditedPackets } from './audited.ts';
import { packetsSection } from './personal-data.ts';

export const decisionPacketsCapability: Capability = {
  name: 'decision-packets',
  personalData: [packetsSection],
  audited: auditedPackets,
};
