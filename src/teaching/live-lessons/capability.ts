// The capability of live lessons.
import type { Capability } from '#core/module/capability.ts';
import { answersOfLiveLessons } from './answers/lesson-answers.ts';
import { answerRoutes } from './answers/routes.ts';
import { auditedLiveLessons } from './audited.ts';
import { controlRoutes } from './control/routes.ts';
import { endingJobs } from './ending/jobs.ts';
import { liveMinutes } from './ending/minutes.ts';
import { targetsOfLiveLessons } from './ending/targets.ts';
import { eventRoutes } from './events/routes.ts';
import { groupRoutes } from './groups/routes.ts';
import { liveLessonRoutes } from './lessons/routes.ts';
import { observationRoutes } from './observations/routes.ts';
import { ownItemRoutes } from './own-items/routes.ts';
import { liveLessonsSection } from './personal-data.ts';
import { pollRoutes } from './poll/routes.ts';
import { projectorRoutes } from './projector/routes.ts';
import { summaryRoutes } from './summary/routes.ts';
import './services.ts';

export const liveLessonsCapability: Capability = {
  name: 'live-sessions',
  rollOverGuard: { usesOfClasses: ['live_session'] },
  routes: [
    ...liveLessonRoutes,
    ...controlRoutes,
    ...groupRoutes,
    ...pollRoutes,
    ...eventRoutes,
    ...answerRoutes,
    ...observationRoutes,
    ...ownItemRoutes,
    ...projectorRoutes,
    ...summaryRoutes,
  ],
  ...endingJobs,
  personalData: [liveLessonsSection],
  retention: [{ table: 'live_client_event', until: 'expires_at' }],
  audited: auditedLiveLessons,
  sessionAnswers: answersOfLiveLessons,
  sessionMinutes: liveMinutes,
  sessionTargets: targetsOfLiveLessons,
};
