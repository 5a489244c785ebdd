// Decision tables with typed answers: each rule's answer is parsed once, so that a layer never sees an unknown value.
import type { Table } from './compile.ts';
import { collect, decide, lowestBit } from './decide.ts';
import type { Decision, Facts } from './document/document.ts';
import { bindFacts, type TypedFacts } from './typed-facts.ts';

/** The answer of a rule: its event parameters and its id. */
export interface RuleAnswer {
  readonly ruleId: string;
  readonly outcome: string;
  /** Returns the parameter as one of `words`. Throws RangeError for any other value. */
  word<W extends string>(parameter: string, words: readonly W[]): W;
  /** Returns the parameter like `word`, or undefined when the rule omits it. */
  wordIfAny<W extends string>(parameter: string, words: readonly W[]): W | undefined;
  /** Returns a list of such values; empty when the parameter is absent. */
  words<W extends string>(parameter: string, words: readonly W[]): readonly W[];
  number(parameter: string): number;
  flag(parameter: string): boolean;
}

/**
 * Returns a function that gives the first hit as a typed value and throws as `decide` does. `read` runs once per rule,
 * here: an unreadable rule, or facts that differ from the table's, throw RangeError now.
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
 * Returns the row of the first rule that holds. When no box of the first word matches, the checked path finds a later
 * one or the invalid fact.
 */
function rowFinder<F extends Facts>(table: Table, typed: TypedFacts<F>): (facts: F) => number {
  const admitted = bindFacts(table, typed);
  const { rowOfBox, decisions } = table;
  return (facts) => {
    const possible = admitted(facts);
    return possible === 0 ? decisions.indexOf(decide(table, facts)) : (rowOfBox[lowestBit(possible)] ?? -1);
  };
}

/** Returns a function that gives all hits of a collect table as typed values, in priority order. */
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
