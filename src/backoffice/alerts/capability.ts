// The alert log as a capability: a class's teachers read it.
import type { Capability } from '#core/module/capability.ts';
import { platformAlertRoutes } from './routes.ts';

export const alertsCapability: Capability = { name: 'alerts', routes: platformAlertRoutes };
