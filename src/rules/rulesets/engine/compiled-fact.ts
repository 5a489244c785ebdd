// Maps a fact's value to the boxes that admit it. All facts have one object shape, so that the loop over them stays
// monomorphic in a process with many tables.
import type { Box } from './boxes.ts';
import type { FactPartition } from './partition.ts';

/** A fact compiled for look-ups; members that its type does not need are empty. */
export interface CompiledFact {
  readonly name: string;
  readonly kind: number;
  readonly min: number;
  readonly max: number;
  /** Numeric facts have a slot below each cut, one for the cut itself and one above the last. */
  readonly cuts: Float64Array;
  readonly slotOfWord: ReadonlyMap<unknown, number>;
  readonly slots: number;
  /** The boxes that admit each slot, 32 to a word: of slot s, word w, the element `w * slots + s`. */
  readonly masks: Int32Array;
  /** Word 0 for values that need no slot: both values of a flag, and each enum value. */
  readonly maskOfFalse: number;
  readonly maskOfTrue: number;
  readonly maskOfWord: ReadonlyMap<unknown, number>;
}

export const flagFact = 0;
export const wordFact = 1;
const whole = 2;
const decimal = 3;
const kinds = { boolean: flagFact, enum: wordFact, integer: whole, decimal } as const;

/** `position` is the fact's index in the boxes, which fill `words` words of 32. */
export function compileFact(fact: FactPartition, position: number, boxes: readonly Box[], words: number): CompiledFact {
  const { name, spec } = fact;
  const cuts = Float64Array.from(fact.cuts);
  const cellOfSlot = cellsBySlot(fact, cuts);
  const slots = cellOfSlot.length;
  const masks = Int32Array.from({ length: slots * words }, (_, at) =>
    maskOfCell(boxes.slice(32 * Math.floor(at / slots)), position, cellOfSlot[at % slots]),
  );
  const values = spec.type === 'enum' ? spec.values : [];
  const { min, max } = 'min' in spec ? spec : { min: 0, max: 0 };
  return {
    name,
    kind: kinds[spec.type],
    min,
    max,
    cuts,
    slotOfWord: new Map(values.map((value, slot) => [value, slot])),
    slots,
    masks,
    maskOfFalse: masks[0] ?? 0,
    maskOfTrue: masks[1] ?? 0,
    maskOfWord: new Map(values.map((value, slot) => [value, masks[slot] ?? 0])),
  };
}

/** Returns the cell of each slot; undefined for a slot without a value. */
function cellsBySlot({ cells, spec }: FactPartition, cuts: Float64Array): readonly (number | undefined)[] {
  if (!('min' in spec)) return [...cells.keys()];
  const cellOfSlot = Array.from<number | undefined>({ length: 2 * cuts.length + 1 });
  for (const [cell, { sample }] of cells.entries()) cellOfSlot[slotAmong(cuts, Number(sample))] = cell;
  return cellOfSlot;
}

/** Returns which of the first 32 boxes admit the cell; bit n is box n. */
function maskOfCell(boxes: readonly Box[], position: number, cell: number | undefined): number {
  if (cell === undefined) return 0;
  return boxes.slice(0, 32).reduce((mask, box, bit) => {
    const isAdmitted = ((box[position] ?? 0n) >> BigInt(cell)) & 1n;
    return isAdmitted ? mask | (1 << bit) : mask;
  }, 0);
}

/** Returns the slot of a value; −1 when it is outside the fact's domain. */
export function slotOf(fact: CompiledFact, value: unknown): number {
  if (fact.kind === flagFact) return value === true ? 1 : value === false ? 0 : -1;
  return fact.kind === wordFact ? (fact.slotOfWord.get(value) ?? -1) : numericSlot(fact, value);
}

/** Returns the slot of a numeric value; −1 when it is outside the domain. */
export function numericSlot(fact: CompiledFact, value: unknown): number {
  if (typeof value !== 'number' || !(value >= fact.min && value <= fact.max)) return -1;
  if (fact.kind === whole && value !== Math.floor(value)) return -1;
  return slotAmong(fact.cuts, value);
}

/** A linear search, since a fact has a handful of cuts. */
function slotAmong(cuts: Float64Array, value: number): number {
  let slot = 0;
  for (let at = 0; at < cuts.length; at += 1) {
    const cut = cuts[at] ?? 0;
    if (value < cut) break;
    slot += value === cut ? 1 : 2;
  }
  return slot;
}
