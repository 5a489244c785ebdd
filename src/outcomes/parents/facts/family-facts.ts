// Reads all facts for families of several children in a constant number of statements.

import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { namesOnPaper } from '#identity/people/index.ts';
import { type Season, schoolYearOf, windowAt } from '#rules/catalogue/index.ts';
import {
  knownOf,
  type ParentSuggestion,
  parentSuggestions,
  recommendedProfileOf,
} from '#support/interventions/index.ts';
import { type SeasonRun, seasonRuns } from '../engine/seasons.ts';
import { type FamilyRules, familyRules } from '../rules.ts';
import { childrenOf, type FamilyChild } from './children.ts';
import { type ChildRun, monthlyRuns } from './measured.ts';

export interface FamilyReadContext {
  readonly services: Pick<Services, 'rules'>;
  readonly trx: Trx;
  readonly now: Date;
}

/** Children with one time zone: those of a class, or one child. */
export interface Children {
  readonly organizationId: string;
  readonly studentIds: readonly number[];
  readonly timeZone: string;
}

export interface SeasonFacts {
  /** From the newest run of the school year. */
  readonly halted: boolean;
  readonly seasons: readonly SeasonRun[];
}

export interface FamilyFacts extends FamilyChild, SeasonFacts {
  /** Name on paper, with an added letter when another student of the class has the same name. */
  readonly paperNameAr: string;
  /** Null when nothing is suggested: halted, without an active profile, or without an approved text. */
  readonly suggestions: readonly ParentSuggestion[] | null;
  /** Whether the child has an educational profile and is not halted. */
  readonly isResolved: boolean;
}

export const rulesAt = async ({ services, trx, now }: FamilyReadContext): Promise<FamilyRules> =>
  familyRules((await services.rules.at(trx, now)).rules);

const yearFromAt = ({ calendar }: FamilyRules, { timeZone }: Pick<Children, 'timeZone'>, now: Date): string =>
  schoolYearOf(now.toISOString(), timeZone, calendar.schoolYear).from;

/** Returns the season facts of each student. */
export async function seasonFactsOf(
  { trx, now }: Pick<FamilyReadContext, 'trx' | 'now'>,
  rules: FamilyRules,
  children: Children,
): Promise<(studentId: number) => SeasonFacts> {
  const runs = await monthlyRuns(trx, { ...children, yearFrom: yearFromAt(rules, children, now) });
  return (studentId) => seasonFactsBy(runs, studentId, rules);
}

function seasonFactsBy(runs: readonly ChildRun[], studentId: number, { calendar }: FamilyRules): SeasonFacts {
  const own = runs.filter((run) => run.studentId === studentId);
  const newest = own.toSorted((one, other) => other.seq - one.seq)[0];
  return { halted: newest?.halted ?? false, seasons: seasonRuns(own, calendar.seasons) };
}

/** `window` selects the texts of suggestions; the current season by default. */
export async function familyFacts(
  reading: FamilyReadContext,
  rules: FamilyRules,
  children: Children,
  window?: Season,
): Promise<FamilyFacts[]> {
  const { trx, now } = reading;
  const { organizationId, studentIds } = children;
  const yearFrom = yearFromAt(rules, children, now);
  const season = window ?? windowAt(children, { catalogue: rules.calendar }, now).season;
  const [people, names, growing, known, suggestionsOf] = await Promise.all([
    childrenOf(trx, organizationId, studentIds, { rules, now }),
    namesOnPaper(trx, organizationId, studentIds),
    seasonFactsOf(reading, rules, children),
    knownOf(
      trx,
      organizationId,
      studentIds.map((studentId) => ({ studentId, yearFrom })),
    ),
    parentSuggestions(trx, rules.bundle, season),
  ]);
  const profiles = new Map(known.map((one) => [one.studentId, recommendedProfileOf(one)]));
  return people.map((child) => {
    const { studentId } = child;
    const profile = profiles.get(studentId);
    const grown = growing(studentId);
    const isResolved = !grown.halted && profile !== undefined && profile.profileCode !== 'DATA_INCOMPLETE';
    const suggestions = isResolved ? suggestionsOf(profile.profileCode, profile.anchorDomainCode) : null;
    const paperNameAr = names.get(studentId)?.fullNameAr ?? child.fullNameAr;
    return { ...child, ...grown, paperNameAr, isResolved, suggestions };
  });
}
