// Finds the areas that were not measured in a season, student by student, from the facts that coverage and releases
// count.

import type { Trx } from '#core/platform/db.ts';
import type { Season } from '#rules/catalogue/index.ts';
import type { RuleBundle } from '#rules/rulesets/index.ts';
import { countingCatalogue } from '../../catalogue.ts';
import { membersOf } from './classes.ts';

export interface UnmeasuredQuestion {
  readonly organizationId: string;
  readonly classId: number;
  readonly rules: RuleBundle;
  readonly now: Date;
  /** The running season. */
  readonly season: Season;
}

export interface UnmeasuredTiles {
  /** Codes of the tiles that are taught in the grade of the class, in catalogue order. */
  readonly areas: readonly string[];
  /** Unmeasured areas by student, for all current students of the class. */
  readonly byStudent: ReadonlyMap<number, readonly string[]>;
}

export async function unmeasuredTiles(
  trx: Trx,
  { organizationId, classId, rules, now, season }: UnmeasuredQuestion,
): Promise<UnmeasuredTiles> {
  const [found] = await membersOf(trx, { organizationId, classIds: [classId], rules, now });
  if (!found) return { areas: [], byStudent: new Map() };
  const own = countingCatalogue(rules).tiles.filter(({ grades }) => grades.has(found.ofClass.grade));
  const missingOf = (codes: readonly string[]) =>
    own.filter(({ subSkills }) => !codes.some((code) => subSkills.has(code))).map(({ tileCode }) => tileCode);
  return {
    areas: own.map(({ tileCode }) => tileCode),
    byStudent: new Map(
      found.students.map(({ studentId, measured }) => [studentId, missingOf(measured.get(season) ?? [])]),
    ),
  };
}
