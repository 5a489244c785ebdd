// One minute of oral reading: an ordered list of marks, and the stop that gives the score. A word that was reached and
// not marked counts as correct (DIBELS slash marking); marks after the last word reached are ignored.

import { round4 } from '#core/platform/pure/round.ts';
import { firstLineWords, lastWordOf, type Passage } from '../../../content/engine/index.ts';
import type { markKinds, stopReasons } from '../../enums.ts';

export type MarkKind = (typeof markKinds)[number];

export interface Mark {
  readonly wordIndex: number;
  readonly mark: MarkKind;
}

export type StopReason = (typeof stopReasons)[number];

export interface Stop {
  readonly reason: StopReason;
  /** Whole seconds, 1 to `fullSeconds`. */
  readonly elapsedSeconds: number;
  /** Index of the last word that the child tried; −1 for none. */
  readonly lastWordIndex: number;
  /** True when a person has confirmed a score that hardly any child reaches. */
  readonly confirmed?: boolean;
}

export interface ReadingScore {
  /** Correct words a minute, 4 decimals. */
  readonly wcpm: number;
  /** Share of the words tried, 4 decimals; null when none was. */
  readonly accuracy: number | null;
  readonly wordsAttempted: number;
  readonly wordsCorrect: number;
  readonly errors: number;
  readonly selfCorrections: number;
}

export type StoppedReading =
  | ({ readonly status: 'SCORED' } & ReadingScore)
  /** The teacher aborted the reading; it has no score. */
  | { readonly status: 'INVALID' };

/** `field` and `issue` of an impossible stop. */
export interface StopRefusal {
  readonly field: keyof Stop;
  readonly issue: string;
}

/** Length of a full reading in seconds; the measure is words per minute. */
export const fullSeconds = 60;

/** Returns the mark of each word; the last of several marks counts. */
const marksByWord = (marks: readonly Mark[]): ReadonlyMap<number, MarkKind> =>
  new Map(marks.map(({ wordIndex, mark }) => [wordIndex, mark]));

/** Returns why a stop is impossible; undefined when it is possible. */
export function stopRefusal(passage: Passage, marks: readonly Mark[], stop: Stop): StopRefusal | undefined {
  const { reason, elapsedSeconds, lastWordIndex } = stop;
  const lastWord = lastWordOf(passage);
  if (lastWordIndex > lastWord) return { field: 'lastWordIndex', issue: 'is not a word of the passage' };
  if (reason === 'time_up' && elapsedSeconds !== fullSeconds) {
    return { field: 'elapsedSeconds', issue: `is ${fullSeconds} when the time is up` };
  }
  if (reason === 'finished_early' && lastWordIndex !== lastWord) {
    return { field: 'lastWordIndex', issue: 'is not the last word of the passage' };
  }
  if (reason === 'discontinued' && !missedFirstLine(passage, marks, lastWordIndex)) {
    return { field: 'reason', issue: 'needs every word of the first line to be reached and missed' };
  }
  return undefined;
}

function missedFirstLine(passage: Passage, marks: readonly Mark[], lastWordIndex: number): boolean {
  const byWord = marksByWord(marks);
  return firstLineWords(passage).every((index) => index <= lastWordIndex && isError(byWord.get(index)));
}

const isError = (mark: MarkKind | undefined): boolean => mark === 'incorrect' || mark === 'omitted';

/**
 * Returns the result of a possible stop (see `stopRefusal`). A discontinued reading scores 0, whatever was read after
 * its first line.
 */
export function stopReading(marks: readonly Mark[], stop: Stop): StoppedReading {
  if (stop.reason === 'teacher_stop') return { status: 'INVALID' };
  const counts = countWords(marks, stop.lastWordIndex);
  if (stop.reason === 'discontinued') return { status: 'SCORED', ...counts, wcpm: 0, accuracy: 0 };
  const { wordsAttempted, wordsCorrect } = counts;
  return {
    status: 'SCORED',
    ...counts,
    wcpm: wordsPerMinute(wordsCorrect, stop.elapsedSeconds),
    accuracy: wordsAttempted === 0 ? null : round4(wordsCorrect / wordsAttempted),
  };
}

/** Returns words per minute, 4 decimals. */
export const wordsPerMinute = (wordsCorrect: number, elapsedSeconds: number): number =>
  round4((60 * wordsCorrect) / elapsedSeconds);

function countWords(marks: readonly Mark[], lastWordIndex: number) {
  const reached = [...marksByWord(marks)].filter(([index]) => index <= lastWordIndex).map(([, mark]) => mark);
  const errors = reached.filter(isError).length;
  const wordsAttempted = lastWordIndex + 1;
  return {
    wordsAttempted,
    wordsCorrect: wordsAttempted - errors,
    errors,
    selfCorrections: reached.filter((mark) => mark === 'self_corrected').length,
  };
}
