// Each finding on the smallest table with exactly that defect, and a similar table without it.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { analyseByBoxes } from '#rules/rulesets/engine/analysis/coverage/by-boxes.ts';
import { type AnalysisFinding, tableFindings } from '#rules/rulesets/engine/analysis/coverage/findings.ts';
import { layersOf } from '#rules/rulesets/engine/analysis/layers.ts';
import { compileTable } from '#rules/rulesets/engine/compile.ts';
import { decide } from '#rules/rulesets/engine/decide.ts';
import type {
  Constraint,
  FactSpec,
  Leaf,
  RootCondition,
  TableDocument,
} from '#rules/rulesets/engine/document/document.ts';
import { smallTable } from '../../tables.ts';

const facts: Readonly<Record<string, FactSpec>> = {
  items: { type: 'integer', min: 0, max: 9, better: null },
  ready: { type: 'boolean', better: null },
};
const few: Leaf = { fact: 'items', operator: 'lessThan', value: 1 };
const some: Leaf = { fact: 'items', operator: 'greaterThanInclusive', value: 1 };
const ready: Leaf = { fact: 'ready', operator: 'equal', value: true };
const anything: RootCondition = { all: [] };

const analyse = (document: TableDocument): readonly AnalysisFinding[] => {
  const layers = layersOf(document);
  return tableFindings(layers, analyseByBoxes(layers));
};
const codes = (document: TableDocument): readonly string[] => analyse(document).map(({ code }) => code);

/** Outcomes of the rows, worst to best as listed in `order`. */
function withOutcomes(document: TableDocument, names: readonly string[], order: readonly string[]): TableDocument {
  const rules = document.rules.map((rule, row) => ({
    ...rule,
    event: { ...rule.event, params: { outcome: names[row] ?? '' } },
  }));
  return { ...document, outcomes: { order, unordered: [] }, rules };
}

test('a table without a defect has no finding', () => {
  assert.equal(codes(smallTable(facts, [{ all: [few] }, anything])), []);
});

test('GAP: its share, its box and a row that closes it', () => {
  const [few2, exact]: Leaf[] = [
    { ...few, value: 2 },
    { ...few, operator: 'greaterThan', value: 2 },
  ];
  const document = smallTable(facts, [{ all: [few2 as Leaf] }, { all: [exact as Leaf] }]);
  const [gap, ...others] = analyse(document).filter(({ code }) => code !== 'MAGIC_NUMBER');
  assert.equal(others, []);
  assert.is(gap?.code, 'GAP');
  assert.is(gap?.level, 'error');
  // Of the cells below 2, 2 and above 2 it is the middle one.
  assert.match(gap?.message ?? '', /^no rule for 33\.3 % of the space/);
  const [box] = gap?.boxes ?? [];
  assert.equal(box?.conditions, { all: [{ fact: 'items', operator: 'equal', value: 2 }] });
  assert.equal(box?.sample, { items: 2, ready: false });
  assert.is(box?.share, 1 / 3);
  const row = gap?.proposedRow;
  if (!row) return assert.unreachable('no proposed row');
  assert.equal(row.event.params, {}, 'the outcome is left to a person');
  const params = { outcome: document.outcomes.order[0] ?? '' };
  const closed = { ...document, rules: [...document.rules, { ...row, event: { ...row.event, params } }] };
  assert.not(codes(closed).includes('GAP'));
  assert.is(decide(compileTable(closed), { items: 2, ready: true }).ruleId, row.name);
});

test('GAP: not where a constraint says that the facts are impossible, nor in a collect table', () => {
  const impossible: Constraint = { id: 'C', rationale: 'never', impossible: { all: [some] } };
  const document = smallTable(facts, [{ all: [few] }]);
  assert.equal(codes(document), ['GAP']);
  assert.equal(codes({ ...document, constraints: [impossible] }), ['REDUNDANT_CONDITION']);
  assert.equal(codes(smallTable(facts, [{ all: [few] }], 'collect')), []);
});

test('UNREACHABLE names the rows whose union lies above', () => {
  const document = smallTable(facts, [{ all: [few] }, { all: [some] }, { all: [ready] }, anything]);
  const unreachable = analyse(document).filter(({ code }) => code === 'UNREACHABLE');
  assert.equal(
    unreachable.map(({ ruleIds }) => ruleIds),
    [
      ['T-03', 'T-01', 'T-02'],
      ['T-04', 'T-01', 'T-02'],
    ],
  );
  const [shown] = unreachable[0]?.boxes ?? [];
  assert.is(shown?.sample.ready, true);
  const above = decide(compileTable(document), shown?.sample ?? {}).ruleId;
  assert.ok(['T-01', 'T-02'].includes(above), above);
  const reachable = smallTable(facts, [{ all: [few] }, { all: [some, ready] }, anything]);
  assert.not(codes(reachable).includes('UNREACHABLE'));
});

test('UNREACHABLE: conditions that contradict each other, or that a constraint rules out', () => {
  const contradiction = smallTable(facts, [{ all: [few, some] }, anything]);
  assert.is(analyse(contradiction)[0]?.message, 'its conditions never hold together');
  assert.equal(analyse(contradiction)[0]?.ruleIds, ['T-01']);
  const impossible: Constraint = { id: 'C', rationale: 'never', impossible: { all: [few, ready] } };
  const ruledOut = smallTable(facts, [{ all: [few, ready] }, anything]);
  assert.not(codes(ruledOut).includes('UNREACHABLE'));
  assert.ok(codes({ ...ruledOut, constraints: [impossible] }).includes('UNREACHABLE'));
});

test('VOCABULARY_FOREIGN and VOCABULARY_UNREACHED, the latter unless it is waived with a reason', () => {
  const document = smallTable(facts, [{ all: [few] }, anything]);
  assert.equal(codes(withOutcomes(document, ['low', 'high'], ['low'])), ['VOCABULARY_FOREIGN']);
  const unreached = withOutcomes(document, ['low', 'high'], ['low', 'middle', 'high']);
  assert.equal(codes(unreached), ['VOCABULARY_UNREACHED']);
  const waiver = { code: 'VOCABULARY_UNREACHED', subject: 'middle', reason: 'kept for stored results' };
  assert.equal(codes({ ...unreached, waivers: [waiver] }), []);
  assert.equal(codes({ ...unreached, waivers: [{ ...waiver, subject: 'low' }] }), ['VOCABULARY_UNREACHED']);
});

test('VOCABULARY_UNREACHED: an outcome of an unreachable rule only', () => {
  const document = smallTable(facts, [anything, { all: [few] }]);
  assert.equal(codes(document), ['UNREACHABLE', 'VOCABULARY_UNREACHED']);
});

test('NOT_MONOTONE lists the pair; the direction, the waiver and unordered outcomes matter', () => {
  const up = { ...facts, items: { type: 'integer', min: 0, max: 9, better: 'up' } } as const;
  const table = smallTable(up, [{ all: [few] }, anything]);
  const right = withOutcomes(table, ['low', 'high'], ['low', 'high']);
  const wrong = withOutcomes(table, ['high', 'low'], ['low', 'high']);
  assert.equal(codes(right), []);
  const [finding, ...others] = analyse(wrong);
  assert.equal(others, []);
  assert.is(finding?.code, 'NOT_MONOTONE');
  assert.equal(finding?.ruleIds, ['T-01', 'T-02']);
  assert.is(finding?.message, 'a better items alone leads from high to low');
  const children = finding?.boxes?.map(({ sample }) => sample) ?? [];
  assert.equal(
    children.map((child) => decide(compileTable(wrong), child).outcome),
    ['high', 'low'],
  );
  assert.ok(Number(children[0]?.items) < Number(children[1]?.items));
  assert.is(children[0]?.ready, children[1]?.ready);
  const down = { ...wrong, facts: { ...up, items: { ...up.items, better: 'down' as const } } };
  assert.equal(codes(down), []);
  assert.equal(codes({ ...wrong, outcomes: { order: ['low'], unordered: ['high'] } }), []);
  for (const subject of ['items', 'items T-01 T-02']) {
    const waivers = [{ code: 'NOT_MONOTONE', subject, reason: 'policy' }];
    assert.equal(codes({ ...wrong, waivers }), []);
    assert.equal(codes({ ...wrong, waivers: [{ ...waivers[0], code: 'NOT_MONOTONE', subject, reason: ' ' }] }), [
      'NOT_MONOTONE',
    ]);
  }
});

test('NOT_MONOTONE: seen across values that lie between, and not between children who differ in two facts', () => {
  const up = { ...facts, items: { type: 'integer', min: 0, max: 9, better: 'up' } } as const;
  const one: Leaf = { fact: 'items', operator: 'equal', value: 1 };
  const between = withOutcomes(
    smallTable(up, [{ all: [one] }, { all: [few] }, anything]),
    ['x', 'high', 'low'],
    ['low', 'high'],
  );
  const document = { ...between, outcomes: { order: ['low', 'high'], unordered: ['x'] } };
  assert.equal(codes(document), ['NOT_MONOTONE']);
  const notReady: Leaf = { ...ready, value: false };
  const apart = smallTable(up, [{ all: [few, ready] }, { all: [some, notReady] }, anything]);
  const twoFacts = withOutcomes(apart, ['high', 'low', 'x'], ['low', 'high']);
  assert.not(codes({ ...twoFacts, outcomes: { order: ['low', 'high'], unordered: ['x'] } }).includes('NOT_MONOTONE'));
});

test('REDUNDANT_CONDITION: one that the rows above or the constraints already imply', () => {
  const above = smallTable(facts, [{ all: [few] }, { all: [some, ready] }, anything]);
  const [finding, ...others] = analyse(above);
  assert.equal(others, []);
  assert.is(finding?.code, 'REDUNDANT_CONDITION');
  assert.is(finding?.level, 'warning');
  assert.equal(finding?.ruleIds, ['T-02']);
  assert.match(finding?.message ?? '', /^all\.0 \(items ≥ 1\)/);
  assert.equal(codes(smallTable(facts, [{ all: [few] }, { all: [ready] }, anything])), []);
});

test('REDUNDANT_RULE: the row below decides the same, parameters included', () => {
  const table = smallTable(facts, [{ all: [few] }, anything]);
  const same = withOutcomes(table, ['low', 'low'], ['low']);
  assert.equal(codes(same), ['REDUNDANT_RULE']);
  const [first, second] = same.rules;
  if (!first || !second) return assert.unreachable();
  const weighted = { ...first, event: { ...first.event, params: { outcome: 'low', weight: 0.5 } } };
  assert.equal(codes({ ...same, rules: [weighted, second] }), []);
  const worded = { ...first, event: { ...first.event, params: { outcome: 'low', messageKey: 'low' } } };
  const messages = { low: { ar: 'منخفض', en: 'low' } };
  assert.equal(codes({ ...same, messages, rules: [worded, second] }), ['REDUNDANT_RULE']);
});

const sometimesReady: RootCondition = { any: [few, ready] };
const neverBoth: RootCondition = { any: [some, ready] };

test('OVERLAP misleads: the same facts, another outcome, and neither rule is an exception to the other', () => {
  const document = smallTable(facts, [sometimesReady, neverBoth, anything]);
  const [finding, ...others] = analyse(document).filter(({ code }) => code === 'OVERLAP');
  assert.equal(others, []);
  assert.is(finding?.level, 'warning');
  assert.equal(finding?.ruleIds, ['T-01', 'T-02']);
  const alike = withOutcomes(document, ['low', 'low', 'high'], ['low', 'high']);
  assert.not.ok(codes(alike).includes('OVERLAP'));
});

test('OVERLAP is no ordinary fall-through: an exception first, a ladder of thresholds, other facts, the default', () => {
  const overlaps = (upper: RootCondition, lower: RootCondition) =>
    codes(smallTable(facts, [upper, lower, anything])).includes('OVERLAP');
  assert.not.ok(overlaps({ all: [some, ready] }, neverBoth), 'an exception');
  assert.not.ok(overlaps({ all: [few] }, { all: [{ ...few, value: 5 }] }), 'a ladder');
  assert.not.ok(overlaps({ all: [few] }, { all: [ready] }), 'other facts');
  assert.not.ok(codes(smallTable(facts, [sometimesReady, anything])).includes('OVERLAP'), 'the default');
});

test('MAGIC_NUMBER and MESSAGE_MISSING, for a key without texts and for a blank text', () => {
  const table = smallTable(facts, [{ all: [{ ...few, value: 4 }] }, anything]);
  assert.equal(codes(table), ['MAGIC_NUMBER']);
  const named = smallTable(facts, [{ all: [{ ...few, value: 4, valueRef: 'MIN' }] }, anything]);
  assert.equal(codes(named), []);
  const [first, second] = named.rules;
  if (!first || !second) return assert.unreachable();
  const rules = [{ ...first, event: { ...first.event, params: { ...first.event.params, messageKey: 'few' } } }, second];
  assert.equal(codes({ ...named, rules }), ['MESSAGE_MISSING']);
  assert.equal(codes({ ...named, rules, messages: { few: { ar: 'قليل', en: 'few' } } }), []);
  assert.equal(codes({ ...named, rules, messages: { few: { ar: ' ', en: 'few' } } }), ['MESSAGE_MISSING']);
});

test.run();
