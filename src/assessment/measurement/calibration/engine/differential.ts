// Differential functioning: an item that is harder for one group than for the other, at the same ability. The cell is
// calibrated in each group alone, and the difficulties compared on one scale (Wright & Stone 1979); a difference counts
// when it is large by the convention of ETS (1.5 delta units) and beyond chance.
import { estimate, type ScaleAnchor } from './estimate.ts';
import { standardErrors } from './information.ts';
import { patternsOf, type Sitting, type SittingPattern } from './responses.ts';

/** Large difference: 1.5 delta units of 4 / 1.7 logits each. */
const largeLogits = 0.64;
/** Critical value at 99 %, because a cell tests a dozen items and more. */
const beyondChance = 2.58;
/** Minimum answers in each group; with fewer, the error of a difficulty exceeds a third of a logit (Linacre 1994). */
const leastAnswersOfGroup = 100;

export interface Difference {
  readonly item: number;
  /** Difficulty in the second group minus that in the first, in logits. */
  readonly logits: number;
  readonly se: number;
  readonly isLarge: boolean;
}

/** Returns the items with enough answers in both groups; undefined when there are fewer than two. */
export function differences(
  sittings: readonly [readonly Sitting[], readonly Sitting[]],
  items: number,
): Difference[] | undefined {
  const counts = sittings.map((group) => answerCountsOf(group, items));
  const shared = Array.from({ length: items }, (_, item) => item).filter((item) =>
    counts.every((of) => isEnough(of[item])),
  );
  if (shared.length < 2) return undefined;
  const [first, second] = sittings.map((group) => calibrated(group, shared));
  if (!first || !second) return undefined;
  return shared.map((item, at) => {
    const logits = (second.difficulties[at] ?? 0) - (first.difficulties[at] ?? 0);
    const se = Math.hypot(first.errors[at] ?? 0, second.errors[at] ?? 0);
    return { item, logits, se, isLarge: Math.abs(logits) >= largeLogits && Math.abs(logits) >= beyondChance * se };
  });
}

export interface AnswerCounts {
  readonly right: number;
  readonly wrong: number;
}

export function answerCountsOf(sittings: readonly Sitting[], items: number): AnswerCounts[] {
  const counts = Array.from({ length: items }, () => ({ right: 0, wrong: 0 }));
  for (const { items: asked, correct } of sittings) {
    for (const [at, item] of asked.entries()) {
      const count = counts[item];
      if (count) count[correct[at] ? 'right' : 'wrong']++;
    }
  }
  return counts;
}

const isEnough = (answers: AnswerCounts | undefined): boolean =>
  answers !== undefined &&
  answers.right + answers.wrong >= leastAnswersOfGroup &&
  answers.right > 0 &&
  answers.wrong > 0;

/** The mean difficulty is 0 in both groups, so that the scales are equal over all items. */
const anchor: ScaleAnchor = { meanDifficulty: 0 };

function calibrated(sittings: readonly Sitting[], shared: readonly number[]) {
  const patterns: SittingPattern[] = patternsOf(
    onlyItems(sittings, shared).map((sitting) => ({ ...sitting, group: 0 })),
  );
  const model = estimate(patterns, { items: shared.length, groups: 1 }, anchor);
  return { difficulties: model.difficulties, errors: standardErrors(model, patterns, true) };
}

/** Returns the sittings reduced to these items, recounted; sittings without any of them are removed. */
export function onlyItems(sittings: readonly Sitting[], kept: readonly number[]): Sitting[] {
  const indexOf = new Map(kept.map((item, at) => [item, at]));
  return sittings.flatMap(({ group, items, correct }) => {
    const answers = items.flatMap((item, at) => {
      const to = indexOf.get(item);
      return to === undefined ? [] : [{ item: to, right: correct[at] ?? false }];
    });
    if (answers.length === 0) return [];
    return [{ group, items: answers.map(({ item }) => item), correct: answers.map(({ right }) => right) }];
  });
}
