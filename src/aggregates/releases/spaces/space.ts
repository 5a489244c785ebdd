// What a space of cells is: what is counted of the classes of a school, in which words, and how it is protected. A cell of one
// space says nothing of a cell of another: no equation holds between them.
import type { Trx } from '../../../platform/db.ts';
import type { RuleBundle } from '../../../rulesets/index.ts';
import type { ProtectionRules } from '../../engine/units.ts';
import type { ClassCounts } from '../../rollups/counting/count.ts';
import type { Season, Space } from '../../words.ts';
import type { ReleasedSeason } from '../rows/releases.ts';

export interface SchoolQuestion {
  readonly organizationId: string;
  readonly schoolId: string;
  readonly season: ReleasedSeason;
  readonly rules: RuleBundle;
  readonly now: Date;
  /** Of classes with students, as they are counted for the season. */
  readonly classes: readonly ClassCounts[];
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

export const unmeasuredIn = ({ students, measured }: ClassCounts, season: Season): number =>
  students - measured[season];
