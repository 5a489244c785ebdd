// What leaves about organizations, schools and classes.
import type {
  ClassTeacher,
  Enrollment,
  Organization,
  ParentStudent,
  School,
  SchoolClass,
} from '../records/organizations.ts';

export const presentOrganization = (row: Organization) => ({
  id: row.id,
  name: row.name,
  slug: row.slug,
  country: row.country,
  defaultLocale: row.defaultLocale,
  isDemo: row.isDemo,
  allowedGoogleDomains: row.allowedGoogleDomains,
  timeZone: row.timeZone,
  weekend: row.weekend,
  holidays: row.holidays,
  minClusterSize: row.minClusterSize,
  createdAt: row.createdAt,
});

export const presentSchool = (row: School) => ({
  id: row.id,
  organizationId: row.organizationId,
  name: row.name,
  country: row.country,
  minClusterSize: row.minClusterSize,
  timeZone: row.timeZone,
});

export const presentClass = (row: SchoolClass, teachers: readonly ClassTeacher[]) => ({
  id: row.id,
  schoolId: row.schoolId,
  name: row.name,
  grade: row.grade,
  academicYear: row.academicYear,
  archivedAt: row.archivedAt,
  teachers: teachers.map(({ teacherUserId, role }) => ({ teacherUserId, role })),
});

export const presentEnrolled = (row: Enrollment & { fullNameAr: string | null }) => ({
  studentId: row.studentId,
  fullNameAr: row.fullNameAr,
  enrolledFrom: row.enrolledFrom,
});

export const presentLink = (row: ParentStudent) => ({
  childId: row.childId,
  parentUserId: row.parentUserId,
  studentId: row.studentId,
});
