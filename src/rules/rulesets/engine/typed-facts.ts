// Facts of engines: names and types are compared with the table's once, where rules are loaded, so that deciding looks
// at values alone. Whoever is not known beforehand goes through `decide()`, which checks every fact by its name.
import type { Table } from './compile.ts';
import { type CompiledFact, flag as flagKind, numericSlot, word as wordKind } from './compiled-fact.ts';
import type { Facts } from './document/document.ts';

/** Those of a table's first 32 boxes that admit the value, as bits; 0 for a value outside the fact's domain. */
export type Admitted<V> = (value: V) => number;

/** The facts of one table by name. Each throws RangeError unless the table has such a fact of this type. */
export interface FactsOfTable {
  word(name: string): Admitted<string>;
  flag(name: string): Admitted<boolean>;
  number(name: string): Admitted<number>;
}

/**
 * How an engine gives its facts to one table: asks for all of them, and answers the boxes that admit them together.
 * Written out fact by fact, because that is twice as fast as a loop over names.
 */
export type TypedFacts<F extends Facts> = (of: FactsOfTable) => Admitted<F>;

/** Throws RangeError unless the table has exactly the facts that are asked for, with their types. */
export function bindFacts<F extends Facts>(table: Table, typed: TypedFacts<F>): Admitted<F> {
  const asked = new Set<string>();
  const factOf = (name: string, fits: (fact: CompiledFact) => boolean): CompiledFact => {
    asked.add(name);
    const fact = table.facts.find((one) => one.name === name && fits(one));
    if (!fact) throw new RangeError(`${table.id} has no fact ${name} of the type that the engine gives`);
    return fact;
  };
  const admitted = typed({
    word: (name) => admittedWord(factOf(name, ({ kind }) => kind === wordKind)),
    flag: (name) => admittedFlag(factOf(name, ({ kind }) => kind === flagKind)),
    number: (name) => admittedNumber(factOf(name, ({ kind }) => kind !== wordKind && kind !== flagKind)),
  });
  const unasked = table.facts.find(({ name }) => !asked.has(name));
  if (unasked) throw new RangeError(`${table.id} has a fact ${unasked.name} that the engine does not give`);
  return admitted;
}

const admittedWord =
  ({ maskOfWord }: CompiledFact): Admitted<string> =>
  (value) =>
    maskOfWord.get(value) ?? 0;

/** Compared with both values: types hold nobody back at run time. */
const admittedFlag =
  ({ maskOfTrue, maskOfFalse }: CompiledFact): Admitted<boolean> =>
  (value) =>
    value === true ? maskOfTrue : value === false ? maskOfFalse : 0;

const admittedNumber =
  (fact: CompiledFact): Admitted<number> =>
  (value) => {
    const slot = numericSlot(fact, value);
    return slot < 0 ? 0 : (fact.masks[slot] ?? 0);
  };
