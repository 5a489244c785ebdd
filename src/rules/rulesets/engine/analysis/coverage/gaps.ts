// Gaps: facts that no row decides, with a row that an author can start from.
import type { Rule, TableDocument } from '../../document/document.ts';
import { errorFinding, type Finding } from '../../document/findings.ts';
import { type BoxView, viewOf, withReferences } from '../box-view.ts';
import type { CellAnalysis } from '../cell-analysis.ts';
import { conditionText } from '../condition-text.ts';
import type { Layers } from '../layers.ts';

export interface GapFinding extends Finding {
  /** Largest first; a gap may consist of very many boxes. */
  readonly boxes: readonly BoxView[];
  readonly proposedRow?: ProposedRow;
}

/** A row without its outcome. A neighbour's outcome would be arbitrary, and proposals are easily accepted. */
export type ProposedRow = Omit<Rule, 'event'> & {
  readonly event: Pick<Rule['event'], 'type'> & { readonly params: object };
};

const shownBoxes = 20;

/** Returns one finding for all gaps; none for a collect table, in which no hit is a valid answer. */
export function gapFindings(layers: Layers, { gapCells, possibleCells }: CellAnalysis): readonly GapFinding[] {
  if (layers.document.meta.hitPolicy !== 'first') return [];
  const gaps = layers.left
    .map((box) => ({ box, view: viewOf(box, layers.partition, possibleCells) }))
    .sort((left, right) => right.view.share - left.view.share);
  const [largest] = gaps;
  if (!largest) return [];
  const percent = Number(((100 * gapCells) / possibleCells).toPrecision(3));
  const finding = errorFinding('GAP', 'no_rule', { percent, conditions: conditionText(largest.view.conditions) });
  const boxes = gaps.slice(0, shownBoxes).map(({ view }) => view);
  const row = proposedRow(layers.document, largest.view);
  return [{ ...finding, boxes, ...(row ? { proposedRow: row } : {}) }];
}

/** Returns a row for the box. Its position is free, since no other row holds there. */
function proposedRow(document: TableDocument, { conditions }: BoxView): ProposedRow | undefined {
  const [first] = document.rules;
  const last = document.rules.at(-1);
  if (!first || !last) return undefined;
  return {
    name: freeName(document.rules, document.meta.family.toUpperCase()),
    priority: last.priority > 1 ? last.priority - 1 : first.priority + 1,
    rationale: 'Proposed for facts that no row decides. Its outcome is left open: choose it, and say here why.',
    conditions: withReferences(conditions, document),
    event: { type: last.event.type, params: {} },
  };
}

function freeName(rules: readonly Rule[], prefix: string): string {
  const taken = new Set(rules.map(({ name }) => name));
  let number = rules.length + 1;
  while (taken.has(`${prefix}-${number}`)) number += 1;
  return `${prefix}-${number}`;
}
