// Request and response schemas of classes.
import Type from 'typebox';
import {
  CalendarDate,
  Cuid,
  EnteredSchoolYear,
  IntegerId,
  named,
  nullable,
  object,
  oneOf,
  pageQuery,
  Timestamp,
} from '#core/http/schemas.ts';
import { Name } from '../organizations/schemas.ts';
import { classRoles } from '../records/enums.ts';

const Grade = named('Grade', Type.Integer({ minimum: 1, maximum: 4 }));

export const ClassBody = named(
  'ClassBody',
  object({
    schoolId: Cuid,
    name: Name,
    grade: Grade,
    academicYear: EnteredSchoolYear,
    teacherUserIds: Type.Optional(Type.Array(IntegerId, { uniqueItems: true, maxItems: 20 })),
  }),
);
export const ClassPatch = named(
  'ClassPatch',
  object(
    {
      name: Type.Optional(Name),
      grade: Type.Optional(Grade),
      academicYear: Type.Optional(EnteredSchoolYear),
      archived: Type.Optional(Type.Boolean()),
    },
    { minProperties: 1 },
  ),
);
export const ClassView = named(
  'Class',
  object({
    id: IntegerId,
    schoolId: Cuid,
    name: Type.String(),
    grade: Grade,
    academicYear: Type.String(),
    archivedAt: nullable(Timestamp),
    teachers: Type.Array(object({ teacherUserId: IntegerId, role: oneOf(classRoles) })),
  }),
);
export const ClassListQuery = named(
  'ClassListQuery',
  object({
    ...pageQuery,
    schoolId: Type.Optional(Cuid),
    archived: Type.Optional(Type.Boolean({ default: false })),
  }),
);

export const AttachTeacherBody = named('AttachTeacherBody', object({ teacherUserId: IntegerId }));
export const EnrollBody = named(
  'EnrollBody',
  object({
    studentIds: Type.Array(IntegerId, { minItems: 1, maxItems: 100, uniqueItems: true }),
  }),
);
export const StudentView = named(
  'Student',
  object({
    studentId: IntegerId,
    fullNameAr: nullable(Type.String()),
    enrolledFrom: CalendarDate,
  }),
);
