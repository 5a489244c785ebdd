// The calibration of one cell: a proposal for each item with enough answers, with how far it may be trusted. Items that
// everybody answers alike have no difficulty yet, and keep the one that they have.
import { roundHalfAway } from '#core/platform/pure/round.ts';
import { type Answers, answersOf, type Difference, differences, onlyItems } from './differential.ts';
import { estimate } from './estimate.ts';
import { type ItemFit, isMisfit, itemFits } from './fit.ts';
import { standardErrors } from './information.ts';
import type { Group, Model } from './marginal.ts';
import { patternsOf, type Sitting } from './responses.ts';

/** With fewer answers the standard error is beyond half a logit (Linacre 1994). */
const leastAnswers = 30;

export interface CellItem {
  readonly id: string;
  readonly version: number;
  readonly difficulty: number;
}

/** A sitting with what its child may be compared by. */
export interface GroupedSitting extends Sitting {
  /** null: not known. */
  readonly otherFirstLanguage: boolean | null;
}

export interface CellAnswers {
  readonly items: readonly CellItem[];
  /** Groups are grades, in ascending order. */
  readonly grades: readonly number[];
  readonly sittings: readonly GroupedSitting[];
}

export type ItemFlag = 'misfit' | 'differs_by_grade' | 'differs_by_first_language';

export interface ProposedItem {
  readonly id: string;
  readonly version: number;
  readonly n: number;
  /** One decimal, as the bank holds it. */
  readonly difficulty: number;
  readonly estimate: number;
  readonly se: number;
  readonly infit: number;
  readonly outfit: number;
  readonly before: number;
  /** Logits by which the item is harder for the second group; null where it could not be compared. */
  readonly byGrade: number | null;
  readonly byFirstLanguage: number | null;
  readonly flags: readonly ItemFlag[];
}

export interface ProposedCell {
  readonly sittings: number;
  readonly converged: boolean;
  readonly grades: readonly ({ readonly grade: number } & Group)[];
  readonly items: readonly ProposedItem[];
  /** Items without enough answers, or answered by all alike. */
  readonly notCalibrated: readonly string[];
}

const limit = 4;
const toBank = (value: number): number => Math.max(-limit, Math.min(limit, roundHalfAway(value, 1)));
const four = (value: number): number => roundHalfAway(value, 4);

/** undefined: fewer than two items can be calibrated, so there is no scale. RangeError: the answers tell too little of it. */
export function calibrateCell(asked: CellAnswers): ProposedCell | undefined {
  const cell = withGroups(asked);
  const counts = answersOf(cell.sittings, cell.items.length);
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

/** A grade of which too few sat has no distribution of its own: then all are one group, of the lowest grade's name. */
function withGroups(cell: CellAnswers): CellAnswers {
  const sat = cell.grades.map((_, at) => cell.sittings.filter(({ group }) => group === at).length);
  if (sat.every((count) => count >= leastAnswers)) return cell;
  return { ...cell, grades: cell.grades.slice(0, 1), sittings: cell.sittings.map((one) => ({ ...one, group: 0 })) };
}

function calibrated(counts: readonly Answers[]): number[] {
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
  answers: Answers | undefined,
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

/** The lower grade of the band against the higher one, and children of another first language against the others. */
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
