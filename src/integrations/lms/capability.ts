// The capability of roster imports from learning platforms.
import { type Capability, mergeJobs } from '#core/module/capability.ts';
import { reencryptionJob } from '#core/module/reencryption.ts';
import { commitRoutes } from './commit/routes.ts';
import { connectionTestRoute } from './connect/test-route.ts';
import { tokenRoute } from './connect/token-route.ts';
import { connectionRoutes } from './connections/routes.ts';
import { courseRoutes } from './courses/routes.ts';
import { csvSource } from './csv/read.ts';
import { setKeptDays } from './csv/whole.ts';
import { previewRequested, syncRequested } from './events.ts';
import { oauthRoutes } from './oauth/routes.ts';
import { forgetRosterPerson, rosterSection } from './personal-data/forget.ts';
import { previewRoutes } from './preview/routes.ts';
import { sealedCredentials } from './providers/credentials.ts';
import { classroomSource } from './providers/google/source.ts';
import { restSource } from './providers/oneroster/source.ts';
import { lmsProbes } from './qa.ts';
import { changesKeptDays } from './runs/changes.ts';
import { runRoutes } from './runs/routes.ts';
import { syncNowRoute } from './scheduled/routes.ts';
import { rosterJobs } from './turns/jobs.ts';

export const lmsCapability: Capability = {
  name: 'lms',
  probes: lmsProbes,
  rollOverGuard: { usesOfClasses: ['lms_enrollment', 'lms_mapping'] },
  routes: [
    ...connectionRoutes,
    connectionTestRoute,
    tokenRoute,
    ...oauthRoutes,
    ...courseRoutes,
    ...previewRoutes,
    ...commitRoutes,
    ...runRoutes,
    syncNowRoute,
  ],
  events: [previewRequested, syncRequested],
  ...mergeJobs([rosterJobs, { daily: [reencryptionJob('lms-credentials-sealing', sealedCredentials)] }]),
  rosterSources: [csvSource, restSource, classroomSource],
  retention: [
    { table: 'lms_oauth_state', until: 'expires_at' },
    { table: 'lms_preview', until: "created_at + interval '30 days'" },
    { table: 'lms_source_row', until: `stored_at + interval '${setKeptDays} days'` },
    { table: 'lms_change', until: `changed_at + interval '${changesKeptDays} days'` },
    // Only pending connections have this time.
    { table: 'lms_connection', until: 'expires_at' },
  ],
  personalData: [rosterSection],
  forgetsAccounts: [forgetRosterPerson],
  audited: {
    lms_connection: { id: 'id', fields: ['provider', 'kind', 'status'] },
    lms_preview: { id: 'id', fields: ['provider', 'state'] },
    lms_mapping: { id: 'class_id', fields: ['provider'] },
  },
};
