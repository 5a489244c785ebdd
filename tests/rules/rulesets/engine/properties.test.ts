// For every table the compiled one, an independent interpreter and the library give equal answers.
import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { cellCount, cellsOf, isImpossible } from '#rules/rulesets/engine/boundaries/cells.ts';
import { regionOf, uncovered } from '#rules/rulesets/engine/boundaries/regions.ts';
import type { Box } from '#rules/rulesets/engine/boxes.ts';
import { compileTable, type Table } from '#rules/rulesets/engine/compile.ts';
import { collect, decide, NoDecisionError } from '#rules/rulesets/engine/decide.ts';
import { firstFailure, holds } from '#rules/rulesets/engine/document/conditions.ts';
import type {
  Condition,
  FactSpec,
  Facts,
  RootCondition,
  TableDocument,
} from '#rules/rulesets/engine/document/document.ts';
import { checkRuleText } from '#rules/rulesets/engine/reading/parse.ts';
import { askReferenceEngine } from '#rules/rulesets/engine/reference-engine.ts';
import { validators } from '../document-schemas.ts';
import { smallTable } from '../tables.ts';
import { hitsByHand } from './interpreter.ts';

const specs: Readonly<Record<string, FactSpec>> = {
  count: { type: 'integer', min: 0, max: 6, better: null },
  share: { type: 'decimal', min: 0, max: 1, better: null },
  word: { type: 'enum', values: ['a', 'b', 'c'], better: null },
  flag: { type: 'boolean', better: null },
};
const counts = fc.integer({ min: 0, max: 6 });
const shares = fc.constantFrom(0, 0.2, 0.35, 0.5, 1);
const words = fc.constantFrom('a', 'b', 'c');

const comparison = fc.constantFrom(
  'equal',
  'notEqual',
  'lessThan',
  'lessThanInclusive',
  'greaterThan',
  'greaterThanInclusive',
);
const sameness = fc.constantFrom('equal', 'notEqual');
const membership = fc.constantFrom('in', 'notIn');
const leaf = fc.oneof(
  fc.record({ fact: fc.constant('count'), operator: comparison, value: counts }),
  fc.record({ fact: fc.constant('count'), operator: membership, value: fc.uniqueArray(counts, { minLength: 1 }) }),
  fc.record({ fact: fc.constant('share'), operator: comparison, value: shares }),
  fc.record({ fact: fc.constant('word'), operator: sameness, value: words }),
  fc.record({ fact: fc.constant('word'), operator: membership, value: fc.uniqueArray(words, { minLength: 1 }) }),
  fc.record({ fact: fc.constant('flag'), operator: sameness, value: fc.boolean() }),
) as fc.Arbitrary<Condition>;

const { root } = fc.letrec<{ root: RootCondition; node: Condition }>((tie) => ({
  node: fc.oneof({ maxDepth: 3 }, leaf, tie('root')),
  root: fc.oneof(
    { maxDepth: 3 },
    fc.record({ all: fc.array(tie('node'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ any: fc.array(tie('node'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ not: tie('node') }),
  ),
}));
const roots = fc.array(root, { minLength: 1, maxLength: 6 });
const factSets = fc.record({
  count: counts,
  share: fc.oneof(shares, fc.double({ min: 0, max: 1, noNaN: true })),
  word: words,
  flag: fc.boolean(),
}) as fc.Arbitrary<Facts>;

/** Returns the first hit, or 'none' for a gap. */
function firstHit(table: Table, facts: Facts): string {
  try {
    return decide(table, facts).ruleId;
  } catch (error) {
    if (error instanceof NoDecisionError) return 'none';
    throw error;
  }
}

test('a condition holds where no leaf explains why it does not', () => {
  fc.assert(
    fc.property(root, factSets, (condition, facts) => {
      assert.is(holds(condition, facts), firstFailure(condition, facts) === undefined, JSON.stringify(facts));
    }),
    { numRuns: 1_000 },
  );
});

test('first hit: decide equals the interpreter on any table and any facts', () => {
  fc.assert(
    fc.property(roots, fc.array(factSets, { minLength: 20, maxLength: 20 }), (conditions, sets) => {
      const document = smallTable(specs, conditions);
      const table = compileTable(document);
      for (const facts of sets) assert.is(firstHit(table, facts), hitsByHand(document, facts)[0] ?? 'none');
    }),
    { numRuns: 300 },
  );
});

test('collect: equals the interpreter and the library on any table', async () => {
  await fc.assert(
    fc.asyncProperty(roots, fc.array(factSets, { minLength: 3, maxLength: 3 }), async (conditions, sets) => {
      const document = smallTable(specs, conditions, 'collect');
      const table = compileTable(document);
      for (const facts of sets) {
        const hits = collect(table, facts);
        assert.equal(
          hits.map((hit) => hit.ruleId),
          hitsByHand(document, facts),
        );
        assert.equal(hits, await askReferenceEngine(document, facts));
      }
    }),
    { numRuns: 100 },
  );
});

test('cells: all members of a cell are decided alike, so that the cells cover the whole space', () => {
  fc.assert(
    fc.property(roots, factSets, (conditions, facts) => {
      const document = smallTable(specs, conditions);
      const table = compileTable(document);
      const answers = new Map([...cellsOf(table)].map((member) => [cellKey(table, member), firstHit(table, member)]));
      assert.is(answers.size, cellCount(table), 'every cell is visited once');
      assert.is(firstHit(table, facts), answers.get(cellKey(table, facts)));
    }),
    { numRuns: 100 },
  );
});

/** Returns the side of each literal on which the facts lie, by JavaScript's own comparison. */
function cellKey({ partition }: Table, facts: Facts): string {
  return partition
    .map(({ name, cuts }) => {
      const value = facts[name];
      return typeof value === 'number' ? cuts.map((cut) => Math.sign(value - cut)).join() : String(value);
    })
    .join(' ');
}

test('regions: box subtraction gives every cell to the rule that decides it, and gaps to none', () => {
  fc.assert(
    fc.property(roots, (conditions) => {
      const table = compileTable(smallTable(specs, conditions));
      const rows = table.document.rules.map((rule, row) => ({ name: rule.name, region: regionOf(table, row) }));
      const regions = [...rows, { name: 'none', region: uncovered(table) }];
      for (const facts of cellsOf(table)) {
        const owners = regions.flatMap(({ name, region }) =>
          region.filter((box) => isInside(table, box, facts)).map(() => name),
        );
        assert.equal(owners, [firstHit(table, facts)]);
      }
    }),
    { numRuns: 50 },
  );
});

const isInside = ({ partition }: Table, box: Box, facts: Facts): boolean =>
  partition.every(({ name, cells }, position) => {
    const cell = cells.findIndex(({ sample }) => sample === facts[name]);
    return cell >= 0 && ((box[position] ?? 0n) >> BigInt(cell)) & 1n;
  });

test('constraints: the enumeration leaves out exactly the impossible cells', () => {
  fc.assert(
    fc.property(roots, root, (conditions, impossible) => {
      const constraints = [{ id: 'T-C1', rationale: 'made for a test', impossible }];
      const document: TableDocument = { ...smallTable(specs, conditions), constraints };
      const constrained = compileTable(document);
      const all = [...cellsOf({ ...constrained, document: { ...document, constraints: [] } })];
      const possible = all.filter((facts) => !isImpossible(constrained, facts));
      assert.equal([...cellsOf(constrained)], possible);
    }),
    { numRuns: 100 },
  );
});

test('the loader accepts the generated tables, so that the properties above apply to loadable documents', () => {
  fc.assert(
    fc.property(roots, (conditions) => {
      const findings = checkRuleText(JSON.stringify(smallTable(specs, conditions)), validators);
      assert.equal(
        findings.filter((finding) => finding.level === 'error'),
        [],
      );
    }),
    { numRuns: 100 },
  );
});

test.run();
