// A decision table with its answers read once into typed values, so that a layer never meets a foreign word.
import type { Table } from './compile.ts';
import { collect, decide } from './decide.ts';
import type { Decision, Facts } from './document/document.ts';

/** What a rule says: its event parameters, with its id. */
export interface RuleAnswer {
  readonly ruleId: string;
  readonly outcome: string;
  /** The parameter as one of `words`; throws RangeError on any other value. */
  word<W extends string>(parameter: string, words: readonly W[]): W;
  /** A list of such words; an absent parameter is an empty list. */
  words<W extends string>(parameter: string, words: readonly W[]): readonly W[];
  number(parameter: string): number;
  flag(parameter: string): boolean;
}

/** First hit as a typed value. `read` runs once per rule, here: a rule that cannot be read fails the compilation. */
export function firstHit<T>(table: Table, read: (answer: RuleAnswer) => T): (facts: Facts) => T {
  const answers = new Map(table.decisions.map((decision) => [decision.ruleId, read(answerOf(table, decision))]));
  const { observe } = table;
  if (!observe) return (facts) => answers.get(decide(table, facts).ruleId) as T;
  return (facts) => answers.get(observe(table, facts, [decide(table, facts)])[0]?.ruleId ?? '') as T;
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
