// The public API of people.

export { approversAmong } from './accounts/approvers.ts';
export {
  accountActs,
  approverWait,
  lastAccountChange,
  lastAttached,
  notIndependent,
  requireIndependence,
  tooNew,
} from './accounts/independence.ts';
export { claimJoinAttempt } from './attempts/own-attempt.ts';
export { accessTokens } from './auth-sessions/access-tokens.ts';
export { authenticate, authenticateAll } from './auth-sessions/auth-sessions.ts';
export { ownAddress } from './auth-sessions/own-address.ts';
export { peopleCapability } from './capability.ts';
export { createClass, updateClass } from './classes/classes.ts';
export { enroll } from './classes/enrollment.ts';
export { studentEnrollmentChanged, studentGradeChanged } from './classes/events.ts';
export { hashPassword } from './credentials/passwords.ts';
export { PersonaName } from './credentials/schemas.ts';
export { type GoogleClient, type Grant, googleClient, newSignInSecrets } from './google/client.ts';
export { bindingCookies, shownCookieHashes } from './google/cookie.ts';
export { type AccountPair, lockPair, mergeAccounts } from './merges/merge-accounts.ts';
export { MergeView, presentMerge, StudentMerge, undoUntil } from './merges/rows.ts';
export { separateAccounts } from './merges/separate-accounts.ts';
export { calendarChanged } from './organizations/events.ts';
export { createOrganization, createSchool } from './organizations/organizations.ts';
export { Country } from './organizations/schemas.ts';
export type { AccountForgotten, StudentForgotten } from './personal-data/erasure.ts';
export type { PersonalDataSection } from './personal-data/personal-data.ts';
export { enterOrganization } from './reach/enter.ts';
export { namesKnownTo } from './reach/known-names.ts';
export { findNamedStudents } from './reach/named-students.ts';
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
  requireWritable,
  type StudentInScope,
  schoolInReach,
  studentInReach,
  studentWriteErrors,
} from './reach/scopes.ts';
export { mergeReasons } from './records/enums.ts';
export {
  Enrollment,
  Organization,
  ParentStudent,
  PrincipalSchool,
  School,
  SchoolClass,
} from './records/organizations.ts';
export { namesOnPaper } from './records/paper-names.ts';
export type { Persona } from './records/permissions.ts';
export { setSignInEmail } from './records/sign-in-names.ts';
export { User } from './records/users.ts';
export {
  type AccountChange,
  changeAccounts,
  endSessions,
  insertAccounts,
  setSignInEmails,
  todayOf,
  UniquenessConflict,
} from './roster/accounts.ts';
export { lockClasses, moveStudents } from './roster/classes.ts';
export { type CreatedLink, linkFamilies, unlinkFamilies } from './roster/families.ts';
export {
  endSignInLinks,
  type IdentityLink,
  linkedSubjects,
  linkIdentities,
  setByEmail,
  unlinkIdentities,
} from './roster/identities.ts';
export { attachTeachers, detachTeachers, promoteToPrimary, reattachTeachers } from './roster/teachers.ts';
export type { RollOverGuard } from './school-year/services.ts';
export { superAdminExists } from './sign-in/sign-in.ts';
export {
  type ClassHistory,
  classHistoryOf,
  currentGrade,
  lastGrade,
  lastGradeAt,
  noGrade,
  requireCurrentClass,
  requireGrade,
  type WithClassHistory,
} from './students/grades.ts';
export { lockLivingStudents, lockStudents, lockWritableStudents } from './students/lock.ts';
export { mergedRefusal, refuseMerged, studentOfAccount } from './students/merged.ts';
export { linkParent } from './students/parent-links.ts';
export { PossibleDuplicates, possibleDuplicates } from './students/possible-duplicates.ts';
