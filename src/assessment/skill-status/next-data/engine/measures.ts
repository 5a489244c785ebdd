// Measures that end needs, and their duration: the parts of the grade's diagnostic, and an oral reading.

import type { ItemBank } from '../../../content/engine/index.ts';
import { type BandGrades, bandOfGrade } from '../../../content/engine/index.ts';
import type { Form } from '../../../measurement/engine/index.ts';
import { eligibleItems, selectNext, standardPrior } from '../../../measurement/engine/index.ts';
import type { Need } from './needs.ts';

export interface Measure {
  /** Null for an oral reading. */
  readonly formCode: string | null;
  /** In the order in which they are measured. */
  readonly subSkills: readonly string[];
  /** Returns the seconds for this number of items of a sub-skill; undefined when the measure cannot provide them. */
  secondsFor(subSkillCode: string, items: number): number | undefined;
}

export interface SelectionLimits {
  readonly nearLogit: number;
  readonly fairLogit: number;
  /** Minimum number of eligible items with which a diagnostic opens a sub-skill. */
  readonly minItemsToOpen: number;
  readonly gradeBands: BandGrades;
}

/** An oral reading lasts one minute. */
const oralReadingSeconds = 60;

export const oralReading = (subSkills: readonly string[]): Measure => ({
  formCode: null,
  subSkills,
  secondsFor: () => oralReadingSeconds,
});

/**
 * Returns a part of the diagnostic as a measure. `seen`: items seen lately. Items are those that selection serves
 * before any answer.
 */
export const diagnosticPart = (
  { formCode, grade, subSkills }: Form,
  bank: ItemBank,
  seen: ReadonlySet<string>,
  limits: SelectionLimits,
): Measure => ({
  formCode,
  subSkills,
  secondsFor(subSkillCode, items) {
    const cell = bank.cell(subSkillCode, bandOfGrade(grade, limits.gradeBands));
    const served = new Set<string>();
    if (eligibleItems(cell, served).length < Math.max(items, limits.minItemsToOpen)) return undefined;
    let seconds = 0;
    while (served.size < items) {
      const selection = selectNext({ cell, theta: standardPrior.mean, served, seen, ...limits });
      if (!selection) return undefined;
      served.add(selection.item.id);
      seconds += selection.item.expectedSeconds;
    }
    return seconds;
  },
});

/** The cost of ending one need by a measure. */
export interface Ending {
  readonly need: Need;
  readonly subSkillCode: string;
  readonly seconds: number;
}

/** Returns the ending by the first suitable sub-skill of the measure; undefined when there is none. */
export function endingBy(measure: Measure, need: Need): Ending | undefined {
  for (const subSkillCode of measure.subSkills.filter((code) => need.subSkillCodes.includes(code))) {
    const seconds = measure.secondsFor(subSkillCode, need.itemsNeeded);
    if (seconds !== undefined) return { need, subSkillCode, seconds };
  }
  return undefined;
}
