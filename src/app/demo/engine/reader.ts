// Simulates a child who reads a text aloud for a minute, with the pace and errors of the child's profile.
import type { DemoChild } from './child.ts';
import { randomStream } from './random.ts';

export interface ReadAloud {
  /** Indexes of words that were not read correctly. */
  readonly missed: readonly number[];
  readonly reason: 'time_up' | 'finished_early';
  readonly elapsedSeconds: number;
  readonly lastWordIndex: number;
}

/** Words that a typical child of each grade attempts in a minute. */
const typicalRates = [9, 24, 38, 52] as const;
/** Rasch ability of that typical child (see profiles). */
const typicalLogit = 3;
const typicalPace = 0.5;
/** No child reads faster than so many typical ones. */
const fastest = 2.5;
const minuteSeconds = 60;

/** `words` is the length of the text, `practised` the number of earlier readings. */
export function readAloud(child: DemoChild, grade: number, words: number, practised: number): ReadAloud {
  const { profile, key } = child;
  const random = randomStream(`${key}/reading/${practised}`);
  const logit = profile.abilityLogit + (profile.domainLogit.FLU ?? 0) + practised * profile.growthLogit;
  const typical = typicalRates[grade - 1] ?? typicalRates[0];
  const rate = typical * 2 ** ((logit - typicalLogit) / 2) * Math.sqrt(typicalPace / profile.pace);
  const attempted = Math.round(rate * Math.exp(0.15 * random.normal()));
  const tried = Math.min(Math.max(1, attempted), Math.round(typical * fastest));
  const reached = Math.min(tried, words);
  const slips = 1 / (1 + Math.exp(logit - 0.5));
  const missed = Array.from({ length: reached }, (_, index) => index).filter(() => random.chance(slips));
  const lastWordIndex = reached - 1;
  if (tried < words) return { missed, reason: 'time_up', elapsedSeconds: minuteSeconds, lastWordIndex };
  const elapsedSeconds = Math.max(1, Math.floor((minuteSeconds * words) / tried));
  return { missed, reason: 'finished_early', elapsedSeconds, lastWordIndex };
}
