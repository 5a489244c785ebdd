// What other capabilities may use of tenancy.
export { detachTeacher } from './classes/class-teachers.ts';
export { enterOrganization } from './reach/enter.ts';
export { type ReachPersona, requireReach, staff, teachersAndAdmins } from './reach/reach.ts';
export {
  classInReach,
  findStudent,
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
