// The forms of a grade: which sub-skills each part of its diagnostic asks.
import { chunks } from '#core/platform/pure/lists/chunks.ts';
import type { MeasurementValues } from '../../scoring/engine/values.ts';

/** The properties of a sub-skill that forms use; the list is in catalogue order. */
export interface FormSubSkill {
  readonly code: string;
  readonly grades: readonly number[];
  readonly measuredByOrf: boolean;
}

export interface Form {
  /** `DIAG-G{grade}-P{part}` */
  readonly formCode: string;
  readonly grade: number;
  /** From 1. */
  readonly partIndex: number;
  readonly partCount: number;
  readonly subSkills: readonly string[];
}

/**
 * Returns the parts of one grade: the named first part, then the grade's other item-measured sub-skills in catalogue
 * order.
 */
export function formsOfGrade(grade: number, catalogue: readonly FormSubSkill[], values: MeasurementValues): Form[] {
  const first = values.firstParts.get(grade) ?? [];
  const others = catalogue
    .filter(({ code, grades, measuredByOrf }) => grades.includes(grade) && !measuredByOrf && !first.includes(code))
    .map(({ code }) => code);
  const parts = [first, ...chunks(others, values.subSkillsPerPart)].filter((part) => part.length > 0);
  return parts.map((subSkills, index) => ({
    formCode: `DIAG-G${grade}-P${index + 1}`,
    grade,
    partIndex: index + 1,
    partCount: parts.length,
    subSkills,
  }));
}
