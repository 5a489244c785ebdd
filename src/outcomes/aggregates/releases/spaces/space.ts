// What a space of cells is: what is counted of the classes of a school, in which words, and how it is protected. A cell of one
// space says nothing of a cell of another: no equation holds between them.
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import type { RuleBundle } from '#rules/rulesets/index.ts';
import type { ProtectionRules } from '../../engine/units.ts';
import type { Season, Space } from '../../enums.ts';
import type { ClassMembers } from '../../rollups/counting/classes.ts';
import type { ClassCounts } from '../../rollups/counting/count.ts';
import type { ReleasedSeason } from '../rows/releases.ts';

export interface SchoolQuestion {
  readonly organizationId: string;
  readonly schoolId: string;
  readonly season: ReleasedSeason;
  readonly services: Pick<Services, 'rules'>;
  readonly rules: RuleBundle;
  readonly now: Date;
  /** Of classes with students, as they are counted for the season. */
  readonly classes: readonly ClassCounts[];
  /** The students that these counts are of. */
  readonly members: readonly ClassMembers[];
}

export interface CountedClassOf {
  readonly classId: number;
  readonly counts: Readonly<Record<string, number>>;
}

export interface CountedSubject {
  readonly subject: string;
  /** Those that it is said of; of all others there is nobody to count. */
  readonly classes: readonly CountedClassOf[];
}

export interface SpaceKind {
  readonly space: Space;
  /** The band in which everybody is who was not measured in the season: how many that are is known from the coverage. */
  readonly ofUnmeasured?: string;
  protection(rules: RuleBundle): ProtectionRules;
  count(trx: Trx, question: SchoolQuestion): Promise<readonly CountedSubject[]>;
}

/** Each student of a class in one band: all together are its students, whose number is known anyway. */
export function countedIn<Band extends string>(
  { ofClass: { classId }, students }: ClassMembers,
  bands: readonly Band[],
  bandOf: (student: ClassMembers['students'][number]) => Band,
): CountedClassOf {
  const found = students.map(bandOf);
  const counts = bands.map((band) => [band, found.filter((one) => one === band).length] as const);
  return { classId, counts: Object.fromEntries(counts) };
}

export const unmeasuredIn = ({ students, measured }: ClassCounts, season: Season): number =>
  students - measured[season];
