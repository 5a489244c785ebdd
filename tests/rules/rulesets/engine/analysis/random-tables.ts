// Random decision tables from a seed, so that a failing one is reproducible by its number.

import { seededNumbers } from '#core/platform/pure/random.ts';
import type {
  Condition,
  FactSpec,
  Leaf,
  RootCondition,
  TableDocument,
} from '#rules/rulesets/engine/document/document.ts';
import { smallTable } from '../../tables.ts';

export interface Size {
  readonly rules: number;
  readonly facts: number;
  readonly leaves: number;
  readonly constraints: number;
  readonly hitPolicy: 'first' | 'collect';
  /** Rows with one list of comparisons each, which overlap least and give the most regions. */
  readonly plain?: boolean;
}

const words = ['a', 'b', 'c', 'd', 'e'];
const specs: readonly FactSpec[] = [
  { type: 'boolean', better: 'up' },
  { type: 'enum', values: words, better: 'down' },
  { type: 'integer', min: 0, max: 20, better: 'up' },
  { type: 'decimal', min: 0, max: 1, better: null },
];

/** Five outcomes, four of them ordered; a default row and gaps both occur. */
export function randomTable(seed: number, size: Size): TableDocument {
  const draw = drawing(seed);
  const names = Array.from({ length: size.facts }, (_, at) => `f${at}`);
  const facts = Object.fromEntries(names.map((name, at) => [name, draw.from(specs.slice(at % 4, (at % 4) + 1))]));
  const roots = Array.from({ length: size.rules }, () => draw.root(names, facts, size.leaves, size.plain));
  if (size.hitPolicy === 'first' && draw.next() < 0.5) roots.splice(-1, 1, { all: [] });
  const table = smallTable(facts, roots, size.hitPolicy);
  const impossible = Array.from({ length: size.constraints }, () => draw.root(names, facts, 2));
  return {
    ...table,
    constraints: impossible.map((root, at) => ({ id: `C-${at}`, rationale: 'drawn', impossible: root })),
    outcomes: { order: ['o0', 'o1', 'o2', 'o3'], unordered: ['o4'] },
    rules: table.rules.map((rule) => ({
      ...rule,
      event: { ...rule.event, params: { outcome: `o${Math.floor(draw.next() * 5)}` } },
    })),
  };
}

function drawing(seed: number) {
  const next = seededNumbers(seed);
  const from = <T>(list: readonly T[]): T => {
    const one = list[Math.floor(next() * list.length)];
    if (one === undefined) throw new RangeError('nothing to draw from');
    return one;
  };
  const leaf = (fact: string, spec: FactSpec): Leaf => {
    if (spec.type === 'boolean') return { fact, operator: 'equal', value: next() < 0.5 };
    if (spec.type === 'enum') {
      const value = words.filter(() => next() < 0.5);
      return { fact, operator: from(['in', 'notIn']), value: value.length > 0 ? value : ['a'] };
    }
    const value = spec.type === 'integer' ? from([0, 2, 3, 10, 20]) : from([0, 0.2, 0.5]);
    return { fact, operator: from(['lessThan', 'greaterThanInclusive', 'equal', 'greaterThan']), value };
  };
  const root = (
    names: readonly string[],
    facts: Readonly<Record<string, FactSpec>>,
    leaves: number,
    plain = false,
  ): RootCondition => {
    const members = Array.from({ length: leaves }, (): Condition => {
      const name = from(names);
      return leaf(name, facts[name] ?? { type: 'boolean', better: null });
    });
    if (plain || next() < 0.75) return { all: members };
    return next() < 0.5 ? { any: members } : { all: [{ not: { any: members.slice(1) } }, ...members.slice(0, 1)] };
  };
  return { next, from, root };
}
