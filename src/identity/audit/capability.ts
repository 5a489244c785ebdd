// The capability that serves the record of administrative writes.
import type { Capability } from '#core/module/capability.ts';
import { auditRoutes } from './routes.ts';

export const auditCapability: Capability = { name: 'audit', routes: auditRoutes };
