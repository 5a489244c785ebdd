// A released statistic: what is counted in the classes of a school, in which bands, and how it is protected. Cells of
// different statistics are independent: no equation holds between them.
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import type { RuleBundle } from '#rules/rulesets/index.ts';
import type { ProtectionRules } from '../../engine/units.ts';
import type { Season, Statistic } from '../../enums.ts';
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
  /** Counts of the classes that have students, for the season. */
  readonly classes: readonly ClassCounts[];
  /** The students behind `classes`. */
  readonly members: readonly ClassMembers[];
}

export interface CountedClassOf {
  readonly classId: number;
  readonly counts: Readonly<Record<string, number>>;
}

export interface CountedSubject {
  readonly subject: string;
  /** Classes that the subject applies to; all others have no students to count. */
  readonly classes: readonly CountedClassOf[];
}

export interface StatisticKind {
  readonly space: Statistic;
  /** The band of students who were not measured in the season; their number is known from the coverage. */
  readonly ofUnmeasured?: string;
  protection(rules: RuleBundle): ProtectionRules;
  count(trx: Trx, question: SchoolQuestion): Promise<readonly CountedSubject[]>;
}

/** Counts each student of a class in exactly one band, so that counts add up to the known class size. */
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
