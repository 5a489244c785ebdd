// What the start page brings to the service.
import type { Capability } from '../kernel/capability.ts';
import { homeRoutes } from './routes.ts';

export const homeCapability: Capability = { name: 'home', routes: homeRoutes };
