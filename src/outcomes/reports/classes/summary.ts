// The class summary: current results by student for teachers, published counts for managers.

import { type TileStatus, tileValues } from '#assessment/skill-status/index.ts';
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import type { ClassInScope } from '#identity/people/index.ts';
import { type CatalogueDocument, schoolYearOf } from '#rules/catalogue/index.ts';
import { presentAggregate, releasedCells, releasedHead, tileCell } from '../../aggregates/index.ts';
import { actionOf, type ReportedStudent, stampOf, studentsNow, tileStatusOf } from './results.ts';

interface ReadContext {
  readonly services: Services;
  readonly trx: Trx;
  readonly now: Date;
}

type Tile = CatalogueDocument['tiles'][number];

const catalogueNow = async ({ services, trx, now }: ReadContext): Promise<CatalogueDocument> =>
  (await services.rules.at(trx, now)).rules.values<CatalogueDocument>('catalogue/subskills');

export async function teacherSummary(context: ReadContext, { id: classId, organizationId, timeZone }: ClassInScope) {
  const { tiles, schoolYear } = await catalogueNow(context);
  const { from: yearFrom } = schoolYearOf(context.now.toISOString(), timeZone, schoolYear);
  const students = await studentsNow(context.trx, { organizationId, classId, yearFrom });
  const waiting = students.filter(({ run }) => run === null || run.halted);
  return {
    ...{ classId, audience: 'teacher' as const, ...stampOf(students), studentCount: students.length },
    macroTiles: tiles.map((tile) => tileOf(tile, students)),
    moreDataNeeded: { count: waiting.length, students: waiting.map(presentWaiting) },
  };
}

const presentWaiting = (student: ReportedStudent) => ({
  ...{ studentId: student.studentId, fullNameAr: student.fullNameAr },
  nextRecommendedDataAction: actionOf(student),
});

const tileWords = [...tileValues, 'Not_Assessed'] as const;

function tileOf({ code, ar }: Tile, students: readonly ReportedStudent[]) {
  const placed = students.flatMap((student) => {
    const status = tileStatusOf(student, code);
    return status === null ? [] : [{ studentId: student.studentId, fullNameAr: student.fullNameAr, status }];
  });
  const counts = Object.fromEntries(
    tileWords.map((word) => [word, placed.filter(({ status }) => status === word).length]),
  ) as Record<TileStatus, number>;
  return { tileCode: code, nameAr: ar, counts, students: placed };
}

/** Returns released counts only, so that all managers get equal responses. */
export async function managerSummary(context: ReadContext, { id: classId, organizationId }: ClassInScope) {
  const { tiles } = await catalogueNow(context);
  const found = await releasedCells(context.trx, organizationId, { unit: 'class', ids: [classId] });
  const released = found.get(String(classId));
  const macroTiles = tiles.map(({ code, ar }) =>
    presentAggregate({ tileCode: code, nameAr: ar }, tileCell(released, code)),
  );
  const studentCount = Math.max(0, ...macroTiles.map(({ students }) => students));
  return { classId, audience: 'manager' as const, ...releasedHead(released), studentCount, macroTiles };
}
