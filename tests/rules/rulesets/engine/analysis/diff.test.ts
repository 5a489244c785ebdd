// The diff of two versions: exactly the facts that are decided differently, and the resulting level.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { diffDocuments, type RuleDiff } from '#rules/rulesets/engine/analysis/diff/diff.ts';
import { cellCount, cellsOf } from '#rules/rulesets/engine/boundaries/cells.ts';
import { compileTable } from '#rules/rulesets/engine/compile.ts';
import type {
  FactSpec,
  Facts,
  Leaf,
  RootCondition,
  TableDocument,
  ValueDocument,
} from '#rules/rulesets/engine/document/document.ts';
import { smallTable } from '../../tables.ts';
import { hitsByHand } from '../interpreter.ts';
import { randomTable } from './random-tables.ts';

const facts: Readonly<Record<string, FactSpec>> = {
  items: { type: 'integer', min: 0, max: 9, better: null },
  ready: { type: 'boolean', better: null },
};
const below = (value: number): Leaf => ({ fact: 'items', operator: 'lessThan', value });
const anything: RootCondition = { all: [] };
const table = (value: number): TableDocument => smallTable(facts, [{ all: [below(value)] }, anything]);

const answers = ({ regions }: RuleDiff) =>
  regions?.map(({ before, after, share }) => [before?.outcome ?? null, after?.outcome ?? null, share]);

test('patch: texts, rationales, rule ids and priorities change no region', () => {
  const before = table(4);
  const after = {
    ...before,
    meta: { ...before.meta, version: 2 },
    rules: before.rules.map((rule) => ({
      ...rule,
      name: `${rule.name}-X`,
      priority: rule.priority + 1,
      rationale: 'clearer',
      event: { ...rule.event, params: { ...rule.event.params, messageKey: 'new' } },
    })),
  };
  const found = diffDocuments(before, after);
  assert.is(found.level, 'patch');
  assert.equal([found.before, found.after], ['fixture/small@1', 'fixture/small@2']);
  assert.equal([found.regions, found.facts, found.sections, found.constants], [[], [], [], []]);
});

test('minor: a moved threshold is the region between the old and the new one, and a changed constant', () => {
  const named = (value: number) => ({ ...table(value), constants: { MIN: { value, rationale: 'enough' } } });
  const found = diffDocuments(named(4), named(6));
  assert.is(found.level, 'minor');
  // Cells: below 4, 4, 5, 6, above 6; 4 and 5 change sides, for ready and not ready.
  assert.equal(answers(found), [['t-02', 't-01', 2 / 5]]);
  const conditions: RootCondition = {
    all: [{ fact: 'items', operator: 'greaterThanInclusive', value: 4 }, below(6)],
  };
  assert.equal(
    found.regions?.[0]?.boxes.map((box) => box.conditions),
    [conditions],
  );
  assert.equal(
    found.constants.map(({ name, before, after }) => [name, before?.value, after?.value]),
    [['MIN', 4, 6]],
  );
});

test('minor: a parameter that code acts on', () => {
  const before = table(4);
  const rules = before.rules.map((rule) => ({
    ...rule,
    event: { ...rule.event, params: { ...rule.event.params, weight: 1 } },
  }));
  assert.is(diffDocuments(before, { ...before, rules }).level, 'minor');
});

test('major: a new fact, a wider domain, another vocabulary; regions are compared nevertheless', () => {
  const before = table(4);
  const added = smallTable({ ...facts, late: { type: 'boolean', better: null } }, [
    { all: [below(4), { fact: 'late', operator: 'equal', value: false }] },
    anything,
  ]);
  const found = diffDocuments(before, added);
  assert.is(found.level, 'major');
  assert.equal(
    found.facts.map(({ name, before: was }) => [name, was]),
    [['late', null]],
  );
  assert.equal(answers(found), [['t-01', 't-02', 1 / 6]]);
  const wider = { ...before, facts: { ...facts, items: { type: 'integer', min: 0, max: 20, better: null } as const } };
  assert.equal(answers(diffDocuments(before, wider)), [[null, 't-02', 1 / 5]]);
  const reordered = { ...before, outcomes: { order: ['t-02', 't-01'], unordered: [] } };
  const words = diffDocuments(before, reordered);
  assert.equal([words.level, words.regions], ['major', []]);
  assert.equal(
    words.sections.map(({ name }) => name),
    ['outcomes.order'],
  );
});

test('a fact of another type: major, and no regions can be named', () => {
  const flag = smallTable({ ...facts, items: { type: 'boolean', better: null } }, [anything]);
  const found = diffDocuments(smallTable(facts, [anything]), flag);
  assert.equal([found.level, found.regions], ['major', null]);
});

test('value documents: constants and sections', () => {
  const values: ValueDocument = {
    meta: { family: 'v', key: 'v', version: 1, title: { ar: 'ق', en: 'v' } },
    constants: { A: { value: 1, rationale: 'r' } },
    levels: [1, 2],
  };
  const next = { ...values, constants: { A: { value: 2, rationale: 'r' } }, levels: [1, 3] };
  const found = diffDocuments(values, next);
  assert.equal([found.level, found.constants.length, found.sections.map(({ name }) => name)], ['minor', 1, ['levels']]);
  assert.is(diffDocuments(values, values).level, 'patch');
  assert.throws(() => diffDocuments(values, table(4)), TypeError);
});

for (const hitPolicy of ['first', 'collect'] as const) {
  test(`${hitPolicy}: shares of random pairs equal a count of the cells that two readings by hand answer differently`, () => {
    for (let seed = 1; seed <= 60; seed += 1) {
      const size = { rules: 4, facts: 4, leaves: 2, constraints: 0, hitPolicy };
      const [before, after] = [randomTable(seed, size), randomTable(seed + 1000, size)];
      const joint = compileTable({ ...after, rules: [...before.rules, ...after.rules].map(renamed) });
      const differing = [...cellsOf(joint)].filter((cell) => answerOf(before, cell) !== answerOf(after, cell)).length;
      const { regions } = diffDocuments(before, after);
      if (hitPolicy === 'first') {
        const share = regions?.reduce((sum, region) => sum + region.share, 0) ?? -1;
        assert.ok(Math.abs(share - differing / cellCount(joint)) < 1e-9, `seed ${seed}: ${share}`);
      } else {
        // Outcomes come and go one by one, so that a cell may be in several regions.
        assert.is(regions?.length === 0, differing === 0, `seed ${seed}`);
      }
    }
  });
}

const renamed = (rule: TableDocument['rules'][number], at: number) => ({ ...rule, name: `R-${at}` });

/** The decisions of the rules without their ids. */
function answerOf(document: TableDocument, cell: Facts): string {
  const isFirst = document.meta.hitPolicy === 'first';
  const hits = hitsByHand(document, cell).slice(0, isFirst ? 1 : undefined);
  const outcomes = hits.map((name) => document.rules.find((rule) => rule.name === name)?.event.params.outcome);
  return [...new Set(outcomes)].sort().join();
}

test.run();
