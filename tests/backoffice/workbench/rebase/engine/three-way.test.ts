// A text and the version that has come into the place of its base: merged rule by rule and cell by cell.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type Side, threeWay } from '#backoffice/workbench/rebase/engine/three-way.ts';
import { rowDifferences } from '#backoffice/workbench/validation/engine/row-differences.ts';
import type { RuleDocument, TableDocument } from '#rules/rulesets/index.ts';

const leaf = (fact: string, value: number, valueRef?: string) => ({
  ...{ fact, operator: 'lessThan', value },
  ...(valueRef !== undefined && { valueRef }),
});
const rule = (name: string, outcome: string, ...all: object[]) => ({
  ...{ name, priority: 0, rationale: name, conditions: { all } },
  event: { type: 'decided', params: { outcome } },
});
const table = (rules: readonly object[], low = 2): RuleDocument =>
  ({
    meta: { family: 'x', key: 'x', version: 1, hitPolicy: 'first', vocabulary: 'v', title: { ar: 'ا', en: 'x' } },
    facts: { a: { type: 'integer', min: 0, max: 9, better: null } },
    constants: { 'X-LOW-01': { value: low, rationale: 'low' } },
    outcomes: { order: ['bad', 'good'], unordered: [] },
    rules: rules.map((one, at) => ({ ...one, priority: 990 - 10 * at })),
  }) as unknown as RuleDocument;
const whole = (document: RuleDocument, cases: readonly object[] = []) => ({ document, cases: cases as never });

const first = rule('R-1', 'bad', leaf('a', 2, 'X-LOW-01'));
const second = rule('R-2', 'good', leaf('a', 5));
const last = rule('R-9', 'good');
const base = table([first, second, last]);

const merge = (theirs: RuleDocument, mine: RuleDocument, sides: readonly (readonly [string, Side])[] = []) =>
  threeWay({ base: whole(base), theirs: whole(theirs), mine: whole(mine), version: 7 }, new Map(sides));
const rulesOf = ({ text }: ReturnType<typeof merge>) => (text.document as TableDocument).rules;

test('changes of different cells of one rule are both taken, and the text gets its number', () => {
  const theirs = table([first, rule('R-2', 'bad', leaf('a', 5)), last]);
  const mine = table([first, rule('R-2', 'good', leaf('a', 6)), last]);
  const merged = merge(theirs, mine);
  assert.equal(merged.conflicts, []);
  assert.equal(rulesOf(merged)[1], { ...rule('R-2', 'bad', leaf('a', 6)), priority: 980 });
  assert.is(merged.text.document.meta.version, 7);
});

test('one cell that both have changed is a conflict, decided by a side', () => {
  const theirs = table([first, rule('R-2', 'good', leaf('a', 6)), last]);
  const mine = table([first, rule('R-2', 'good', leaf('a', 7)), last]);
  assert.equal(
    merge(theirs, mine).conflicts.map(({ path }) => path),
    ['rules/R-2/a'],
  );
  for (const [side, value] of [
    ['theirs', 6],
    ['mine', 7],
  ] as const) {
    const merged = merge(theirs, mine, [['rules/R-2/a', side]]);
    assert.equal(merged.conflicts, []);
    assert.equal(rulesOf(merged)[1]?.conditions, { all: [leaf('a', value)] });
  }
});

test('a moved constant is one conflict, and its literals follow it', () => {
  const low = (value: number) => table([rule('R-1', 'bad', leaf('a', value, 'X-LOW-01')), second, last], value);
  const { conflicts } = merge(low(3), low(4));
  assert.equal(
    conflicts.map(({ path }) => path),
    ['constants/X-LOW-01'],
  );
  const merged = merge(low(3), low(4), [['constants/X-LOW-01', 'theirs']]);
  assert.equal(rulesOf(merged)[0]?.conditions, { all: [leaf('a', 3, 'X-LOW-01')] });
});

test('rules that one side adds, removes or moves; a removed one that the other has changed is a conflict', () => {
  const added = rule('R-3', 'bad', leaf('a', 3));
  assert.equal(
    rulesOf(merge(table([second, first, last]), table([first, second, added, last]))).map(({ name }) => name),
    ['R-2', 'R-3', 'R-1', 'R-9'],
  );
  assert.equal(
    rulesOf(merge(table([first, last]), base)).map(({ name }) => name),
    ['R-1', 'R-9'],
  );
  const changed = table([first, rule('R-2', 'good', leaf('a', 6)), last]);
  const removed = table([first, last]);
  const [conflict] = merge(removed, changed).conflicts;
  assert.equal([conflict?.path, conflict?.theirs], ['rules/R-2/outcome', null]);
  assert.is(rulesOf(merge(removed, changed, [['rules/R-2/outcome', 'theirs']])).length, 2);
  assert.equal(rulesOf(merge(removed, changed, [['rules/R-2/outcome', 'mine']]))[1]?.conditions, {
    all: [leaf('a', 6)],
  });
});

test('cases are merged by their names', () => {
  const golden = (name: string, a: number) => ({ name, facts: { a }, expected: { ruleId: 'R-1', outcome: 'bad' } });
  const texts = {
    base: whole(base, [golden('one', 1)]),
    theirs: whole(base, [golden('one', 1), golden('two', 2)]),
    mine: whole(base, [golden('one', 0), golden('three', 3)]),
    version: 2,
  };
  const merged = threeWay(texts, new Map());
  assert.equal(merged.conflicts, []);
  assert.equal(
    merged.text.cases.map(({ name, facts }) => [name, facts]),
    [
      ['one', { a: 0 }],
      ['two', { a: 2 }],
      ['three', { a: 3 }],
    ],
  );
});

test('rows differ as added, removed, moved or changed, with the cells that differ', () => {
  const added = rule('R-3', 'bad', leaf('a', 3));
  assert.equal(rowDifferences(base, table([last, rule('R-1', 'good', leaf('a', 4, 'X-LOW-01')), added])), [
    { ruleId: 'R-1', kind: 'changed', cells: ['outcome', 'a'] },
    { ruleId: 'R-3', kind: 'added', cells: [] },
    { ruleId: 'R-2', kind: 'removed', cells: [] },
  ]);
  assert.equal(rowDifferences(base, table([last, first, second])), [{ ruleId: 'R-9', kind: 'moved', cells: [] }]);
  assert.equal(rowDifferences(base, base), []);
});

test.run();
