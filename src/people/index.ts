// What other capabilities may use of tenancy.

export { givingEmail } from './accounts/email-conflicts.ts';
export { requireAnotherSuper } from './accounts/last-super.ts';
export { peopleCapability } from './capability.ts';
export { detachTeacher } from './classes/class-teachers.ts';
export { createClass } from './classes/classes.ts';
export { enroll } from './classes/enrollment.ts';
export { studentGradeChanged } from './classes/events.ts';
export { hashPassword, requireFitPassword } from './credentials/passwords.ts';
export { Email, FullNameAr, NewAdminPassword, NewPassword, PersonaName } from './credentials/schemas.ts';
export { googleClient } from './google/client.ts';
export { removeExternalSubject } from './google/external-identity.ts';
export { createOrganization, createSchool } from './organizations/organizations.ts';
export type { PersonalDataSection } from './personal-data/personal-data.ts';
export { type IssuedCode, issueQuickCodes } from './quick-codes/quick-codes.ts';
export { enterOrganization } from './reach/enter.ts';
export { type ReachPersona, staff, teachersAndAdmins } from './reach/reach.ts';
export {
  type ClassInScope,
  classInReach,
  findStudent,
  findStudentInReach,
  organizationInPath,
  organizationOf,
  platformDataFor,
  type StudentInScope,
  studentInOrganization,
  studentInReach,
} from './reach/scopes.ts';
export {
  Enrollment,
  Organization,
  ParentStudent,
  PrincipalSchool,
  School,
  SchoolClass,
} from './records/organizations.ts';
export { type Permission, type Persona, permissionsOf, personas } from './records/permissions.ts';
export { nameForSignIn, normalEmail } from './records/sign-in-names.ts';
export { User } from './records/users.ts';
export type { UserStatus } from './records/words.ts';
export { removeSecondFactor } from './second-factor/second-factor.ts';
export { authenticate, revokeAllOf } from './sessions/sessions.ts';
export { type AccessTokens, accessTokens } from './sessions/tokens.ts';
export { superAdminExists } from './sign-in/sign-in.ts';
export { linkParent } from './students/parent-links.ts';
