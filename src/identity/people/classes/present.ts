// Classes and enrolled students as responses.
import type { ClassTeacher, Enrollment, SchoolClass } from '../records/organizations.ts';

export const presentClass = (row: SchoolClass, teachers: readonly ClassTeacher[]) => ({
  id: row.id,
  schoolId: row.schoolId,
  name: row.name,
  grade: row.grade,
  academicYear: row.academicYear,
  archivedAt: row.archivedAt,
  teachers: teachers.map(({ teacherUserId, role }) => ({ teacherUserId, role })),
});

export type Enrolled = Pick<Enrollment, 'studentId' | 'enrolledFrom'> & { readonly fullNameAr: string | null };

export const presentEnrolled = (row: Enrolled) => ({
  studentId: row.studentId,
  fullNameAr: row.fullNameAr,
  enrolledFrom: row.enrolledFrom,
});
