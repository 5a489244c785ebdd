// Lists students who need measurement: those without a result, and those with unmeasured areas in the season.

import { classPlan, usualSessionMinutes } from '#assessment/skill-status/index.ts';
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { type CatalogueDocument, windowAt } from '#rules/catalogue/index.ts';
import type { RuleBundle } from '#rules/rulesets/index.ts';
import { unmeasuredTiles } from '../../aggregates/index.ts';
import type { ClassReport } from '../pages/class-report-facts.ts';
import { actionsAr, classLabels } from '../pages/labels.ts';
import type { ClassContext } from './class-context.ts';
import { actionOf, type ReportedStudent } from './results.ts';
import type { StudentNames } from './student-names.ts';

interface ReadContext {
  readonly services: Services;
  readonly trx: Trx;
  readonly now: Date;
}

/** What the sections of the report are built from. */
export interface SectionContext {
  readonly classContext: ClassContext;
  readonly rules: RuleBundle;
  readonly catalogue: CatalogueDocument;
  readonly namesOf: (studentId: number) => StudentNames;
}

/**
 * Returns the students without a result or with unmeasured areas. A student's minutes cover all sessions of the class
 * plan.
 */
export async function waitingIn(
  { services, trx, now }: ReadContext,
  { classContext, rules, catalogue, namesOf }: SectionContext,
  students: readonly ReportedStudent[],
): Promise<Pick<ClassReport, 'waiting' | 'allMinutes'>> {
  const { id: classId, organizationId, timeZone } = classContext;
  const { season } = windowAt({ timeZone }, { catalogue }, now);
  const { areas, byStudent } = await unmeasuredTiles(trx, { organizationId, classId, rules, now, season });
  const { sessions, totalMinutes } = await classPlan(services, trx, classContext, usualSessionMinutes, now);
  const entries = sessions.flatMap((session) => session.entries);
  const minutesOf = (id: number): number | null => {
    const own = entries.filter(({ studentId }) => studentId === id).flatMap(({ actions }) => actions);
    return own.length === 0 ? null : own.reduce((sum, { minutes }) => sum + minutes, 0);
  };
  const named = new Map(catalogue.tiles.map(({ code, ar }) => [code, ar]));
  const waiting = students.flatMap((student) => {
    const missing = byStudent.get(student.studentId) ?? [];
    if (!isWithoutResult(student) && missing.length === 0) return [];
    return {
      ...{ name: namesOf(student.studentId).name, isHalted: isWithoutResult(student) },
      unmeasured: missing.map((code) => named.get(code) ?? code),
      isComplete: missing.length === areas.length,
      ...{ actionAr: actionArOf(student), minutes: minutesOf(student.studentId) },
    };
  });
  return { waiting, allMinutes: totalMinutes };
}

const isWithoutResult = ({ run }: ReportedStudent): boolean => run === null || run.halted;

const actionArOf = (student: ReportedStudent): string =>
  isWithoutResult(student) || student.run?.nextDataAction ? actionsAr[actionOf(student)] : classLabels.measureAreas;
