// Models of organizations, schools, classes, and of the memberships of people in them.
import { Row } from '#core/platform/model.ts';

export class Organization extends Row {
  static override tableName = 'organization';
  declare id: string;
  declare name: string;
  declare slug: string;
  declare country: string;
  declare defaultLocale: string;
  declare isDemo: boolean;
  declare allowedGoogleDomains: string[];
  declare timeZone: string;
  declare weekend: number[];
  declare holidays: string[];
  declare minClusterSize: number;
  declare createdAt: string;
}

export class School extends Row {
  static override tableName = 'school';
  declare id: string;
  declare organizationId: string;
  declare name: string;
  declare country: string;
  declare minClusterSize: number | null;
  declare timeZone: string | null;
  declare createdAt: string;
}

export class SchoolClass extends Row {
  static override tableName = 'class';
  declare id: number;
  declare organizationId: string;
  declare schoolId: string;
  declare name: string;
  declare grade: number;
  declare academicYear: string;
  declare archivedAt: string | null;
  declare createdAt: string;
  /** The roll-over that made the class. */
  declare rolledOverBy: number | null;
}

export class ClassTeacher extends Row {
  static override tableName = 'class_teacher';
  static override idColumn = ['organizationId', 'classId', 'teacherUserId'];
  declare organizationId: string;
  declare classId: number;
  declare teacherUserId: number;
  declare role: 'PRIMARY' | 'SECONDARY';
  /** Order of attachment; the earliest SECONDARY replaces a removed PRIMARY. */
  declare position: number;
}

export class PrincipalSchool extends Row {
  static override tableName = 'principal_school';
  static override idColumn = ['organizationId', 'principalUserId', 'schoolId'];
  declare organizationId: string;
  declare principalUserId: number;
  declare schoolId: string;
}

export class Enrollment extends Row {
  static override tableName = 'enrollment';
  declare id: number;
  declare organizationId: string;
  declare studentId: number;
  declare classId: number;
  declare enrolledFrom: string;
  declare enrolledTo: string | null;
  declare openedByRollOver: number | null;
  declare endedByRollOver: number | null;
}

export class ParentStudent extends Row {
  static override tableName = 'parent_student';
  static override idColumn = 'childId';
  declare childId: string;
  declare organizationId: string;
  declare parentUserId: number;
  declare studentId: number;
  /** The account that it came from by a merge; through several merges, the first. */
  declare mergedFrom: number | null;
}

/** A move of a school into a new school year. */
export class SchoolRollOver extends Row {
  static override tableName = 'school_roll_over';
  declare id: number;
  declare organizationId: string;
  declare schoolId: string;
  declare fromYear: string;
  declare toYear: string;
  declare rolledAt: string;
  declare rolledBy: number;
  declare undoneAt: string | null;
  declare undoneBy: number | null;
}
