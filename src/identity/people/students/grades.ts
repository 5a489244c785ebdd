// The grade of a student: that of the class of the current school year (contract 12 §3). Every read of a student's grade
// takes the classes from `classHistoryOf` and asks one of the functions here.
import type { Trx } from '#core/platform/db.ts';
import { conflict } from '#core/platform/errors.ts';
import { localDate } from '#core/platform/pure/dates/calendar.ts';
import { schoolYearDates, type YearStart, yearOfDay } from '#rules/catalogue/index.ts';

/** A class in which the student is or was enrolled. */
interface ClassOfStudent {
  readonly grade: number;
  /** `2025-2026`. */
  readonly academicYear: string;
  /** Whether the enrollment is open. */
  readonly isOpen: boolean;
}

/** The classes of a student: that of the open enrollment first, then the newest. */
export type ClassHistory = readonly ClassOfStudent[];

export interface WithClassHistory {
  readonly classHistory: ClassHistory;
}

/** SQL of the column `class_history` of the student with these columns. */
export const classHistoryOf = (organizationId: string, studentId: string): string =>
  `(select coalesce(json_agg(json_build_object('grade', hc.grade, 'academicYear', hc.academic_year,
      'isOpen', he.enrolled_to is null) order by he.enrolled_to is not null, he.id desc), '[]')
    from enrollment he join class hc on hc.organization_id = he.organization_id and hc.id = he.class_id
    where he.organization_id = ${organizationId} and he.student_id = ${studentId})`;

/** Returns the grade of the open class of the school year; null between classes. Writes need one. */
export function currentGrade({ classHistory }: WithClassHistory, schoolYear: string): number | null {
  const [newest] = classHistory;
  return newest?.isOpen && newest.academicYear === schoolYear ? newest.grade : null;
}

/** Throws CONFLICT `no_grade` between classes. */
export function requireGrade(student: WithClassHistory, schoolYear: string): number {
  const grade = currentGrade(student, schoolYear);
  if (grade === null) throw noGrade();
  return grade;
}

export const noGrade = (field?: string) =>
  conflict('no_grade', 'The student is in no class of this school year. Enroll the student first.', field);

/**
 * Returns the grade by which a student is read: of the newest class whose school year has begun. Null for a student who never
 * was in one.
 */
export const lastGrade = ({ classHistory }: WithClassHistory, schoolYear: string): number | null =>
  classHistory.find(({ academicYear }) => academicYear <= schoolYear)?.grade ?? null;

/** Returns the last grade at a moment. `start`: the first day of every school year, from the catalogue in force. */
export const lastGradeAt = (
  student: WithClassHistory & { readonly timeZone: string },
  start: YearStart,
  now: Date,
): number | null => lastGrade(student, schoolYearDates(localDate(now, student.timeZone), start).name);

/** Throws CONFLICT `no_grade` for a class of another school year: its students are between classes. */
export async function requireCurrentClass(
  services: Parameters<typeof yearOfDay>[0],
  trx: Trx,
  { academicYear, timeZone }: { readonly academicYear: string; readonly timeZone: string },
  now: Date,
): Promise<void> {
  const { name } = await yearOfDay(services, trx, localDate(now, timeZone), now);
  if (academicYear !== name) throw noGrade('classId');
}
