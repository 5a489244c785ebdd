// What tiers of support, states of skills, alerts and the decisions about them bring to the service.
import type { Capability } from '../kernel/capability.ts';
import { auditedTiers } from './audited.ts';
import { rtiSection } from './personal-data.ts';
import { reasonCodeRoutes } from './reason-codes/routes.ts';
import { readRtiRules } from './rules/read-rules.ts';
import { rtiWires } from './rules/wires.ts';

export const rtiCapability: Capability = {
  name: 'rti',
  routes: [...reasonCodeRoutes],
  personalData: [rtiSection],
  audited: auditedTiers,
  ruleWires: rtiWires,
  ruleReaders: [readRtiRules],
};
