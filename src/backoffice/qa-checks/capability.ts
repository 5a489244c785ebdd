// The administration of checks as a capability.
import type { Capability } from '#core/module/capability.ts';
import { qaCheckRoutes } from './routes.ts';

export const qaChecksCapability: Capability = { name: 'qa-checks', routes: qaCheckRoutes };
