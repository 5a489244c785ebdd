// When a child sat in front of which part: mornings of school days before the demo was made, in the same school year
// where that is old enough.
import { schoolYearDates, type YearStart } from '../../catalogue/index.ts';
import { randomStream } from './random.ts';

export interface Visit {
  /** From 1. */
  readonly part: number;
  /** Earlier visits to the same part. */
  readonly practised: number;
  readonly startsAt: Date;
  /** When the day's results are made, after everybody has finished. */
  readonly evaluatedAt: Date;
}

interface Wave {
  readonly part: number;
  readonly daysAgo: number;
  /** Of the children. */
  readonly share: number;
}

const waves: readonly Wave[] = [
  { part: 1, daysAgo: 70, share: 1 },
  { part: 2, daysAgo: 63, share: 0.25 },
  { part: 3, daysAgo: 56, share: 0.08 },
  { part: 1, daysAgo: 21, share: 0.25 },
];
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
}

/** In order of time. `key` names the child. */
export function visitsOf(key: string, { today, yearStart, classIndex, seat }: Place): Visit[] {
  const random = randomStream(`${key}/visits`);
  return waves.flatMap(({ part, daysAgo, share }, index) => {
    if (!random.chance(share)) return [];
    const opensMs = dayMsOf(schoolDay(today, yearStart, daysAgo + classIndex)) + morningMs + index * hourMs;
    return {
      part,
      practised: waves.slice(0, index).filter((earlier) => earlier.part === part).length,
      startsAt: new Date(opensMs + seat * minuteMs),
      evaluatedAt: new Date(opensMs + hourMs - minuteMs),
    };
  });
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** 8:00 in Riyadh is 5:00 UTC, all the year round. Waves that fall on one day follow each other by an hour. */
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
