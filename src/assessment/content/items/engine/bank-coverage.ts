// Coverage of a bank: the letters and patterns that it asks about, and the quality of its difficulties.
import { wordsOfLetters } from './arabic-marks.ts';
import { alphabet } from './checks/coverage.ts';
import type { Item } from './item.ts';

export interface LetterCoverage {
  readonly letter: string;
  /** Number of items by sub-skill that ask for the letter, or for a word or sound that begins with it. */
  readonly items: Readonly<Record<string, number>>;
}

/** Returns the coverage of each letter in the sub-skills of letters and sounds. */
export function letterCoverage(items: readonly Item[]): LetterCoverage[] {
  const asked = items.filter(({ subSkillCode }) => /^(LK|PA)_/.test(subSkillCode));
  return [...alphabet].map((letter) => {
    const counts: Record<string, number> = {};
    for (const item of asked.filter((one) => firstLetters(one).includes(letter))) {
      counts[item.subSkillCode] = (counts[item.subSkillCode] ?? 0) + 1;
    }
    return { letter, items: counts };
  });
}

/**
 * Returns the first letters of the right option and of the spoken text, with every form of hamza counted as its alef.
 */
function firstLetters({ options, correctIndex, prompt }: Item): string[] {
  const spoken = prompt.speech === prompt.text ? [] : [prompt.speech];
  return [options[correctIndex]?.text ?? '', ...spoken].flatMap((text) => {
    const first = wordsOfLetters(text)[0]?.[0]?.letter ?? '';
    return 'أإآ'.includes(first) ? 'ا' : first;
  });
}

/** Returns the number of items per error pattern that are designed to detect it. */
export function patternCoverage(items: readonly Item[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const pattern of items.flatMap(({ designedPatterns }) => designedPatterns).sort()) {
    counts[pattern] = (counts[pattern] ?? 0) + 1;
  }
  return counts;
}

export interface CalibrationState {
  readonly versions: readonly string[];
  readonly provisional: number;
  readonly leastAnswers: number;
}

/** Returns how many items are calibrated. `provisionalBelow`: CAL-MIN-01. */
export function calibrationState(items: readonly Item[], provisionalBelow: number): CalibrationState {
  return {
    versions: [...new Set(items.map(({ calibration }) => calibration.version))].sort(),
    provisional: items.filter(({ calibration }) => calibration.n < provisionalBelow).length,
    leastAnswers: Math.min(...items.map(({ calibration }) => calibration.n)),
  };
}
