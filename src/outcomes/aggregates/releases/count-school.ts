// Counts a school for a season: the counts of each class in each statistic, before suppression.
import type { Services } from '#core/module/services.ts';
import { inReadOnlyContext } from '#core/platform/db.ts';
import { SchoolClass } from '#identity/people/index.ts';
import type { RuleBundle } from '#rules/rulesets/index.ts';
import { countMembers, membersOf } from '../rollups/counting/classes.ts';
import type { ClassCounts } from '../rollups/counting/count.ts';
import { protectionSettings } from '../rules/protection.ts';
import type { ReleasedSeason } from './rows/releases.ts';
import { statisticKinds } from './statistics/kinds.ts';
import { type CountedSubject, type StatisticKind, unmeasuredIn } from './statistics/statistic-kind.ts';

export interface SchoolTurn {
  readonly organizationId: string;
  readonly schoolId: string;
  readonly season: ReleasedSeason;
}

export interface CountedSchool extends SchoolTurn {
  readonly rules: RuleBundle;
  readonly classes: readonly ClassCounts[];
  readonly subjects: readonly (CountedSubject & { readonly kind: StatisticKind })[];
  /** Students of the classes that are large enough to be counted. */
  readonly students: number;
  readonly measured: number;
}

type Parts = Pick<Services, 'db' | 'rules'>;

export function countSchool({ db, rules }: Parts, turn: SchoolTurn, now: Date): Promise<CountedSchool> {
  const { organizationId, schoolId, season } = turn;
  return inReadOnlyContext(db, { organizationId }, async (trx) => {
    const inForce = (await rules.at(trx, now)).rules;
    const own = await SchoolClass.query(trx).where({ organizationId, schoolId }).select('id');
    const classIds = own.map(({ id }) => id);
    const asked = { organizationId, classIds, rules: inForce, now, of: season };
    const members = await membersOf(trx, asked);
    const classes = countMembers(members, asked);
    const question = { ...turn, services: { rules }, rules: inForce, now, classes, members };
    const subjects = [];
    for (const kind of statisticKinds)
      for (const subject of await kind.count(trx, question)) subjects.push({ ...subject, kind });
    const counted = classes.filter(({ students }) => students >= protectionSettings(inForce).threshold);
    const students = counted.reduce((sum, one) => sum + one.students, 0);
    const unmeasured = counted.reduce((sum, one) => sum + unmeasuredIn(one, season.season), 0);
    return { ...turn, rules: inForce, classes, subjects, students, measured: students - unmeasured };
  });
}
