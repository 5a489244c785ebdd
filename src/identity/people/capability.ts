// The capability of people: accounts, auth sessions, organizations, classes, students.
import type { Capability } from '#core/module/capability.ts';
import { parentLinkRoutes, userRoutes } from './accounts/routes.ts';
import { auditedPeople } from './audited.ts';
import { studentEnrollmentChanged, studentGradeChanged } from './classes/events.ts';
import { classPeopleRoutes, classRoutes } from './classes/routes.ts';
import { googleRoutes } from './google/routes.ts';
import { nameRoutes } from './names/routes.ts';
import { calendarChanged } from './organizations/events.ts';
import { organizationRoutes, schoolRoutes } from './organizations/routes.ts';
import { personalDataRoutes } from './personal-data/routes.ts';
import { identitySection } from './personal-data/sections.ts';
import { quickCodeRoutes } from './quick-codes/routes.ts';
import { sheetTexts } from './quick-codes/texts.ts';
import { schoolYearRoutes } from './school-year/routes.ts';
import { secondFactorRoutes } from './second-factor/routes.ts';
import { identityJobs } from './sign-in/jobs.ts';
import { signInRoutes } from './sign-in/routes.ts';
import { workbenchSessionRoutes } from './workbench-session/routes.ts';

/** When a session ended: by revocation or by expiry. Refresh tokens reference their session and are deleted first. */
const sessionEnd = 'least(revoked_at, expires_at)';

export const peopleCapability: Capability = {
  name: 'people',
  routes: [
    ...signInRoutes,
    ...quickCodeRoutes,
    ...googleRoutes,
    ...workbenchSessionRoutes,
    ...personalDataRoutes,
    ...secondFactorRoutes,
    ...organizationRoutes,
    ...schoolRoutes,
    ...schoolYearRoutes,
    ...classRoutes,
    ...classPeopleRoutes,
    ...userRoutes,
    ...parentLinkRoutes,
    ...nameRoutes,
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
