// Who needs measuring: those without a result, and those with an area of the season that was not measured in it.

import { classPlan, usualSessionMinutes } from '#assessment/skill-status/index.ts';
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { type CatalogueDocument, windowAt } from '#rules/catalogue/index.ts';
import type { RuleBundle } from '#rules/rulesets/index.ts';
import { unmeasuredTiles } from '../../aggregates/index.ts';
import type { ClassReport } from '../pages/class-report-facts.ts';
import { actionsAr, classLabels } from '../pages/labels.ts';
import type { Called } from './calling.ts';
import type { ClassPlace } from './place.ts';
import { actionOf, type StudentNow } from './results.ts';

interface Reading {
  readonly services: Services;
  readonly trx: Trx;
  readonly now: Date;
}

/** What sections of the report are said by. */
export interface ClassSaid {
  readonly place: ClassPlace;
  readonly rules: RuleBundle;
  readonly catalogue: CatalogueDocument;
  readonly called: (studentId: number) => Called;
}

/** The minutes of a student are those of all sessions of the class's plan. */
export async function waitingIn(
  { services, trx, now }: Reading,
  { place, rules, catalogue, called }: ClassSaid,
  students: readonly StudentNow[],
): Promise<Pick<ClassReport, 'waiting' | 'allMinutes'>> {
  const { id: classId, organizationId, timeZone } = place;
  const { season } = windowAt({ timeZone }, { catalogue }, now);
  const { areas, byStudent } = await unmeasuredTiles(trx, { organizationId, classId, rules, now, season });
  const { sessions, totalMinutes } = await classPlan(services, trx, place, usualSessionMinutes, now);
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
      ...{ name: called(student.studentId).name, isHalted: isWithoutResult(student) },
      unmeasured: missing.map((code) => named.get(code) ?? code),
      isComplete: missing.length === areas.length,
      ...{ actionAr: actionArOf(student), minutes: minutesOf(student.studentId) },
    };
  });
  return { waiting, allMinutes: totalMinutes };
}

const isWithoutResult = ({ run }: StudentNow): boolean => run === null || run.halted;

const actionArOf = (student: StudentNow): string =>
  isWithoutResult(student) || student.run?.nextDataAction ? actionsAr[actionOf(student)] : classLabels.measureAreas;
