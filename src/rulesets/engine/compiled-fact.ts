// From a fact's value to the boxes that admit it. One record shape and short cuts for the first 32 boxes keep the hot
// path to one look-up per fact.
import type { FactSpec, FactValue } from './document.ts';
import type { FactPartition } from './partition.ts';

/** A fact made ready for look-ups; the members that its type does not need are empty. */
export interface CompiledFact {
  readonly name: string;
  readonly kind: number;
  readonly min: number;
  readonly max: number;
  readonly cuts: Float64Array;
  /** Slot 2n lies below cut n, slot 2n + 1 is the cut itself; slots that hold no value are −1. */
  readonly cellOfSlot: Int32Array;
  readonly cellOfWord: ReadonlyMap<unknown, number>;
  /** The boxes that admit each cell: of cell c, word w, the element `c * words + w`. */
  readonly masks: Int32Array;
  /** Word 0 of the masks: of a boolean, of an enum's words, of whole numbers counted from `min`, of any cell. */
  readonly maskOfFalse: number;
  readonly maskOfTrue: number;
  readonly maskOfWord: ReadonlyMap<unknown, number>;
  readonly maskOfWhole: Int32Array;
  readonly maskOfCell: Int32Array;
}

const flag = 0;
const word = 1;
/** Whole numbers of a domain small enough for one mask per value. */
const smallWhole = 2;
const largeWhole = 3;
const decimal = 4;
const smallDomain = 4096;

/** `masks` as described in CompiledFact, with `words` words a cell. */
export function compileFact(fact: FactPartition, masks: Int32Array, words: number): CompiledFact {
  const { name, spec, cuts } = fact;
  const { min, max } = spec.type === 'integer' || spec.type === 'decimal' ? spec : { min: 0, max: 0 };
  const cellOfWord = new Map(spec.type === 'enum' ? spec.values.map((value, cell) => [value, cell]) : []);
  const kind = kindOf(spec);
  const base = { name, kind, min, max, cuts: Float64Array.from(cuts), cellOfSlot: slotsOf(fact), cellOfWord, masks };
  const maskOfCell = masks.filter((_, index) => index % words === 0);
  const first = (cell: number): number => maskOfCell[cell] ?? 0;
  const wholes = kind === smallWhole ? max - min + 1 : 0;
  return {
    ...base,
    maskOfFalse: first(0),
    maskOfTrue: first(1),
    maskOfWord: new Map([...cellOfWord].map(([value, cell]) => [value, first(cell)])),
    maskOfWhole: Int32Array.from({ length: wholes }, (_, offset) => first(numericCell(base, min + offset))),
    maskOfCell,
  };
}

function kindOf(spec: FactSpec): number {
  if (spec.type === 'boolean') return flag;
  if (spec.type === 'enum') return word;
  if (spec.type === 'decimal') return decimal;
  return spec.max - spec.min < smallDomain ? smallWhole : largeWhole;
}

function slotsOf({ cells, cuts }: FactPartition): Int32Array {
  const cellOfSlot = new Int32Array(2 * cuts.length + 1).fill(-1);
  for (const [index, { sample }] of cells.entries()) {
    if (typeof sample === 'number') cellOfSlot[slotOf(cuts, sample)] = index;
  }
  return cellOfSlot;
}

/** Word 0 of the boxes that admit the value; undefined when the value is not in the fact's domain. */
export function maskOf(fact: CompiledFact, value: FactValue | undefined): number | undefined {
  if (fact.kind === flag) return value === true ? fact.maskOfTrue : value === false ? fact.maskOfFalse : undefined;
  if (fact.kind === word) return fact.maskOfWord.get(value);
  if (typeof value !== 'number') return undefined;
  // A fraction or a number outside the domain is no index, and reads as undefined.
  if (fact.kind === smallWhole) return fact.maskOfWhole[value - fact.min];
  const cell = numericCell(fact, value);
  return cell < 0 ? undefined : fact.maskOfCell[cell];
}

/** The number of the value's cell, or −1 when the value is not in the fact's domain. */
export function cellOf(fact: CompiledFact, value: FactValue | undefined): number {
  if (fact.kind === flag) return value === true ? 1 : value === false ? 0 : -1;
  if (fact.kind === word) return fact.cellOfWord.get(value) ?? -1;
  return typeof value === 'number' ? numericCell(fact, value) : -1;
}

type NumericFact = Pick<CompiledFact, 'kind' | 'min' | 'max' | 'cuts' | 'cellOfSlot'>;

function numericCell(fact: NumericFact, value: number): number {
  if (!(value >= fact.min && value <= fact.max)) return -1;
  if (fact.kind !== decimal && !Number.isInteger(value)) return -1;
  return fact.cellOfSlot[slotOf(fact.cuts, value)] ?? -1;
}

/** Linear on purpose: a fact has a handful of cuts. */
function slotOf(cuts: ArrayLike<number>, value: number): number {
  for (let cut = 0; cut < cuts.length; cut += 1) {
    const at = cuts[cut] ?? 0;
    if (value < at) return 2 * cut;
    if (value === at) return 2 * cut + 1;
  }
  return 2 * cuts.length;
}
