// What the demo brings to the service.
import type { Capability } from '../kernel/capability.ts';
import { demoRoutes } from './routes.ts';

export const demoCapability: Capability = { name: 'demo', routes: demoRoutes };
