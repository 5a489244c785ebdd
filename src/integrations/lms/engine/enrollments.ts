// Decides what a roster's enrollment means for the classes of students and teachers. Conflicts that concern all rows of a
// class are found afterwards.
import type { ConflictReason, RowAction, RowReasonCode } from '../enums.ts';
import type { RosterRole } from '../provider.ts';
import type { FieldChange } from './people.ts';

export interface EnrollmentFacts {
  readonly isBad: boolean;
  readonly role: RosterRole;
  /** Open at the source today. False also when a complete roster no longer contains the enrollment. */
  readonly isOpen: boolean;
  /** The row of the person, or null when the roster has none. */
  readonly person: { readonly entity: string; readonly canBeLinked: boolean; readonly hasUser: boolean } | null;
  /** The class that the course is mapped to, or null when it is archived. */
  readonly classId: number | null;
  readonly classGrade: number;
  /** The grade of the student, else of the course. */
  readonly sourceGrade: number | null;
  /** The current class of the student, or, for a teacher, the class itself when the teacher teaches it already. */
  readonly localClassId: number | null;
  /** The enrollment in this course at the last import. */
  readonly base: { readonly classId: number; readonly isOpen: boolean; readonly made: boolean } | null;
  /** The class of an enrollment of the student that an import has opened, in any course. */
  readonly importedClassId: number | null;
  /** The number of classes, without archived ones, that the roster has the student in. */
  readonly openClasses: number;
  /** An earlier course of the same class has the person too. */
  readonly isRepeated: boolean;
  /** Another course of the class of `base` has the person. */
  readonly isHeld: boolean;
  readonly today: string;
}

/**
 * Whether a skipped row updates the baseline of the next import. `placing`: only together with the row that enrolls the
 * person in another class, or in this one. While that row waits or is skipped, the person stays in their class.
 */
export type BaselineUpdate = 'own' | 'placing' | 'never';

export interface EnrollmentDecision {
  readonly action: RowAction;
  readonly reasonCode: RowReasonCode;
  readonly changes: readonly FieldChange[];
  readonly baselineUpdate: BaselineUpdate;
}

const skip = (reasonCode: RowReasonCode, baselineUpdate: BaselineUpdate = 'own'): EnrollmentDecision => ({
  action: 'skip',
  reasonCode,
  changes: [],
  baselineUpdate,
});

export function decideEnrollment(facts: EnrollmentFacts): EnrollmentDecision {
  const { isBad, role, person, isOpen, classId } = facts;
  if (isBad) return skip('bad_value', 'never');
  if (role !== 'student' && role !== 'teacher') return skip('role_not_imported', 'never');
  if (!person) return isOpen ? skip('unresolved_reference') : ended(facts);
  if (!person.canBeLinked) return skip('depends_on_other_row', 'never');
  if (!isOpen) return ended(facts);
  if (classId === null) return skip('unresolved_reference');
  return person.hasUser ? opened(facts, classId) : entering(facts, classId);
}

function opened(facts: EnrollmentFacts, classId: number): EnrollmentDecision {
  if (facts.localClassId === classId) return skip('unchanged');
  if (facts.base?.isOpen && facts.base.classId === classId) return skip('kept_local');
  return entering(facts, classId);
}

function entering(facts: EnrollmentFacts, classId: number): EnrollmentDecision {
  if (facts.isRepeated) return skip('depends_on_other_row', 'placing');
  const { role, localClassId } = facts;
  const isMove = role === 'student' && localClassId !== null;
  const changes: FieldChange[] = isMove ? [{ field: 'classId', from: localClassId, to: classId }] : [];
  const conflict = role === 'student' ? conflictOf(facts) : undefined;
  const baselineUpdate = 'own';
  if (conflict) return { action: 'conflict', reasonCode: conflict, changes, baselineUpdate };
  if (isMove) return { action: 'update', reasonCode: 'moved', changes, baselineUpdate };
  return { action: 'create', reasonCode: 'new_enrollment', changes, baselineUpdate };
}

function conflictOf(facts: EnrollmentFacts): ConflictReason | undefined {
  const { localClassId, importedClassId, openClasses, sourceGrade, classGrade } = facts;
  if (localClassId !== null && importedClassId !== null && localClassId !== importedClassId) return 'local_newer';
  if (openClasses > 1) return 'two_classes';
  if (sourceGrade !== null && sourceGrade !== classGrade) return 'class_grade_mismatch';
  return undefined;
}

/**
 * Ends only an enrollment that an import has opened and that is still current. A student who moves leaves their class by the
 * move.
 */
function ended(facts: EnrollmentFacts): EnrollmentDecision {
  const { base, localClassId, role, openClasses, isHeld, today } = facts;
  if (!base?.isOpen) return skip('inactive_at_source');
  if (!base.made || localClassId !== base.classId) return skip('unchanged');
  if (isHeld) return skip('depends_on_other_row');
  if (role === 'student' && openClasses > 0) return skip('depends_on_other_row', 'placing');
  return {
    action: 'update',
    reasonCode: 'ended',
    changes: [{ field: 'to', from: null, to: today }],
    baselineUpdate: 'own',
  };
}
