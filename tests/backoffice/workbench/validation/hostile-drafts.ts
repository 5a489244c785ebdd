// Drafts that a person might write to take the service down: each is a document of the right shape and a reasonable size.
import { canonicalJson } from '#core/platform/pure/canonical-json.ts';
import type { Json } from '../backoffice.ts';

export interface HostileDraft {
  readonly what: string;
  readonly document: Json;
  /** What `try` is asked with. */
  readonly facts: Json;
}

interface Size {
  readonly facts: number;
  readonly rules: number;
  readonly leaves: number;
  readonly kind: 'boolean' | 'integer';
  readonly branch: 'any' | 'all';
}

/** The same numbers in every run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

/** A table in the place of the status rules, its rules over random facts, and a default. */
function table({ facts, rules, leaves, kind, branch }: Size): Json {
  const next = numbers(7);
  const names = Array.from({ length: facts }, (_, at) => `f${at}`);
  const spec = kind === 'boolean' ? { type: kind, better: null } : { type: kind, min: 0, max: 999, better: null };
  const leaf = (at: number) => {
    const fact = names[leaves >= facts ? at % facts : next(facts)];
    return kind === 'boolean'
      ? { fact, operator: 'equal', value: true }
      : { fact, operator: next(2) ? 'greaterThan' : 'lessThan', value: 100 + next(800) };
  };
  const outcomes = ['one', 'two', 'three'];
  const rule = (at: number, conditions: Json) => ({
    ...{ name: `H-${at}`, priority: rules + 1 - at, rationale: 'none', conditions },
    event: { type: 'decision', params: { outcome: outcomes[at % 3] } },
  });
  const rows = Array.from({ length: rules }, (_, at) =>
    rule(at, { [branch]: Array.from({ length: leaves }, (_, place) => leaf(place)) }),
  );
  return {
    meta: {
      ...{ family: 'ssr', key: 'ssr', version: 2, hitPolicy: 'first', vocabulary: 'hostile' },
      title: { ar: 'جدول', en: 'table' },
    },
    facts: Object.fromEntries(names.map((name) => [name, spec])),
    outcomes: { order: outcomes, unordered: [] },
    rules: [...rows, rule(rules, { all: [] })],
  };
}

const hostile = (size: Size): HostileDraft => {
  const document = table(size);
  const value = size.kind === 'boolean' ? false : 50;
  const facts = Object.fromEntries(Object.keys(document.facts as Json).map((name) => [name, value]));
  const kilobytes = Math.round(canonicalJson(document).length / 1_000);
  return { what: `${kilobytes} KB: ${size.facts} facts, ${size.rules} rules of ${size.leaves}`, document, facts };
};

/** Those of the review that showed the hole, and some that stay just within what a table may be. */
export const hostileDrafts: readonly HostileDraft[] = [
  hostile({ facts: 600, rules: 1, leaves: 600, kind: 'boolean', branch: 'any' }),
  hostile({ facts: 1_500, rules: 1, leaves: 1_500, kind: 'boolean', branch: 'any' }),
  hostile({ facts: 30, rules: 300, leaves: 8, kind: 'integer', branch: 'any' }),
  hostile({ facts: 30, rules: 100, leaves: 8, kind: 'integer', branch: 'any' }),
  hostile({ facts: 64, rules: 40, leaves: 64, kind: 'boolean', branch: 'any' }),
];
