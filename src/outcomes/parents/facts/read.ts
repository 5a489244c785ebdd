// Everything that is told of children to their families, read in a number of statements that does not grow with them.

import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { namesOnPaper } from '#identity/people/index.ts';
import { type Season, schoolYearOf, windowAt } from '#rules/catalogue/index.ts';
import { knownOf, type ParentSuggestion, parentSuggestions, profileOf } from '#support/interventions/index.ts';
import { type SeasonRun, seasonRuns } from '../engine/seasons.ts';
import { type FamilyRules, familyRules } from '../rules.ts';
import { type Child, childrenOf } from './children.ts';
import { type ChildRun, monthlyRuns } from './measured.ts';

export interface Reading {
  readonly services: Pick<Services, 'rules'>;
  readonly trx: Trx;
  readonly now: Date;
}

/** Children who live by one clock: those of a class, or one child. */
export interface Children {
  readonly organizationId: string;
  readonly studentIds: readonly number[];
  readonly timeZone: string;
}

export interface Growing {
  /** By the newest run of the school year. */
  readonly halted: boolean;
  readonly seasons: readonly SeasonRun[];
}

export interface FamilyFacts extends Child, Growing {
  /** On paper; with a letter behind it where somebody else in the class has the name. */
  readonly paperNameAr: string;
  /** Null where nothing is suggested: halted, without an active profile, or without an approved text. */
  readonly suggestions: readonly ParentSuggestion[] | null;
  /** Has an educational profile, and nothing is halted. */
  readonly isResolved: boolean;
}

export const rulesAt = async ({ services, trx, now }: Reading): Promise<FamilyRules> =>
  familyRules((await services.rules.at(trx, now)).rules);

const yearFromAt = ({ calendar }: FamilyRules, { timeZone }: Pick<Children, 'timeZone'>, now: Date): string =>
  schoolYearOf(now.toISOString(), timeZone, calendar.schoolYear).from;

/** By student. */
export async function growingOf(
  { trx, now }: Pick<Reading, 'trx' | 'now'>,
  rules: FamilyRules,
  children: Children,
): Promise<(studentId: number) => Growing> {
  const runs = await monthlyRuns(trx, { ...children, yearFrom: yearFromAt(rules, children, now) });
  return (studentId) => growingBy(runs, studentId, rules);
}

function growingBy(runs: readonly ChildRun[], studentId: number, { calendar }: FamilyRules): Growing {
  const own = runs.filter((run) => run.studentId === studentId);
  const newest = own.toSorted((one, other) => other.seq - one.seq)[0];
  return { halted: newest?.halted ?? false, seasons: seasonRuns(own, calendar.seasons) };
}

/** `window` says which text is suggested from; without one that of the season. */
export async function familyFacts(
  reading: Reading,
  rules: FamilyRules,
  children: Children,
  window?: Season,
): Promise<FamilyFacts[]> {
  const { trx, now } = reading;
  const { organizationId, studentIds } = children;
  const yearFrom = yearFromAt(rules, children, now);
  const season = window ?? windowAt(children, { catalogue: rules.calendar }, now).season;
  const [people, names, growing, known, suggestionsOf] = await Promise.all([
    childrenOf(trx, organizationId, studentIds),
    namesOnPaper(trx, organizationId, studentIds),
    growingOf(reading, rules, children),
    knownOf(
      trx,
      organizationId,
      studentIds.map((studentId) => ({ studentId, yearFrom })),
    ),
    parentSuggestions(trx, rules.bundle, season),
  ]);
  const profiles = new Map(known.map((one) => [one.studentId, profileOf(one)]));
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
