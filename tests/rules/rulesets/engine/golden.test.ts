// Golden cases: every shipped table passes its own, and the generated ones detect changes.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { boundaryCases } from '#rules/rulesets/engine/boundaries/boundary-cases.ts';
import { compileTable } from '#rules/rulesets/engine/compile.ts';
import type { TableDocument } from '#rules/rulesets/engine/document/document.ts';
import { goldenFileText, goldenFindings, isCaseList, parseGoldenCases } from '#rules/rulesets/engine/golden.ts';
import { mini, shippedTables } from '../tables.ts';
import { hitsByHand } from './interpreter.ts';

for (const { id, table, document, cases } of await shippedTables()) {
  test(`${id}: every golden case passes`, () => {
    assert.equal(goldenFindings(table, cases), []);
  });

  test(`${id}: every rule has a case, and an independent interpreter agrees with all cases`, () => {
    const covered = new Set(cases.flatMap(({ expected }) => [expected].flat().map((hit) => hit.ruleId)));
    assert.equal(
      document.rules.map((rule) => rule.name).filter((name) => !covered.has(name)),
      [],
    );
    for (const { name, facts, expected } of cases) {
      const byHand = hitsByHand(document, facts);
      const wanted = [expected].flat().map((hit) => hit.ruleId);
      assert.equal(wanted, document.meta.hitPolicy === 'first' ? byHand.slice(0, 1) : byHand, name);
    }
  });

  test(`${id}: case names are unique`, () => {
    assert.is(new Set(cases.map((golden) => golden.name)).size, cases.length);
  });
}

test('the generated cases of the fixture: one for each rule, both sides of both thresholds', () => {
  const cases = boundaryCases(compileTable(mini()));
  const found = cases.map(({ name, facts }) => `${name} | ${facts.distinctItems} ${facts.deficitRate}`);
  assert.ok(found.includes('MINI-01: distinctItems just below 4 | 3 0'), found.join('\n'));
  assert.ok(found.some((line) => line.endsWith(' | 4 0')));
  for (const rate of [0.3499, 0.35, 0.3501]) {
    assert.ok(
      found.some((line) => line.endsWith(` ${rate}`)),
      `no case at ${rate}`,
    );
  }
  for (const rule of mini().rules) assert.ok(found.some((line) => line.startsWith(`${rule.name}: witness`)));
});

test('the generator is deterministic, and its text can be parsed again', () => {
  const [one, two] = [0, 1].map(() => goldenFileText(boundaryCases(compileTable(mini()))));
  assert.is(one, two);
  assert.equal(parseGoldenCases(one ?? '', 'fixture'), boundaryCases(compileTable(mini())));
});

for (const [what, change] of [
  ['a threshold one higher', (text: string) => text.replaceAll('"value":4', '"value":5')],
  ['a comparison flipped at its edge', (text: string) => text.replace('"lessThan"', '"lessThanInclusive"')],
  ['a decimal threshold a hair off', (text: string) => text.replaceAll('0.35', '0.3501')],
  ['a word dropped from a list', (text: string) => text.replace('"linked","persistent"', '"persistent"')],
  ['another outcome', (text: string) => text.replace('"outcome":"monitor"', '"outcome":"weak"')],
] as const) {
  test(`the generated cases detect ${what}`, () => {
    const cases = boundaryCases(compileTable(mini()));
    const changed = JSON.parse(change(JSON.stringify(mini()))) as TableDocument;
    assert.not.equal(changed, mini());
    const findings = goldenFindings(compileTable(changed), cases);
    assert.ok(findings.length > 0);
    assert.ok(findings.every((finding) => finding.code === 'CASE_FAILED' && finding.level === 'error'));
  });
}

test('the generated cases detect two swapped rows', () => {
  const document = mini();
  const [first, second, third, last] = document.rules.map((rule) => ({ ...rule }));
  const swapped = [first, third, second, last].flatMap((rule, row) =>
    rule ? [{ ...rule, priority: 990 - 10 * row }] : [],
  );
  const findings = goldenFindings(compileTable({ ...document, rules: swapped }), boundaryCases(compileTable(document)));
  assert.ok(findings.some((finding) => finding.ruleIds.includes('MINI-02')));
});

test('a case with facts of an older table fails with a message and does not crash the run', () => {
  const table = compileTable(mini());
  const [finding] = goldenFindings(table, [
    { name: 'old', facts: { distinctItems: 3 }, expected: { ruleId: 'MINI-01', outcome: 'unknown' } },
  ]);
  assert.match(finding?.message ?? '', '1 case expected MINI-01 (unknown), the table says ');
  assert.match(finding?.message ?? '', '"old"');
  assert.match(finding?.message ?? '', 'fact deficitRate is missing');
});

test('cases that fail for one cause are one finding', () => {
  const table = compileTable(mini());
  const cases = boundaryCases(table);
  const last = cases.filter(({ expected }) => 'ruleId' in expected && expected.ruleId === 'MINI-01');
  assert.ok(last.length > 1);
  const wrong = last.map((one) => ({ ...one, expected: { ruleId: 'MINI-09', outcome: 'weak' } }));
  const [finding, ...others] = goldenFindings(table, wrong);
  assert.equal(others, []);
  const message = finding?.message ?? '';
  assert.match(message, `${last.length} cases expected MINI-09 (weak), the table says MINI-01 (`);
  for (const { name } of last.slice(0, 10)) assert.match(message, `"${name}"`);
  assert.not.match(message, /[{}[\]]/);
  const many = Array.from({ length: 14 }, (_, at) => ({ ...(wrong[0] as (typeof wrong)[number]), name: `case ${at}` }));
  assert.match(goldenFindings(table, many)[0]?.message ?? '', /"case 9", 4 more$/);
});

test('an invalid golden file is refused by name', () => {
  assert.throws(
    () => parseGoldenCases('{"cases":[{"name":"x","facts":{}}]}', 'ssr/1.golden.json'),
    /ssr\/1.golden.json/,
  );
  assert.throws(() => parseGoldenCases('{"cases":[],"more":1}', 'x'), /additional properties/);
  for (const blank of ['', ' ', ' \u00a0\t\n'])
    assert.not.ok(isCaseList([{ name: 'x', acceptedChange: blank }]), JSON.stringify(blank));
  assert.ok(isCaseList([{ name: 'x', acceptedChange: 'The norm has changed.' }]));
});

test.run();
