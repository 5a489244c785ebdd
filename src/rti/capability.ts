// What tiers of support, states of skills and alerts bring to the service.
import type { Capability } from '../kernel/capability.ts';
import { auditedTiers } from './audited.ts';
import { rtiSection } from './personal-data.ts';

export const rtiCapability: Capability = {
  name: 'rti',
  personalData: [rtiSection],
  audited: auditedTiers,
};
