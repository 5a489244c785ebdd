// Roll-overs as responses.
import { presentSchool } from '../organizations/present.ts';
import type { School } from '../records/organizations.ts';
import { isLeaving } from './plan.ts';
import type { schoolYearState } from './queries.ts';
import type { RolledOver } from './roll-over.ts';

export const presentRollOver = ({ rollOverId, classes, repeating, already }: RolledOver) => ({
  rollOverId,
  classes: classes.map(({ fromClassId, toClassId, isNew, name, grade, studentIds }) => ({
    ...{ fromClassId, toClassId, isNew, name, grade },
    students: studentIds.length,
  })),
  leaving: classes.filter(isLeaving).reduce((sum, { studentIds }) => sum + studentIds.length, 0),
  repeating: [...repeating],
  already,
});

export const presentSchoolDetail = (
  school: School,
  { betweenClasses, lastRollOver }: Awaited<ReturnType<typeof schoolYearState>>,
) => ({
  ...presentSchool(school),
  betweenClasses,
  lastRollOver: lastRollOver && {
    rollOverId: lastRollOver.id,
    fromYear: lastRollOver.fromYear,
    toYear: lastRollOver.toYear,
    at: lastRollOver.rolledAt,
    byUserId: lastRollOver.rolledBy,
    undoneAt: lastRollOver.undoneAt,
  },
});
