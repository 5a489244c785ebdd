// What can be done to end needs, and how long it takes: the parts of the grade's diagnostic, and an oral reading.

import type { ItemBank } from '../../../content/engine/index.ts';
import { type BandGrades, bandOfGrade } from '../../../content/engine/index.ts';
import type { Form } from '../../../measurement/engine/index.ts';
import { eligibleItems, selectNext, standardPrior } from '../../../measurement/engine/index.ts';
import type { Need } from './needs.ts';

export interface Measure {
  /** Null: an oral reading. */
  readonly formCode: string | null;
  /** In the order in which they are measured. */
  readonly subSkills: readonly string[];
  /** Seconds for so many items of one of its sub-skills; undefined when the measure cannot bring it that far. */
  secondsFor(subSkillCode: string, items: number): number | undefined;
}

export interface SelectionLimits {
  readonly nearLogit: number;
  readonly fairLogit: number;
  /** A diagnostic opens no sub-skill with fewer eligible items. */
  readonly minItemsToOpen: number;
  readonly gradeBands: BandGrades;
}

/** Oral reading counts words a minute, and is timed to one. */
const oralReadingSeconds = 60;

export const oralReading = (subSkills: readonly string[]): Measure => ({
  formCode: null,
  subSkills,
  secondsFor: () => oralReadingSeconds,
});

/** `seen`: items that the student met lately. Items are those that selection serves before any answer is known. */
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

/** What ending one need by a measure takes. */
export interface Ending {
  readonly need: Need;
  readonly subSkillCode: string;
  readonly seconds: number;
}

/** By the first of the measure's sub-skills that will do; undefined when none does. */
export function endingBy(measure: Measure, need: Need): Ending | undefined {
  for (const subSkillCode of measure.subSkills.filter((code) => need.subSkillCodes.includes(code))) {
    const seconds = measure.secondsFor(subSkillCode, need.itemsNeeded);
    if (seconds !== undefined) return { need, subSkillCode, seconds };
  }
  return undefined;
}
