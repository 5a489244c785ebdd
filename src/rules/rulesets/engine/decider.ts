// A decision table with its answers read once into typed values, so that a layer never meets a foreign word.
import type { Table } from './compile.ts';
import { collect, decide, lowestBit } from './decide.ts';
import type { Decision, Facts } from './document/document.ts';
import { bindFacts, type TypedFacts } from './typed-facts.ts';

/** What a rule says: its event parameters, with its id. */
export interface RuleAnswer {
  readonly ruleId: string;
  readonly outcome: string;
  /** The parameter as one of `words`; throws RangeError on any other value. */
  word<W extends string>(parameter: string, words: readonly W[]): W;
  /** As `word`; undefined where the rule leaves the parameter out. */
  wordIfAny<W extends string>(parameter: string, words: readonly W[]): W | undefined;
  /** A list of such words; an absent parameter is an empty list. */
  words<W extends string>(parameter: string, words: readonly W[]): readonly W[];
  number(parameter: string): number;
  flag(parameter: string): boolean;
}

/**
 * First hit as a typed value. `read` runs once per rule, here: a rule that cannot be read fails the compilation, and so
 * do facts that are not the table's (RangeError). The answering function throws as `decide` does.
 */
export function firstHit<F extends Facts, T>(
  table: Table,
  typed: TypedFacts<F>,
  read: (answer: RuleAnswer) => T,
): (facts: F) => T {
  if (!table.isFirstHit) throw new TypeError(`${table.id} collects; ask allHits()`);
  const answers = table.decisions.map((decision) => read(answerOf(table, decision)));
  const rowOf = rowFinder(table, typed);
  const { observe } = table;
  if (!observe) return (facts) => answers[rowOf(facts)] as T;
  const byRule = new Map(table.decisions.map(({ ruleId }, row) => [ruleId, answers[row]]));
  return (facts) => byRule.get(observe(table, facts, [decide(table, facts)])[0]?.ruleId ?? '') as T;
}

/**
 * The row of the first rule that holds. Where no box of the first word does, the checked way finds a later one, or the
 * fact at fault.
 */
function rowFinder<F extends Facts>(table: Table, typed: TypedFacts<F>): (facts: F) => number {
  const admitted = bindFacts(table, typed);
  const { rowOfBox, decisions } = table;
  return (facts) => {
    const possible = admitted(facts);
    return possible === 0 ? decisions.indexOf(decide(table, facts)) : (rowOfBox[lowestBit(possible)] ?? -1);
  };
}

/** All hits of a collect table, in priority order, as typed values. */
export function allHits<T>(table: Table, read: (answer: RuleAnswer) => T): (facts: Facts) => T[] {
  const answers = new Map(table.decisions.map((decision) => [decision.ruleId, read(answerOf(table, decision))]));
  const { observe } = table;
  const ask = (facts: Facts) => collect(table, facts);
  const hits = observe ? (facts: Facts) => observe(table, facts, ask(facts)) : ask;
  return (facts) => hits(facts).map(({ ruleId }) => answers.get(ruleId) as T);
}

function answerOf(table: Table, { ruleId, outcome, params }: Decision): RuleAnswer {
  const refuse = (parameter: string): never => {
    throw new RangeError(`${table.id} ${ruleId}: ${parameter} ${String(params[parameter])} is not known`);
  };
  const among = <W extends string>(parameter: string, value: unknown, words: readonly W[]): W =>
    words.find((word) => word === value) ?? refuse(parameter);
  return {
    ruleId,
    outcome,
    word: (parameter, words) => among(parameter, params[parameter], words),
    wordIfAny: (parameter, words) =>
      params[parameter] === undefined ? undefined : among(parameter, params[parameter], words),
    words: (parameter, words) => {
      const list = params[parameter] ?? [];
      return Array.isArray(list) ? list.map((value) => among(parameter, value, words)) : refuse(parameter);
    },
    number: (parameter) => {
      const value = params[parameter];
      return typeof value === 'number' ? value : refuse(parameter);
    },
    flag: (parameter) => {
      const value = params[parameter];
      return typeof value === 'boolean' ? value : refuse(parameter);
    },
  };
}
