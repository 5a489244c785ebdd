// Calibrates one cell: a proposal for each item with enough answers, with measures of its quality. Items that all
// students answer alike keep their difficulty.
import { roundHalfAway } from '#core/platform/pure/round.ts';
import { type AnswerCounts, answerCountsOf, type Difference, differences, onlyItems } from './differential.ts';
import { estimate } from './estimate.ts';
import { type ItemFit, isMisfit, itemFits } from './fit.ts';
import { standardErrors } from './information.ts';
import type { Group, Model } from './marginal.ts';
import { patternsOf, type Sitting } from './responses.ts';

/** Minimum answers per item; with fewer, the standard error exceeds half a logit (Linacre 1994). */
const leastAnswers = 30;

export interface CellItem {
  readonly id: string;
  readonly version: number;
  readonly difficulty: number;
}

/** A sitting with the group attributes of its child. */
export interface GroupedSitting extends Sitting {
  /** Null when unknown. */
  readonly otherFirstLanguage: boolean | null;
}

export interface CellAnswers {
  readonly items: readonly CellItem[];
  /** The groups: grades in ascending order. */
  readonly grades: readonly number[];
  readonly sittings: readonly GroupedSitting[];
}

export type ItemFlag = 'misfit' | 'differs_by_grade' | 'differs_by_first_language';

export interface ProposedItem {
  readonly id: string;
  readonly version: number;
  readonly n: number;
  /** In logits, one decimal, as in the bank. */
  readonly difficulty: number;
  readonly estimate: number;
  readonly se: number;
  readonly infit: number;
  readonly outfit: number;
  readonly before: number;
  /** Difference of difficulty in logits, second group minus first; null when it could not be compared. */
  readonly byGrade: number | null;
  readonly byFirstLanguage: number | null;
  readonly flags: readonly ItemFlag[];
}

export interface ProposedCell {
  readonly sittings: number;
  readonly converged: boolean;
  readonly grades: readonly ({ readonly grade: number } & Group)[];
  readonly items: readonly ProposedItem[];
  /** Items without enough answers, or that all students answered alike. */
  readonly notCalibrated: readonly string[];
}

const limit = 4;
const toBank = (value: number): number => Math.max(-limit, Math.min(limit, roundHalfAway(value, 1)));
const four = (value: number): number => roundHalfAway(value, 4);

/**
 * Returns undefined when fewer than two items can be calibrated, so that there is no scale. Throws RangeError when the
 * answers contain too little information.
 */
export function calibrateCell(asked: CellAnswers): ProposedCell | undefined {
  const cell = withGroups(asked);
  const counts = answerCountsOf(cell.sittings, cell.items.length);
  const known = calibrated(counts);
  if (known.length < 2) return undefined;
  const before = known.map((item) => cell.items[item]?.difficulty ?? 0);
  const meanDifficulty = before.reduce((sum, difficulty) => sum + difficulty, 0) / known.length;
  const patterns = patternsOf(onlyItems(cell.sittings, known));
  const model = estimate(patterns, { items: known.length, groups: cell.grades.length }, { meanDifficulty });
  const facts = { model, errors: standardErrors(model, patterns, true), fits: itemFits(model, patterns) };
  const compared = comparisons(cell);
  return {
    sittings: cell.sittings.length,
    converged: model.converged,
    grades: model.groups.map(({ mean, sd }, at) => ({ grade: cell.grades[at] ?? 0, mean: four(mean), sd: four(sd) })),
    items: known.flatMap((item, at) =>
      proposed(cell.items[item], counts[item], estimatedAt(facts, at), compared, item),
    ),
    notCalibrated: cell.items.filter((_, item) => !known.includes(item)).map(({ id }) => id),
  };
}

/**
 * With too few sittings, a grade has no distribution of its own: then all form one group, named after the lowest grade.
 */
function withGroups(cell: CellAnswers): CellAnswers {
  const sat = cell.grades.map((_, at) => cell.sittings.filter(({ group }) => group === at).length);
  if (sat.every((count) => count >= leastAnswers)) return cell;
  return { ...cell, grades: cell.grades.slice(0, 1), sittings: cell.sittings.map((one) => ({ ...one, group: 0 })) };
}

function calibrated(counts: readonly AnswerCounts[]): number[] {
  return counts.flatMap(({ right, wrong }, item) =>
    right + wrong >= leastAnswers && right > 0 && wrong > 0 ? [item] : [],
  );
}

interface Estimated extends ItemFit {
  readonly difficulty: number;
  readonly se: number;
}

function estimatedAt(
  { model, errors, fits }: { model: Model; errors: readonly number[]; fits: readonly ItemFit[] },
  at: number,
): Estimated {
  const { infit, outfit } = fits[at] ?? { infit: Number.NaN, outfit: Number.NaN };
  return { difficulty: model.difficulties[at] ?? 0, se: errors[at] ?? 0, infit, outfit };
}

function proposed(
  item: CellItem | undefined,
  answers: AnswerCounts | undefined,
  found: Estimated,
  compared: Comparisons,
  index: number,
): ProposedItem[] {
  if (!item || !answers) return [];
  const byGrade = compared.grade.get(index);
  const byLanguage = compared.language.get(index);
  const flags: readonly [ItemFlag, boolean | undefined][] = [
    ['misfit', isMisfit(found)],
    ['differs_by_grade', byGrade?.isLarge],
    ['differs_by_first_language', byLanguage?.isLarge],
  ];
  return [
    {
      id: item.id,
      version: item.version,
      n: answers.right + answers.wrong,
      difficulty: toBank(found.difficulty),
      estimate: four(found.difficulty),
      se: four(found.se),
      infit: four(found.infit),
      outfit: four(found.outfit),
      before: item.difficulty,
      byGrade: byGrade ? four(byGrade.logits) : null,
      byFirstLanguage: byLanguage ? four(byLanguage.logits) : null,
      flags: flags.flatMap(([flag, isRaised]) => (isRaised ? [flag] : [])),
    },
  ];
}

interface Comparisons {
  readonly grade: ReadonlyMap<number, Difference>;
  readonly language: ReadonlyMap<number, Difference>;
}

/**
 * Compares the lower grade of the band with the higher one, and children with another first language with the others.
 */
function comparisons({ items, grades, sittings }: CellAnswers): Comparisons {
  const ofGrades = (of: (grade: number) => boolean) => sittings.filter(({ group }) => of(grades[group] ?? 0));
  const lowest = Math.min(...grades);
  const spoken = (other: boolean) => sittings.filter(({ otherFirstLanguage }) => otherFirstLanguage === other);
  const byItem = (found: ReturnType<typeof differences>) => new Map((found ?? []).map((one) => [one.item, one]));
  return {
    grade: byItem(differences([ofGrades((one) => one === lowest), ofGrades((one) => one > lowest)], items.length)),
    language: byItem(differences([spoken(false), spoken(true)], items.length)),
  };
}
