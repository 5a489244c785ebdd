// Facts that no row decides: where they are, and a row that a person could start from.
import type { Box } from '../../boxes.ts';
import type { Rule } from '../../document/document.ts';
import { errorFinding, type Finding } from '../../document/findings.ts';
import { type BoxView, viewOf, withReferences } from '../box-view.ts';
import { conditionText } from '../condition-text.ts';
import type { CellAnalysis } from '../cell-analysis.ts';
import type { Layers } from '../layers.ts';

export interface GapFinding extends Finding {
  /** Largest first; a gap may fall into very many. */
  readonly boxes: readonly BoxView[];
  readonly proposedRow?: Rule;
}

const shownBoxes = 20;

/** One finding for everything that no row decides; none for a collect table, where no hit is an answer. */
export function gapFindings(layers: Layers, { gapCells, possibleCells }: CellAnalysis): readonly GapFinding[] {
  if (layers.document.meta.hitPolicy !== 'first') return [];
  const gaps = layers.left
    .map((box) => ({ box, view: viewOf(box, layers.partition, possibleCells) }))
    .sort((left, right) => right.view.share - left.view.share);
  const [largest] = gaps;
  if (!largest) return [];
  const share = Number(((100 * gapCells) / possibleCells).toPrecision(3));
  const message = `no rule for ${share} % of the space, above all ${conditionText(largest.view.conditions)}`;
  const boxes = gaps.slice(0, shownBoxes).map(({ view }) => view);
  const row = proposedRow(layers, largest.box, largest.view);
  return [{ ...errorFinding('GAP', message), boxes, ...(row ? { proposedRow: row } : {}) }];
}

/** A row for the box that says what its nearest neighbour says; it may stand anywhere, since nothing else holds there. */
function proposedRow({ document, deciding }: Layers, box: Box, { conditions }: BoxView): Rule | undefined {
  const distances = deciding.map((boxes) => Math.min(...boxes.map((other) => partingFacts(box, other))));
  const nearest = document.rules[distances.indexOf(Math.min(...distances))];
  const last = document.rules.at(-1);
  if (!nearest || !last) return undefined;
  const top = document.rules[0]?.priority ?? 0;
  return {
    name: freeName(document.rules, document.meta.family.toUpperCase()),
    priority: last.priority > 1 ? last.priority - 1 : top + 1,
    rationale: `Proposed after its neighbour ${nearest.name}.`,
    conditions: withReferences(conditions, document),
    event: nearest.event,
  };
}

const partingFacts = (left: Box, right: Box): number =>
  left.filter((cells, fact) => (cells & (right[fact] ?? 0n)) === 0n).length;

function freeName(rules: readonly Rule[], prefix: string): string {
  const taken = new Set(rules.map(({ name }) => name));
  let number = rules.length + 1;
  while (taken.has(`${prefix}-${number}`)) number += 1;
  return `${prefix}-${number}`;
}
