// What other capabilities may use of tenancy.

export {
  approverWait,
  lastAttached,
  lastTouch,
  notIndependent,
  requireIndependence,
  tooNew,
} from './accounts/independence.ts';
export { claimJoinAttempt } from './attempts/own-attempt.ts';
export { peopleCapability } from './capability.ts';
export { createClass, updateClass } from './classes/classes.ts';
export { enroll } from './classes/enrollment.ts';
export { studentEnrollmentChanged, studentGradeChanged } from './classes/events.ts';
export { hashPassword } from './credentials/passwords.ts';
export { PersonaName } from './credentials/schemas.ts';
export { type GoogleClient, type Grant, googleClient, newSignInSecrets } from './google/client.ts';
export { bindingCookies, shownCookieHashes } from './google/cookie.ts';
export { calendarChanged } from './organizations/events.ts';
export { createOrganization, createSchool } from './organizations/organizations.ts';
export { Country } from './organizations/schemas.ts';
export type { AccountForgotten, StudentForgotten } from './personal-data/erasure.ts';
export type { PersonalDataSection } from './personal-data/personal-data.ts';
export { enterOrganization } from './reach/enter.ts';
export { namesAround } from './reach/names-around.ts';
export { staff, teachersAndAdmins } from './reach/reach.ts';
export {
  type ClassInScope,
  classInReach,
  findClassInReach,
  findOwnerInReach,
  findSchoolInReach,
  findStudent,
  findStudentInReach,
  organizationAt,
  organizationInPath,
  organizationOf,
  platformDataFor,
  type StudentInScope,
  schoolInReach,
  studentInReach,
} from './reach/scopes.ts';
export { namedStudents } from './reach/taught.ts';
export { Organization, PrincipalSchool, School, SchoolClass } from './records/organizations.ts';
export { namesOnPaper } from './records/paper-names.ts';
export type { Persona } from './records/permissions.ts';
export { nameForSignIn } from './records/sign-in-names.ts';
export { User } from './records/users.ts';
export {
  type AccountChange,
  changeAccounts,
  endSessions,
  insertAccounts,
  nameAccounts,
  TakenMeanwhile,
  todayOf,
} from './roster/accounts.ts';
export { lockClasses, placeStudents } from './roster/classes.ts';
export { linkFamilies, type MadeLink, unlinkFamilies } from './roster/families.ts';
export {
  endSignInLinks,
  type Identified,
  linkIdentities,
  markByEmail,
  unlinkIdentities,
} from './roster/identities.ts';
export { attachTeachers, detachTeachers, leadClasses, returnTeachers } from './roster/teachers.ts';
export { ownAddress } from './sessions/own-address.ts';
export { authenticate, authenticateAll } from './sessions/sessions.ts';
export { accessTokens } from './sessions/tokens.ts';
export { superAdminExists } from './sign-in/sign-in.ts';
export { lockLivingStudents, lockStudents } from './students/lock.ts';
export { linkParent } from './students/parent-links.ts';
