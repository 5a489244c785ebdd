// What session blueprints bring to the service.
import type { Capability } from '../kernel/capability.ts';
import { auditedBlueprints } from './audited.ts';

export const sessionBlueprintsCapability: Capability = {
  name: 'session-blueprints',
  audited: auditedBlueprints,
};
