// Computes exactly where two versions of a table differ, by intersecting their regions.
import { type Box, disjoint, subtractAll } from '../../boxes.ts';
import type { Rule, RuleParams, TableDocument } from '../../document/document.ts';
import { partitionFacts } from '../../partition.ts';
import { type BoxView, viewOf } from '../box-view.ts';
import { common, type Layers, layersOf } from '../layers.ts';
import { decisionKey } from '../same-decision.ts';
import { cellsOfBoxes } from '../sizes.ts';
import { jointSpace } from './joint-space.ts';

/** A region with both answers. An answer is null where no rule applies or where the facts are impossible. */
export interface ChangedRegion {
  readonly before: RegionAnswer | null;
  readonly after: RegionAnswer | null;
  /** Share of the cells that are possible in either version, 0 to 1. */
  readonly share: number;
  readonly boxes: readonly BoxView[];
}

export interface RegionAnswer {
  readonly ruleId: string;
  readonly outcome: string;
  readonly params: RuleParams;
}

const shownBoxes = 20;

/**
 * Returns the changed regions, largest first, ignoring texts; null when a fact changed its type or the table its hit
 * policy.
 */
export function changedRegions(before: TableDocument, after: TableDocument): readonly ChangedRegion[] | null {
  const space = before.meta.hitPolicy === after.meta.hitPolicy ? jointSpace(before, after) : undefined;
  if (!space) return null;
  const partition = partitionFacts(space.cutters);
  const [left, right] = [layersOf(space.before, partition), layersOf(space.after, partition)];
  const spaceCells = cellsOfBoxes([...left.possible, ...subtractAll(right.possible, left.possible)]);
  const changes = before.meta.hitPolicy === 'first' ? firstHitChanges(left, right) : collectChanges(left, right);
  return changes
    .map((change) => regionOf(change, partition, spaceCells))
    .toSorted((one, other) => other.share - one.share);
}

interface Change {
  readonly before: Rule | undefined;
  readonly after: Rule | undefined;
  readonly boxes: readonly Box[];
}

function regionOf({ before, after, boxes }: Change, partition: Layers['partition'], spaceCells: number): ChangedRegion {
  const views = boxes
    .map((box) => viewOf(box, partition, spaceCells))
    .toSorted((one, other) => other.share - one.share);
  return {
    before: before ? answerOf(before) : null,
    after: after ? answerOf(after) : null,
    share: cellsOfBoxes(boxes) / spaceCells,
    boxes: views.slice(0, shownBoxes),
  };
}

const answerOf = ({ name, event }: Rule): RegionAnswer => ({
  ruleId: name,
  outcome: event.params.outcome,
  params: event.params,
});

/** Returns every pair of rows with different decisions between which facts moved. */
function firstHitChanges(left: Layers, right: Layers): readonly Change[] {
  return answersOf(left, right).flatMap((before) =>
    answersOf(right, left).flatMap((after) => {
      if (before.key === after.key) return [];
      const boxes = common(before.boxes, after.boxes);
      return boxes.length === 0 ? [] : [{ before: before.rule, after: after.rule, boxes }];
    }),
  );
}

interface Answer {
  readonly rule: Rule | undefined;
  readonly key: string;
  readonly boxes: readonly Box[];
}

/** Returns the regions of one side, and the part of the other side's space without an answer on this side. */
function answersOf(own: Layers, other: Layers): readonly Answer[] {
  const answers = own.document.rules.map((rule, row) => ({
    rule,
    key: decisionKey(rule),
    boxes: own.deciding[row] ?? [],
  }));
  const silent = [...own.left, ...subtractAll(other.possible, own.possible)];
  return [...answers, { rule: undefined, key: '', boxes: silent }];
}

/** In a collect table each answer counts separately: where it is given on one side only. */
function collectChanges(left: Layers, right: Layers): readonly Change[] {
  const [before, after] = [givenAnswers(left), givenAnswers(right)];
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((key) => {
    const [was, is] = [before.get(key), after.get(key)];
    const lost = { before: was?.rule, after: undefined, boxes: subtractAll(was?.boxes ?? [], is?.boxes ?? []) };
    const won = { before: undefined, after: is?.rule, boxes: subtractAll(is?.boxes ?? [], was?.boxes ?? []) };
    return [lost, won].filter(({ boxes }) => boxes.length > 0);
  });
}

/** Groups rules with the same decision, since it does not matter which of them applies. */
function givenAnswers({ document, deciding }: Layers): ReadonlyMap<string, Answer> {
  const answers = new Map<string, Answer>();
  for (const [row, rule] of document.rules.entries()) {
    const key = decisionKey(rule);
    const known = answers.get(key);
    const boxes = disjoint([...(known?.boxes ?? []), ...(deciding[row] ?? [])]);
    answers.set(key, { rule: known?.rule ?? rule, key, boxes });
  }
  return answers;
}
