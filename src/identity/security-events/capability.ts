// What traces of accounts and personal data bring to the service.
import type { Capability } from '#core/module/capability.ts';
import { securityEventRoutes } from './routes.ts';

export const securityEventsCapability: Capability = {
  name: 'security-events',
  routes: securityEventRoutes,
  retention: [{ kind: 'securityEvents', table: 'security_event', since: 'at' }],
};
