// Typed facts of engines: names and types are compared with the table's once, when rules are loaded, so that deciding
// reads values only. Callers without known facts use `decide()`, which checks every fact by name.
import type { Table } from './compile.ts';
import { type CompiledFact, flagFact as flagKind, numericSlot, wordFact as wordKind } from './compiled-fact.ts';
import type { Facts } from './document/document.ts';

/** Returns which of a table's first 32 boxes admit the value, as bits; 0 for a value outside the domain. */
export type AdmittedBoxes<V> = (value: V) => number;

/**
 * Access to the facts of one table by name. Each method throws RangeError unless the table has such a fact of this
 * type.
 */
export interface FactsOfTable {
  word(name: string): AdmittedBoxes<string>;
  flag(name: string): AdmittedBoxes<boolean>;
  number(name: string): AdmittedBoxes<number>;
}

/**
 * Declares how an engine passes its facts to one table: it requests all of them and returns the boxes that admit them
 * together. It is written out fact by fact, which is twice as fast as a loop over names.
 */
export type TypedFacts<F extends Facts> = (of: FactsOfTable) => AdmittedBoxes<F>;

/** Binds the facts. Throws RangeError unless the table has exactly the requested facts with their types. */
export function bindFacts<F extends Facts>(table: Table, typed: TypedFacts<F>): AdmittedBoxes<F> {
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
  const unread = table.facts.find(({ name }) => !asked.has(name));
  if (unread) throw new RangeError(`${table.id} has a fact ${unread.name} that the engine does not give`);
  return admitted;
}

const admittedWord =
  ({ maskOfWord }: CompiledFact): AdmittedBoxes<string> =>
  (value) =>
    maskOfWord.get(value) ?? 0;

/** Compared with both values, since types are not enforced at run time. */
const admittedFlag =
  ({ maskOfTrue, maskOfFalse }: CompiledFact): AdmittedBoxes<boolean> =>
  (value) =>
    value === true ? maskOfTrue : value === false ? maskOfFalse : 0;

const admittedNumber =
  (fact: CompiledFact): AdmittedBoxes<number> =>
  (value) => {
    const slot = numericSlot(fact, value);
    return slot < 0 ? 0 : (fact.masks[slot] ?? 0);
  };
