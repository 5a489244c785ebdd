// What live sessions bring to the service.
import type { Capability } from '#core/module/capability.ts';
import { answerRoutes } from './answers/routes.ts';
import { answersOfLiveSessions } from './answers/supported.ts';
import { auditedLiveSessions } from './audited.ts';
import { controlRoutes } from './control/routes.ts';
import { endingJobs } from './ending/jobs.ts';
import { liveMinutes } from './ending/minutes.ts';
import { eventRoutes } from './events/routes.ts';
import { groupRoutes } from './groups/routes.ts';
import { observationRoutes } from './observations/routes.ts';
import { ownItemRoutes } from './own-items/routes.ts';
import { liveSessionsSection } from './personal-data.ts';
import { pollRoutes } from './poll/routes.ts';
import { projectorRoutes } from './projector/routes.ts';
import { liveSessionRoutes } from './sessions/routes.ts';
import { summaryRoutes } from './summary/routes.ts';
import './services.ts';

export const liveSessionsCapability: Capability = {
  name: 'live-sessions',
  routes: [
    ...[...liveSessionRoutes, ...controlRoutes, ...groupRoutes, ...pollRoutes, ...eventRoutes],
    ...[...answerRoutes, ...observationRoutes, ...ownItemRoutes, ...projectorRoutes, ...summaryRoutes],
  ],
  ...endingJobs,
  personalData: [liveSessionsSection],
  retention: [{ table: 'live_client_event', until: 'expires_at' }],
  audited: auditedLiveSessions,
  sessionAnswers: answersOfLiveSessions,
  sessionMinutes: liveMinutes,
};
