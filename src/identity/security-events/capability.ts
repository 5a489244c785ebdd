// The capability that records security events about accounts and personal data.
import type { Capability } from '#core/module/capability.ts';
import { securityEventRoutes } from './routes.ts';

export const securityEventsCapability: Capability = {
  name: 'security-events',
  routes: securityEventRoutes,
  retention: [{ kind: 'securityEvents', table: 'security_event', since: 'at' }],
};
