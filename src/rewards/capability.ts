// What praising children for growth brings to the service.
import type { Capability } from '../kernel/capability.ts';
import { auditedRewards } from './audited.ts';
import { rewardsSection } from './personal-data.ts';

export const rewardsCapability: Capability = {
  name: 'rewards',
  personalData: [rewardsSection],
  audited: auditedRewards,
};
