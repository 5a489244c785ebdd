// What the administration of checks brings to the service.
import type { Capability } from '#core/module/capability.ts';
import { qaCheckRoutes } from './routes.ts';

export const qaChecksCapability: Capability = { name: 'qa-checks', routes: qaCheckRoutes };
