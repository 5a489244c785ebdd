// What is decided of an enrollment that stands beside the classes, and its row of a preview.
import { newId } from '#core/platform/ids.ts';
import { decideEnrollment, type EnrollmentFacts } from '../../engine/enrollments.ts';
import type { ReasonCode } from '../../enums.ts';
import type { EnrollmentRowFacts, LmsPreview } from '../rows.ts';
import type { FoundEnrollment } from './enrollments.ts';

interface Circumstances {
  /** Of the source's courses. */
  readonly gradeOf: ReadonlyMap<string, number | null>;
  /** YYYY-MM-DD, where the organization is. */
  readonly today: string;
}

interface Building extends Circumstances {
  readonly preview: LmsPreview;
}

export function decidedEnrollment(circumstances: Circumstances, found: FoundEnrollment) {
  const { action, reasonCode, changes, remembered } = decideEnrollment(factsOf(circumstances, found));
  const differs = found.isOpen !== (found.base?.isOpen ?? false) && found.userId !== null;
  return { action, reasonCode, changes, remembered, isStale: differs && remembered !== 'never' };
}

export function enrollmentRow(building: Building, found: FoundEnrollment, position: number) {
  const { organizationId, id: previewId } = building.preview;
  const { personExternalId, courseExternalId, role, content, userId, isOpen } = found;
  const localClassId = localClassOf(found);
  const { action, reasonCode, changes, remembered, isStale } = decidedEnrollment(building, found);
  const { from = null, to = null, active = false, primary = false } = content ?? {};
  const [classId, classGrade] = [openClass(found), found.classGrade];
  // No spreads: of a row of many members they take four times as much memory.
  const facts: EnrollmentRowFacts = {
    courseExternalId,
    role,
    primary,
    isOpen,
    classId,
    classGrade,
    localClassId,
    isStale,
    followsPlacing: remembered === 'placing',
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

/** Of people who are not imported nothing is enrolled. */
const unlinkable: ReadonlySet<ReasonCode> = new Set([
  ...(['erased_person', 'bad_value', 'role_not_imported', 'inactive_at_source'] as const),
]);

function factsOf({ gradeOf, today }: Circumstances, found: FoundEnrollment): EnrollmentFacts {
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
