// Lays the rows of a table over its space, once: what arrives at each row, what the row decides, and what is left over.
import { type Box, boxesOf, disjoint, fullBox, intersection, subtractAll } from '../boxes.ts';
import type { TableDocument } from '../document/document.ts';
import { type FactPartition, partitionFacts } from '../partition.ts';

/** All lists of boxes but `holding` are disjoint, so that their cells can be counted. */
export interface Layers {
  readonly document: TableDocument;
  readonly partition: readonly FactPartition[];
  /** The space without the impossible. */
  readonly possible: readonly Box[];
  /** For each row, where its conditions hold; impossible facts included. */
  readonly holding: readonly (readonly Box[])[];
  /** For each row, what the rows above leave to it; a collect table leaves everything to every row. */
  readonly arriving: readonly (readonly Box[])[];
  /** For each row, where it is the answer; of a collect table one of the answers. */
  readonly deciding: readonly (readonly Box[])[];
  /** Where no row holds: the gaps of a first-hit table. */
  readonly left: readonly Box[];
}

/** `partition` may be finer than the document's own: then other documents' comparisons can be asked about too. */
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

/** The cells that both unions have; disjoint when both are. */
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
