// The demo capability.
import type { Capability } from '#core/module/capability.ts';
import { demoRoutes } from './routes.ts';

export const demoCapability: Capability = { name: 'demo', routes: demoRoutes };
