// Decides what a commit does with an enrollment of the roster, and makes the row of the preview.
import { newId } from '#core/platform/ids.ts';
import { decideEnrollment, type EnrollmentFacts } from '../../engine/enrollments.ts';
import type { RowReasonCode } from '../../enums.ts';
import type { EnrollmentRowFacts, LmsPreview } from '../rows.ts';
import type { FoundEnrollment } from './enrollment-context.ts';

interface EnrollmentDecisionContext {
  /** The grades of the courses of the source. */
  readonly gradeOf: ReadonlyMap<string, number | null>;
  /** YYYY-MM-DD in the time zone of the organization. */
  readonly today: string;
}

interface Building extends EnrollmentDecisionContext {
  readonly preview: LmsPreview;
}

export function decideRosterEnrollment(context: EnrollmentDecisionContext, found: FoundEnrollment) {
  const { action, reasonCode, changes, baselineUpdate } = decideEnrollment(factsOf(context, found));
  const differs = found.isOpen !== (found.base?.isOpen ?? false) && found.userId !== null;
  return { action, reasonCode, changes, baselineUpdate, isStale: differs && baselineUpdate !== 'never' };
}

export function enrollmentRow(building: Building, found: FoundEnrollment, position: number) {
  const { organizationId, id: previewId } = building.preview;
  const { personExternalId, courseExternalId, role, content, userId, isOpen } = found;
  const localClassId = localClassOf(found);
  const { action, reasonCode, changes, baselineUpdate, isStale } = decideRosterEnrollment(building, found);
  const { from = null, to = null, active = false, primary = false } = content ?? {};
  const [classId, classGrade] = [openClass(found), found.classGrade];
  // Without spreads: a row of many members made with them takes four times as much memory.
  const facts: EnrollmentRowFacts = {
    courseExternalId,
    role,
    primary,
    isOpen,
    classId,
    classGrade,
    localClassId,
    isStale,
    followsPlacing: baselineUpdate === 'placing',
  };
  return {
    organizationId,
    previewId,
    position,
    id: newId(),
    entity: 'enrollment',
    action,
    reasonCode,
    personExternalId,
    userId,
    external: { courseExternalId, personExternalId, role, from, to, active },
    local: localClassId === null ? null : { classId: localClassId, userId },
    changes,
    facts,
    resolution: null,
  };
}

const openClass = ({ classId, isArchived }: FoundEnrollment): number | null => (isArchived ? null : classId);

function localClassOf({
  role,
  studentClassId,
  isTeacherOfClass,
  isOpen,
  classId,
  base,
}: FoundEnrollment): number | null {
  if (role !== 'teacher') return studentClassId;
  return isTeacherOfClass ? (isOpen ? classId : (base?.classId ?? null)) : null;
}

/** The enrollments of people with these reasons are not imported. */
const unlinkable: ReadonlySet<RowReasonCode> = new Set<RowReasonCode>([
  'erased_person',
  'bad_value',
  'role_not_imported',
  'inactive_at_source',
]);

function factsOf({ gradeOf, today }: EnrollmentDecisionContext, found: FoundEnrollment): EnrollmentFacts {
  const { person, userId, personGrade, courseExternalId, content } = found;
  return {
    isBad: content?.isBad ?? false,
    role: found.role,
    isOpen: found.isOpen,
    base: found.base,
    today,
    classId: openClass(found),
    classGrade: found.classGrade ?? 0,
    localClassId: localClassOf(found),
    importedClassId: found.importedClassId,
    openClasses: found.openClasses,
    isRepeated: found.isRepeated,
    isHeld: found.isHeld,
    sourceGrade: personGrade ?? gradeOf.get(courseExternalId) ?? null,
    person: person && {
      entity: person.entity,
      canBeLinked: !unlinkable.has(person.reasonCode),
      hasUser: userId !== null,
    },
  };
}
