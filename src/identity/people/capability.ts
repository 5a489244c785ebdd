// What people bring to the service: accounts, sessions, organizations, classes, students.
import type { Capability } from '#core/module/capability.ts';
import { auditedPeople } from './audited.ts';
import { studentEnrollmentChanged, studentGradeChanged } from './classes/events.ts';
import { googleRoutes } from './google/routes.ts';
import { calendarChanged } from './organizations/events.ts';
import { personalDataRoutes } from './personal-data/routes.ts';
import { identitySection } from './personal-data/sections.ts';
import { quickCodeRoutes } from './quick-codes/routes.ts';
import { sheetTexts } from './quick-codes/texts.ts';
import { tenancyRoutes } from './routes.ts';
import { secondFactorRoutes } from './second-factor/routes.ts';
import { identityJobs } from './sign-in/jobs.ts';
import { signInRoutes } from './sign-in/routes.ts';

/** A session ends by a word or by its time. Its refresh tokens leave first: they refer to it. */
const sessionEnd = 'least(revoked_at, expires_at)';

export const peopleCapability: Capability = {
  name: 'people',
  routes: [
    ...signInRoutes,
    ...quickCodeRoutes,
    ...googleRoutes,
    ...personalDataRoutes,
    ...secondFactorRoutes,
    ...tenancyRoutes,
  ],
  events: [studentGradeChanged, studentEnrollmentChanged, calendarChanged],
  ...identityJobs,
  personalData: [identitySection],
  audited: auditedPeople,
  texts: [sheetTexts],
  retention: [
    {
      kind: 'endedSessions',
      table: 'refresh_token',
      since: `(select ${sessionEnd} from auth_session s where s.id = refresh_token.session_id)`,
    },
    { kind: 'endedSessions', table: 'auth_session', since: sessionEnd },
  ],
};
