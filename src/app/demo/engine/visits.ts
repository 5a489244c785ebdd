// When a child sat in front of which part, or read aloud: school days before the demo was made, in the same school year
// where that is old enough.
import { dayMs, hourMs, minuteMs } from '#core/platform/pure/dates/durations.ts';
import { schoolYearDates, type YearStart } from '#rules/catalogue/engine/index.ts';
import { type Random, randomStream } from './random.ts';
import { studentsPerClass } from './roster.ts';

export interface Visit {
  /** Of the diagnostic, from 1; null: the child reads aloud. */
  readonly part: number | null;
  /** Earlier visits of the same kind. */
  readonly practised: number;
  readonly startsAt: Date;
  /** When the day's results are made, after everybody has finished. */
  readonly evaluatedAt: Date;
}

interface Wave {
  /** One after the other, an hour each: parts, or null for reading aloud. */
  readonly sittings: readonly (number | null)[];
  readonly daysAgo: number;
  readonly comes: (seat: number, random: Random) => boolean;
}

const everybody = () => true;
/** Of a class more than half: each measure has values in every class, and the others have something left to take. */
const backRows = (seat: number) => seat >= Math.floor(studentsPerClass / 2);

function wavesOf(parts: number): Wave[] {
  const others = Array.from({ length: parts - 1 }, (_, index) => index + 2);
  const half = Math.ceil(others.length / 2);
  return [
    { sittings: [1], daysAgo: 70, comes: everybody },
    { sittings: others.slice(0, half), daysAgo: 63, comes: backRows },
    { sittings: others.slice(half), daysAgo: 56, comes: backRows },
    { sittings: [null], daysAgo: 49, comes: backRows },
    { sittings: [1], daysAgo: 21, comes: (seat, random) => !backRows(seat) && random.chance(0.6) },
    { sittings: [null], daysAgo: 14, comes: backRows },
  ];
}

/** The first wave of the last class, with a weekend in between. */
const longestDaysAgo = 78;

export interface Place {
  /** Calendar date on which the demo is made, `YYYY-MM-DD`. */
  readonly today: string;
  /** Of the catalogue in force. */
  readonly yearStart: YearStart;
  /** Each class has its own weekday. */
  readonly classIndex: number;
  /** From 0 within the class; children start a minute apart. */
  readonly seat: number;
  /** Parts of the diagnostic of the grade. */
  readonly parts: number;
  /** What the child had done before. */
  readonly before?: readonly Visit[];
}

/** From the visit of the season before to its last day: a class comes in the last weeks of it. */
const daysBeforeTheEnd = 14;

export type SeasonPlace = Pick<Place, 'yearStart' | 'classIndex' | 'seat'> & {
  /** Of the season, `YYYY-MM-DD`. */
  readonly lastDay: string;
};

/** Everybody comes once in the season before, to the first part and then to read aloud: its release has something to count. */
export function visitsInSeasonBefore({ lastDay, yearStart, classIndex, seat }: SeasonPlace): Visit[] {
  const opensMs = dayMsOf(schoolDay(lastDay, yearStart, daysBeforeTheEnd + classIndex)) + morningMs;
  const sittings = [1, null];
  const evaluatedAt = new Date(opensMs + sittings.length * hourMs - minuteMs);
  return sittings.map((part, at) => ({
    ...{ part, practised: 0, startsAt: new Date(opensMs + at * hourMs + seat * minuteMs), evaluatedAt },
  }));
}

/** In order of time. `key` names the child. */
export function visitsOf(key: string, place: Place): Visit[] {
  const { today, yearStart, classIndex, seat, parts, before = [] } = place;
  const random = randomStream(`${key}/visits`);
  const came = before.map(({ part }) => part);
  let hours = 0;
  return wavesOf(parts).flatMap(({ sittings, daysAgo, comes }) => {
    const opensMs = dayMsOf(schoolDay(today, yearStart, daysAgo + classIndex)) + morningMs + hours * hourMs;
    hours += sittings.length;
    if (!comes(seat, random)) return [];
    const evaluatedAt = new Date(opensMs + sittings.length * hourMs - minuteMs);
    return sittings.map((part, at) => {
      const practised = came.filter((earlier) => earlier === part).length;
      came.push(part);
      return { part, practised, startsAt: new Date(opensMs + at * hourMs + seat * minuteMs), evaluatedAt };
    });
  });
}

/** 8:00 in Riyadh is 5:00 UTC, all the year round. Waves that fall on one day follow each other. */
const morningMs = 5 * hourMs;

const dayMsOf = (date: string): number => Date.parse(`${date}T00:00:00.000Z`);
const dateOf = (dayAtMs: number): string => new Date(dayAtMs).toISOString().slice(0, 10);

/** The requested day or the school day next to it; early in a school year all days move closer together. */
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

/** Friday 1, Saturday 2, any school day 0. */
function daysSinceThursday(dayAtMs: number): number {
  const sinceThursday = (new Date(dayAtMs).getUTCDay() + 3) % 7;
  return sinceThursday <= 2 ? sinceThursday : 0;
}
