// One frozen version of the item bank, indexed.
import type { GradeBand, Item } from './item.ts';

export interface BankDocument {
  readonly version: number;
  readonly items: readonly Item[];
}

export interface ItemBank {
  readonly version: number;
  readonly items: readonly Item[];
  /** Finds an item by its bank id or its public id. */
  find(id: string): Item | undefined;
  /** Active and withdrawn items of one sub-skill and band, in id order. */
  cell(subSkillCode: string, band: GradeBand): readonly Item[];
}

/** Throws RangeError when two items share an id. */
export function itemBank(document: BankDocument): ItemBank {
  const byId = new Map<string, Item>();
  const cells = new Map<string, Item[]>();
  for (const item of document.items) {
    for (const id of [item.id, item.publicId]) {
      if (byId.has(id)) throw new RangeError(`item id ${id} is used twice`);
      byId.set(id, item);
    }
    const cell = cellName(item.subSkillCode, item.gradeBand);
    const members = cells.get(cell);
    if (members) members.push(item);
    else cells.set(cell, [item]);
  }
  for (const members of cells.values()) members.sort((a, b) => (a.id < b.id ? -1 : 1));
  return {
    version: document.version,
    items: document.items,
    find: (id) => byId.get(id),
    cell: (subSkillCode, band) => cells.get(cellName(subSkillCode, band)) ?? [],
  };
}

const cellName = (subSkillCode: string, band: GradeBand) => `${subSkillCode}.${band}`;
