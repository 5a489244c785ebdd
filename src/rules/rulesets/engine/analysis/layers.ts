// Computes the layers of a table once: what reaches each row, what the row decides, and what remains.
import { type Box, boxesOf, disjoint, fullBox, intersection, subtractAll } from '../boxes.ts';
import type { TableDocument } from '../document/document.ts';
import { type FactPartition, partitionFacts } from '../partition.ts';

/** All lists of boxes except `holding` are disjoint, so that their cells can be counted. */
export interface Layers {
  readonly document: TableDocument;
  readonly partition: readonly FactPartition[];
  /** The space without impossible facts. */
  readonly possible: readonly Box[];
  /** For each row, where its conditions hold, including impossible facts. */
  readonly holding: readonly (readonly Box[])[];
  /** For each row, what the rows above do not decide; in a collect table, everything. */
  readonly arriving: readonly (readonly Box[])[];
  /** For each row, where it is the answer; in a collect table, one of the answers. */
  readonly deciding: readonly (readonly Box[])[];
  /** Where no row holds: the gaps of a first-hit table. */
  readonly left: readonly Box[];
}

/** Returns the layers. `partition` may be finer than the document's own, to compare with other documents. */
export function layersOf(document: TableDocument, partition = partitionFacts(document)): Layers {
  const impossible = (document.constraints ?? []).flatMap((one) => boxesOf(one.impossible, partition));
  const possible = subtractAll([fullBox(partition)], impossible);
  const holding = document.rules.map((rule) => boxesOf(rule.conditions, partition));
  const isFirstHit = document.meta.hitPolicy === 'first';
  const arriving: (readonly Box[])[] = [];
  let left = possible;
  for (const boxes of holding) {
    arriving.push(isFirstHit ? left : possible);
    left = subtractAll(left, boxes);
  }
  const deciding = holding.map((boxes, row) => common(arriving[row] ?? [], disjoint(boxes)));
  return { document, partition, possible, holding, arriving, deciding, left };
}

/** Returns the intersection of two unions; it is disjoint when both are. */
export function common(left: readonly Box[], right: readonly Box[]): readonly Box[] {
  const shared: Box[] = [];
  for (const one of left) {
    for (const other of right) {
      const box = intersection(one, other);
      if (box) shared.push(box);
    }
  }
  return shared;
}

export const meet = (left: readonly Box[], right: readonly Box[]): boolean =>
  left.some((one) => right.some((other) => intersection(one, other) !== undefined));
