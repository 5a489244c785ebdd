// What the administration of checks brings to the service.
import type { Capability } from '../kernel/capability.ts';
import { qaCheckRoutes } from './routes.ts';

export const qaChecksCapability: Capability = { name: 'qa-checks', routes: qaCheckRoutes };
