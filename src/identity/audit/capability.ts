// What the record of administrative writes brings to the service.
import type { Capability } from '#core/module/capability.ts';
import { auditRoutes } from './routes.ts';

export const auditCapability: Capability = { name: 'audit', routes: auditRoutes };
