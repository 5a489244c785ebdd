// The flip distance compared with a search through all cells, and the explanation that contains it.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { explain } from '#rules/rulesets/engine/analysis/explain/explain.ts';
import { flipDistance } from '#rules/rulesets/engine/analysis/explain/flip.ts';
import { layersOf } from '#rules/rulesets/engine/analysis/layers.ts';
import { cellsOf, isImpossible } from '#rules/rulesets/engine/boundaries/cells.ts';
import { compileTable } from '#rules/rulesets/engine/compile.ts';
import { collect, decide } from '#rules/rulesets/engine/decide.ts';
import type { FactSpec, Facts, RootCondition, TableDocument } from '#rules/rulesets/engine/document/document.ts';
import { mini, shippedTables, smallTable } from '../../tables.ts';
import { randomTable } from './random-tables.ts';

const tables = await shippedTables();
const shipped = (name: string) => {
  const found = tables.find(({ table }) => table.name === name);
  if (!found) throw new Error(`${name} is missing`);
  return found.table;
};

const flipOf = (document: TableDocument, facts: Facts) => {
  const { outcome } = decide(compileTable(document), facts);
  return flipDistance(layersOf(document), facts, outcome);
};

const facts: Readonly<Record<string, FactSpec>> = {
  items: { type: 'integer', min: 0, max: 10, better: null },
  share: { type: 'decimal', min: 0, max: 1, better: null },
  band: { type: 'enum', values: ['none', 'mild', 'severe'], better: 'down' },
};
const atLeast = (fact: string, value: number) => ({ fact, operator: 'greaterThanInclusive', value }) as const;
const anything: RootCondition = { all: [] };

test('a number moves to the nearest value on the other side of the cut', () => {
  const document = smallTable(facts, [{ all: [atLeast('items', 4)] }, anything]);
  const start = { items: 9, share: 0, band: 'none' };
  assert.equal(flipOf(document, start), {
    changes: [{ fact: 'items', from: 9, to: 3 }],
    distance: 0.6,
    ruleId: 'T-02',
    outcome: 't-02',
    facts: { ...start, items: 3 },
  });
  assert.equal(flipOf(document, { ...start, items: 0 })?.changes, [{ fact: 'items', from: 0, to: 4 }]);
  const decimal = smallTable(facts, [{ all: [atLeast('share', 0.5)] }, anything]);
  assert.equal(flipOf(decimal, { ...start, share: 0.8 })?.changes, [{ fact: 'share', from: 0.8, to: 0.4999 }]);
});

test('fewest changed facts first, then the smallest distance, then the upper row', () => {
  const near: RootCondition = { all: [atLeast('items', 5), atLeast('share', 0.5)] };
  const far: RootCondition = { all: [{ fact: 'band', operator: 'equal', value: 'severe' }] };
  const start = { items: 4, share: 0.4999, band: 'none' };
  assert.is(flipOf(smallTable(facts, [near, far, anything]), start)?.ruleId, 'T-02');
  const two: RootCondition[] = [{ all: [atLeast('items', 8)] }, { all: [atLeast('share', 0.6)] }, anything];
  assert.is(flipOf(smallTable(facts, two), start)?.ruleId, 'T-02');
  const tie: RootCondition[] = [
    { all: [{ fact: 'band', operator: 'equal', value: 'mild' }, atLeast('items', 5)] },
    { all: [{ fact: 'band', operator: 'equal', value: 'mild' }] },
    anything,
  ];
  assert.is(flipOf(smallTable(facts, tie), { ...start, items: 5 })?.ruleId, 'T-01');
  // On a scale of three words a step is a half.
  assert.is(flipOf(smallTable(facts, tie), { ...start, items: 5 })?.distance, 0.5);
});

test('no other outcome: there is no flip', () => {
  assert.is(flipOf(smallTable(facts, [anything]), { items: 1, share: 0, band: 'none' }), undefined);
});

test('PAC-09: a second session flips "withhold", and the facts that are proposed are possible', () => {
  const pac = shipped('pac/pac');
  const start = {
    distinctItems: 6,
    conflictState: 'none',
    deficitBand: 'marked',
    patternState: 'single',
    sessionCount: 1,
  };
  const shares = { supportShare: 0, slowShare: 0, prereqShare: 0.2, behaviourShare: 0 };
  const flip = flipOf(pac.document, { ...start, ...shares });
  assert.equal(flip?.changes, [{ fact: 'sessionCount', from: 1, to: 2 }]);
  assert.is(flip?.outcome, 'confirm');
});

test('random tables and SSR: the change is real, possible, and no change of fewer facts flips any cell', () => {
  const documents = Array.from({ length: 40 }, (_, at) =>
    randomTable(at + 1, { rules: 5, facts: 4, leaves: 2, constraints: 1, hitPolicy: 'first' }),
  ).map((one) => ({ ...one, rules: one.rules.with(-1, { ...one.rules[4], conditions: anything } as never) }));
  let compared = 0;
  for (const document of [...documents, shipped('ssr/ssr').document]) {
    const table = compileTable(document);
    const layers = layersOf(document);
    const cells = [...cellsOf(table)];
    const decided = cells.map((cell) => decide(table, cell).outcome);
    for (const [at, cell] of cells.entries()) {
      if (at % 7 !== 0) continue;
      const flip = flipDistance(layers, cell, decided[at] ?? '');
      const others = cells.filter((_, other) => decided[other] !== decided[at]);
      if (!flip) {
        assert.is(others.length, 0);
        continue;
      }
      const fewest = Math.min(...others.map((other) => changedFacts(cell, other)));
      assert.is(flip.changes.length, fewest);
      assert.is(changedFacts(cell, flip.facts), fewest);
      const there = decide(table, flip.facts);
      assert.equal([there.ruleId, there.outcome], [flip.ruleId, flip.outcome]);
      assert.not(flip.outcome === decided[at] || isImpossible(table, flip.facts));
      compared += 1;
    }
  }
  assert.ok(compared > 500, `${compared}`);
});

const changedFacts = (left: Facts, right: Facts): number =>
  Object.keys(left).filter((name) => left[name] !== right[name]).length;

test('explain: the decision, its trace with constants by id, and the flip distance', () => {
  const table = compileTable(mini());
  const [start] = [...cellsOf(table)].filter((cell) => decide(table, cell).ruleId === mini().rules.at(-1)?.name);
  if (!start) return assert.unreachable('the default is never reached');
  const explained = explain(table, start);
  if (!('outcome' in explained)) return assert.unreachable('a first-hit table decides');
  assert.equal(explained.trace, decide(table, start, { trace: true }).trace);
  assert.ok(explained.flipDistance);
  const named = explained.trace.flatMap(({ failed }) => failed?.valueRef ?? []);
  assert.ok(named.length > 0);
  assert.equal(Object.keys(explained.constants).sort(), [...new Set(named)].sort());
});

test('explain: a collect table gives its hits and why the other rules do not hold', () => {
  const esc = shipped('esc/esc');
  const weak = { domainStatus: 'weak_gateway', gatewaySeverityKnown: true, gatewaySeverity: 0.7 };
  const start = { ...weak, validEvidence: true, rawWeightedDeficitRate: 0.4 };
  const explained = explain(esc, start);
  if (!('hits' in explained)) return assert.unreachable('a collect table has hits');
  assert.equal(explained.hits, collect(esc, start));
  assert.equal(
    explained.trace.map(({ ruleId, failed }) => [ruleId, failed?.fact]),
    [
      ['ESC-A', undefined],
      ['ESC-B', 'rawWeightedDeficitRate'],
    ],
  );
  // Of the rule that hits and of the one that fails.
  assert.equal(Object.keys(explained.constants), ['DTH-SEV-01', 'DTH-DEF-03']);
  assert.equal(
    explained.trace[0]?.held?.map(({ fact, valueRef }) => [fact, valueRef]),
    [
      ['domainStatus', undefined],
      ['gatewaySeverityKnown', undefined],
      ['gatewaySeverity', 'DTH-SEV-01'],
    ],
  );
});

test.run();
