// A simulated child reads a text aloud for a minute, at the pace and with the slips of its way of reading.
import type { Child } from './child.ts';
import { randomStream } from './random.ts';

export interface ReadAloud {
  /** Words of the text that were not read well, by their index. */
  readonly missed: readonly number[];
  readonly reason: 'time_up' | 'finished_early';
  readonly elapsedSeconds: number;
  readonly lastWordIndex: number;
}

/** Words that a typical child of each grade tries in a minute. */
const typicalRates = [9, 24, 38, 52] as const;
/** Rasch ability of that child (profiles). */
const typicalLogit = 3;
const typicalPace = 0.5;
const minuteSeconds = 60;

/** `words`: how many the text has; `practised`: how often the child has read aloud before. */
export function readAloud(child: Child, grade: number, words: number, practised: number): ReadAloud {
  const { profile, key } = child;
  const random = randomStream(`${key}/reading/${practised}`);
  const logit = profile.abilityLogit + (profile.domainLogit.FLU ?? 0) + practised * profile.growthLogit;
  const typical = typicalRates[grade - 1] ?? typicalRates[0];
  const rate = typical * 2 ** ((logit - typicalLogit) / 2) * Math.sqrt(typicalPace / profile.pace);
  const tried = Math.max(1, Math.round(rate * Math.exp(0.15 * random.normal())));
  const reached = Math.min(tried, words);
  const slips = 1 / (1 + Math.exp(logit - 0.5));
  const missed = Array.from({ length: reached }, (_, index) => index).filter(() => random.chance(slips));
  const lastWordIndex = reached - 1;
  if (tried < words) return { missed, reason: 'time_up', elapsedSeconds: minuteSeconds, lastWordIndex };
  const elapsedSeconds = Math.max(1, Math.floor((minuteSeconds * words) / tried));
  return { missed, reason: 'finished_early', elapsedSeconds, lastWordIndex };
}
