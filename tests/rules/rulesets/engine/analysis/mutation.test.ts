// Mutation score: equivalence of mutants is verified independently, cell by cell.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type Mutant, mutantsOf } from '#rules/rulesets/engine/analysis/mutation/mutants.ts';
import { mutationFindings, mutationReport } from '#rules/rulesets/engine/analysis/mutation/mutation.ts';
import { cellsOf } from '#rules/rulesets/engine/boundaries/cells.ts';
import { compileTable } from '#rules/rulesets/engine/compile.ts';
import type { FactSpec, Facts, TableDocument } from '#rules/rulesets/engine/document/document.ts';
import { answer, type GoldenCase } from '#rules/rulesets/engine/golden.ts';
import { smallTable } from '../../tables.ts';
import { hitsByHand } from '../interpreter.ts';
import { randomTable } from './random-tables.ts';

const facts: Readonly<Record<string, FactSpec>> = {
  items: { type: 'integer', min: 0, max: 9, better: null },
  share: { type: 'decimal', min: 0, max: 1, better: null },
};
const document = smallTable(facts, [
  {
    all: [
      { fact: 'items', operator: 'lessThan', value: 4 },
      { fact: 'share', operator: 'greaterThanInclusive', value: 0.5 },
    ],
  },
  { all: [] },
]);
const table = compileTable(document);

const golden = (items: number, share: number): GoldenCase => {
  const asked = { items, share };
  return { name: `${items} ${share}`, facts: asked, expected: answer(table, asked) };
};

test('mutants: every kind, at every position, within the domain', () => {
  assert.equal(
    mutantsOf(document).map(({ kind, description }) => `${kind} ${description}`),
    [
      'drop_rule without the rule',
      'swap_rules in each other’s place',
      'drop_condition without all.0: items < 4',
      'drop_condition without all.1: share ≥ 0.5',
      'shift_number items < 3 instead of items < 4',
      'shift_number items < 5 instead of items < 4',
      'flip_comparison items ≥ 4 instead of items < 4',
      'flip_comparison items ≤ 4 instead of items < 4',
      'shift_number share ≥ 0.4999 instead of share ≥ 0.5',
      'shift_number share ≥ 0.5001 instead of share ≥ 0.5',
      'flip_comparison share < 0.5 instead of share ≥ 0.5',
      'flip_comparison share > 0.5 instead of share ≥ 0.5',
      'drop_rule without the rule',
    ],
  );
  const zero = smallTable(facts, [{ all: [{ fact: 'items', operator: 'equal', value: 0 }] }]);
  assert.equal(
    mutantsOf(zero).map(({ description }) => description),
    ['without all.0: items = 0', 'items = 1 instead of items = 0', 'items ≠ 0 instead of items = 0'],
  );
});

test('score: cases on both sides of both cuts kill all mutants', () => {
  const cases = [golden(3, 0.5), golden(4, 0.5), golden(3, 0.4999)];
  const report = mutationReport(table, cases);
  assert.equal({ ...report, total: 13 }, { total: 13, killed: 13, equivalent: 0, score: 1, survivors: [] });
});

test('score: the survivors of a weak set, each with a case that would kill it', () => {
  const report = mutationReport(table, [golden(0, 1), golden(9, 0)]);
  const missed = report.survivors.map(({ description }) => description);
  assert.ok(missed.includes('items < 5 instead of items < 4'));
  assert.not(missed.includes('without the rule'));
  assert.is(report.score, (13 - missed.length) / 13);
  assert.is(mutationFindings(report)[0]?.code, 'MUTATION_SCORE_LOW');
  const richer = mutationReport(table, [
    golden(0, 1),
    golden(9, 0),
    ...report.survivors.map((one) => one.proposedCase),
  ]);
  assert.is(richer.score, 1);
  assert.equal(mutationFindings(richer), []);
});

for (const hitPolicy of ['first', 'collect'] as const) {
  test(`${hitPolicy}: mutants of random tables are equivalent exactly when no cell differs`, () => {
    let equivalent = 0;
    for (let seed = 1; seed <= 25; seed += 1) {
      const size = { rules: 3, facts: 4, leaves: 2, constraints: seed % 2, hitPolicy };
      const drawn = randomTable(seed, size);
      const mutants = mutantsOf(drawn);
      const same = mutants.filter((mutant) => !isDistinguished(drawn, mutant));
      const report = mutationReport(compileTable(drawn), []);
      assert.is(report.total, mutants.length);
      assert.is(report.equivalent, same.length, `seed ${seed}: ${same.map(({ description }) => description)}`);
      equivalent += same.length;
    }
    assert.ok(equivalent > 20);
  });
}

/**
 * Every possible cell of a common space of both tables, evaluated independently; gaps of the original have no
 * expectation.
 */
function isDistinguished(original: TableDocument, mutant: Mutant): boolean {
  const changed = mutant.document.rules.map((rule, at) => ({ ...rule, name: `M-${at}` }));
  const joint = compileTable({ ...original, rules: [...original.rules, ...changed] });
  const isFirst = original.meta.hitPolicy === 'first';
  const hits = (one: TableDocument, cell: Facts) => hitsByHand(one, cell).slice(0, isFirst ? 1 : undefined);
  return [...cellsOf(joint)].some((cell) => {
    const expected = hits(original, cell);
    const isGap = isFirst && expected.length === 0;
    return !isGap && expected.join() !== hits(mutant.document, cell).join();
  });
}

test.run();
