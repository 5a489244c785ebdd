// What live sessions bring to the service.
import type { Capability } from '../kernel/capability.ts';
import { auditedLiveSessions } from './audited.ts';
import { liveSessionsSection } from './personal-data.ts';

export const liveSessionsCapability: Capability = {
  name: 'live-sessions',
  personalData: [liveSessionsSection],
  retention: [{ table: 'live_client_event', until: 'expires_at' }],
  audited: auditedLiveSessions,
};
