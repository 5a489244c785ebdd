// What other capabilities may use of tenancy.
export { detachTeacher } from './class-teachers.ts';
export { enterOrganization } from './enter.ts';
export { type ReachPersona, requireReach, staff, teachersAndAdmins } from './reach.ts';
export {
  anySignedIn,
  classInReach,
  findStudent,
  organizationOf,
  platformData,
  platformDataFor,
  type StudentInScope,
  studentInOrganization,
  studentInReach,
} from './scopes.ts';
export { Enrollment, Organization, ParentStudent, PrincipalSchool, School, SchoolClass } from './store.ts';
