// When each child takes which diagnostic part or reads aloud: on school days before the demo was created, within the
// same school year if it is old enough.
import { dayMs, hourMs, minuteMs } from '#core/platform/pure/dates/durations.ts';
import { schoolYearDates, type YearStart } from '#rules/catalogue/engine/index.ts';
import { type Random, randomStream } from './random.ts';
import { studentsPerClass } from './roster.ts';

export interface Visit {
  /** Part of the diagnostic, from 1; null means reading aloud. */
  readonly part: number | null;
  /** Number of earlier visits of the same kind. */
  readonly practised: number;
  readonly startsAt: Date;
  /** When the results of the day are computed, after all children have finished. */
  readonly evaluatedAt: Date;
}

interface Wave {
  /** Consecutive sittings of an hour each: parts, or null for reading aloud. */
  readonly sittings: readonly (number | null)[];
  readonly daysAgo: number;
  readonly comes: (studentIndex: number, random: Random) => boolean;
}

const allChildren = () => true;
/** More than half of a class: every measure has values in every class, and some children have parts left to take. */
const secondHalf = (studentIndex: number) => studentIndex >= Math.floor(studentsPerClass / 2);

function wavesOf(parts: number): Wave[] {
  const others = Array.from({ length: parts - 1 }, (_, index) => index + 2);
  const half = Math.ceil(others.length / 2);
  return [
    { sittings: [1], daysAgo: 70, comes: allChildren },
    { sittings: others.slice(0, half), daysAgo: 63, comes: secondHalf },
    { sittings: others.slice(half), daysAgo: 56, comes: secondHalf },
    { sittings: [null], daysAgo: 49, comes: secondHalf },
    { sittings: [1], daysAgo: 21, comes: (studentIndex, random) => !secondHalf(studentIndex) && random.chance(0.6) },
    { sittings: [null], daysAgo: 14, comes: secondHalf },
  ];
}

/** Days since the first wave of the last class, including a weekend. */
const longestDaysAgo = 78;

export interface VisitContext {
  /** Local date on which the demo is created, `YYYY-MM-DD`. */
  readonly today: string;
  /** School year start of the catalogue in force. */
  readonly yearStart: YearStart;
  /** Each class has its own weekday. */
  readonly classIndex: number;
  /** Index within the class, from 0; children start a minute apart. */
  readonly studentIndex: number;
  /** Number of diagnostic parts of the grade. */
  readonly parts: number;
  /** Earlier visits of the child. */
  readonly before?: readonly Visit[];
}

/** Days from the visit in the season before to the season's last day. */
const daysBeforeTheEnd = 14;

export type SeasonVisitContext = Pick<VisitContext, 'yearStart' | 'classIndex' | 'studentIndex'> & {
  /** Last day of the season, `YYYY-MM-DD`. */
  readonly lastDay: string;
};

/**
 * Returns the visits in the season before: all children take the first part and then read aloud, so that its release
 * has counts.
 */
export function visitsInSeasonBefore({ lastDay, yearStart, classIndex, studentIndex }: SeasonVisitContext): Visit[] {
  const opensMs = dayMsOf(schoolDay(lastDay, yearStart, daysBeforeTheEnd + classIndex)) + morningMs;
  const sittings = [1, null];
  const evaluatedAt = new Date(opensMs + sittings.length * hourMs - minuteMs);
  return sittings.map((part, at) => ({
    ...{ part, practised: 0, startsAt: new Date(opensMs + at * hourMs + studentIndex * minuteMs), evaluatedAt },
  }));
}

/** Returns visits in chronological order. `key` names the child. */
export function visitsOf(key: string, context: VisitContext): Visit[] {
  const { today, yearStart, classIndex, studentIndex, parts, before = [] } = context;
  const random = randomStream(`${key}/visits`);
  const came = before.map(({ part }) => part);
  let hours = 0;
  return wavesOf(parts).flatMap(({ sittings, daysAgo, comes }) => {
    const opensMs = dayMsOf(schoolDay(today, yearStart, daysAgo + classIndex)) + morningMs + hours * hourMs;
    hours += sittings.length;
    if (!comes(studentIndex, random)) return [];
    const evaluatedAt = new Date(opensMs + sittings.length * hourMs - minuteMs);
    return sittings.map((part, at) => {
      const practised = came.filter((earlier) => earlier === part).length;
      came.push(part);
      return { part, practised, startsAt: new Date(opensMs + at * hourMs + studentIndex * minuteMs), evaluatedAt };
    });
  });
}

/** 08:00 in Riyadh is 05:00 UTC all year. Waves on one day follow each other. */
const morningMs = 5 * hourMs;

const dayMsOf = (date: string): number => Date.parse(`${date}T00:00:00.000Z`);
const dateOf = (dayAtMs: number): string => new Date(dayAtMs).toISOString().slice(0, 10);

/** Returns the requested day or the nearest school day; early in a school year all days are compressed. */
function schoolDay(today: string, yearStart: YearStart, requestedDaysAgo: number): string {
  const todayMs = dayMsOf(today);
  const daysOfYear = (todayMs - dayMsOf(schoolYearDates(today, yearStart).from)) / dayMs;
  const daysAgo = Math.max(1, Math.floor(requestedDaysAgo * Math.min(1, daysOfYear / longestDaysAgo)));
  const requestedMs = todayMs - daysAgo * dayMs;
  const weekendDay = daysSinceThursday(requestedMs);
  if (weekendDay === 0) return dateOf(requestedMs);
  const sundayMs = requestedMs + (3 - weekendDay) * dayMs;
  return dateOf(sundayMs < todayMs ? sundayMs : requestedMs - weekendDay * dayMs);
}

/** Returns 1 for Friday, 2 for Saturday, 0 for school days. */
function daysSinceThursday(dayAtMs: number): number {
  const sinceThursday = (new Date(dayAtMs).getUTCDay() + 3) % 7;
  return sinceThursday <= 2 ? sinceThursday : 0;
}
