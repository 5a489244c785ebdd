// What live sessions bring to the service.
import type { Capability } from '../kernel/capability.ts';
import { auditedLiveSessions } from './audited.ts';
import { controlRoutes } from './control/routes.ts';
import { endingJobs } from './ending/jobs.ts';
import { eventRoutes } from './events/routes.ts';
import { groupRoutes } from './groups/routes.ts';
import { liveSessionsSection } from './personal-data.ts';
import { pollRoutes } from './poll/routes.ts';
import { liveSessionRoutes } from './sessions/routes.ts';
import './services.ts';

export const liveSessionsCapability: Capability = {
  name: 'live-sessions',
  routes: [...liveSessionRoutes, ...controlRoutes, ...groupRoutes, ...pollRoutes, ...eventRoutes],
  ...endingJobs,
  personalData: [liveSessionsSection],
  retention: [{ table: 'live_client_event', until: 'expires_at' }],
  audited: auditedLiveSessions,
};
