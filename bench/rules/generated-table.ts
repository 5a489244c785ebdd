// A decision table of a given size from a seed: first hit, the default last, with the mix of facts of real tables.
import type {
  Condition,
  Constant,
  FactSpec,
  Leaf,
  Rule,
  TableDocument,
} from '../../src/rules/rulesets/engine/document/document.ts';

const words = ['none', 'mild', 'marked', 'severe'];
/** Thresholds of whole numbers; each fact has its own constants for them. */
const cuts = [4, 20];
const outcomes = ['weak', 'watch', 'partly', 'nearly', 'adequate'];

/** Facts alternate: enum, boolean, a number with two constants. Equal arguments give equal tables. */
export function generatedTable(rules: number, facts: number, seed: number): TableDocument {
  const next = numberStream(seed);
  const specs = Array.from({ length: facts }, (_, at): [string, FactSpec] => [`fact${at + 1}`, specAt(at)]);
  const rows = Array.from({ length: rules - 1 }, (_, row) => ruleAt(row, rules, conditionsFrom(specs, next), next));
  return {
    meta: {
      family: 'bench',
      key: 'generated',
      version: 1,
      hitPolicy: 'first',
      vocabulary: 'bench',
      title: { ar: 'جدول', en: 'Generated' },
    },
    facts: Object.fromEntries(specs),
    constants: Object.fromEntries(specs.flatMap(([name, spec]) => (spec.type === 'integer' ? constantsOf(name) : []))),
    outcomes: { order: outcomes, unordered: [] },
    messages: Object.fromEntries(outcomes.map((word) => [`bench.${word}`, { ar: 'نص', en: word }])),
    rules: [...rows, ruleAt(rules - 1, rules, [], next)],
  };
}

/** Returns the table with another value of its first constant, and of every number that it names. */
export function withOneConstantChanged(document: TableDocument): TableDocument {
  const [[changed, constant] = ['', undefined]] = Object.entries(document.constants ?? {});
  if (!constant) throw new Error('the table has no constant');
  const value = changedValue(Number(constant.value));
  const changedIn = (_key: string, member: unknown) => (isReferenceTo(changed, member) ? { ...member, value } : member);
  const copy = JSON.parse(JSON.stringify(document, changedIn)) as TableDocument;
  return {
    ...copy,
    meta: { ...copy.meta, version: copy.meta.version + 1 },
    constants: { ...copy.constants, [changed]: { ...constant, value } },
  };
}

const changedValue = (value: number): number => (Number.isInteger(value) ? value + 1 : value / 2);

const isReferenceTo = (id: string, member: unknown): member is Leaf =>
  typeof member === 'object' && member !== null && 'valueRef' in member && member.valueRef === id;

function specAt(at: number): FactSpec {
  if (at % 3 === 0) return { type: 'enum', values: words, better: at % 2 === 0 ? 'down' : null };
  if (at % 3 === 1) return { type: 'boolean', better: null };
  return { type: 'integer', min: 0, max: 100, unit: 'items', better: 'up' };
}

const constantsOf = (fact: string): [string, Constant][] =>
  cuts.map((value) => [constantId(fact, value), { value, unit: 'items', rationale: 'Made for a benchmark.' }]);

const constantId = (fact: string, value: number): string => `${fact.toUpperCase()}-${value}`;

type Facts = readonly (readonly [string, FactSpec])[];
type Next = (below: number) => number;

/** Returns three or four comparisons of different facts; every fifth rule has an alternative of two instead of one. */
function conditionsFrom(facts: Facts, next: Next): Condition[] {
  const drawn = [...facts].map((fact) => ({ fact, rank: next(1_000_000) })).sort((a, b) => a.rank - b.rank);
  const leaves = drawn.slice(0, 3 + next(2)).map(({ fact: [name, spec] }) => leafOn(name, spec, next));
  const [first, second, ...others] = leaves;
  return first && second && next(5) === 0 ? [{ any: [first, second] }, ...others] : leaves;
}

function leafOn(fact: string, spec: FactSpec, next: Next): Leaf {
  if (spec.type === 'boolean') return { fact, operator: 'equal', value: next(2) === 0 };
  if (spec.type === 'enum') {
    const from = next(words.length - 1);
    return { fact, operator: next(2) === 0 ? 'in' : 'notIn', value: words.slice(from, from + 2) };
  }
  const value = cuts[next(cuts.length)] ?? 0;
  return {
    fact,
    operator: next(2) === 0 ? 'lessThan' : 'greaterThanInclusive',
    value,
    valueRef: constantId(fact, value),
  };
}

function ruleAt(row: number, of: number, conditions: readonly Condition[], next: Next): Rule {
  const outcome = outcomes[next(outcomes.length)] ?? '';
  return {
    name: `BENCH-${String(row + 1).padStart(2, '0')}`,
    priority: 10 * (of - row),
    rationale: 'Made for a benchmark.',
    conditions: { all: conditions },
    event: { type: 'decision', params: { outcome, messageKey: `bench.${outcome}` } },
  };
}

/** Returns whole numbers from 0 to below `below` (Park and Miller's minimal standard), so that every run measures the same. */
function numberStream(seed: number): Next {
  let state = seed;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return Math.floor((state / 2_147_483_647) * below);
  };
}
