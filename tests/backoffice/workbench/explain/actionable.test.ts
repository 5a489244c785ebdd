// timeout: 120s
// The nearest change is something that a school can bring about: walked over every fact of every shipped table.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { capabilities } from '#app/capabilities.ts';
import { sentencesOf } from '#rules/catalogue/index.ts';
import {
  compileTable,
  decide,
  decisionOf,
  documentName,
  isActionable,
  isTable,
  nearestChange,
  sampledCells,
} from '#rules/rulesets/index.ts';
import { bundle } from '../../../assessment/skill-status/evidence.ts';

const tables = bundle.documents.filter(isTable).map((document) => compileTable(document));
const factCategories = Object.fromEntries(capabilities.flatMap(({ factCategories: own = {} }) => Object.entries(own)));
const { isAboutChild } = sentencesOf(bundle);
const cellsOfEach = 300;

test('every fact of every shipped table is either evidence or fixed', () => {
  assert.ok(tables.length >= 12);
  for (const { name, document } of tables) {
    assert.equal(Object.keys(factCategories[name] ?? {}).sort(), Object.keys(document.facts).sort(), name);
  }
  const shipped = bundle.documents.filter(isTable).map(documentName);
  assert.equal(Object.keys(factCategories).sort(), shipped.sort());
});

test('what belongs to the child or to the catalogue is no one’s to change', () => {
  for (const fact of ['contextReview', 'gateway', 'accuracyIndicator'])
    assert.not.ok(isActionable(factCategories, 'ssr/ssr', fact), fact);
  assert.not.ok(isActionable(factCategories, 'ddr/ddr', 'anyContext'));
  for (const fact of ['grade', 'gradeBand', 'age', 'language']) {
    for (const { name } of tables) assert.not.ok(isActionable(factCategories, name, fact), `${name} ${fact}`);
  }
});

test('every fact that is evidence is about the child by its term; no other is proposed', () => {
  for (const { name } of tables) {
    const evidence = Object.entries(factCategories[name] ?? {}).filter(([, category]) => category === 'evidence');
    for (const [fact] of evidence) {
      const isHeld = !['pacDecision', 'pacReason'].includes(fact);
      assert.is(isAboutChild(fact), isHeld, `${name} ${fact}`);
    }
  }
  for (const fact of ['gateway', 'quietStudent', 'acuteOpen', 'aimLine', 'noSuchFact'])
    assert.not.ok(isAboutChild(fact));
});

test('the nearest change leaves a fact that is not about the child by its term', () => {
  const table = tables.find(({ name }) => name === 'bnd/bnd');
  if (!table) throw new Error('no table bnd/bnd');
  const facts = { rawRate: 0.25, okSideWins: false };
  const { outcome, ...summary } = decide(table, facts);
  const decision = decisionOf({ table, facts, hits: [{ outcome, ...summary }] }, 'X');
  assert.is(nearestChange(decision, factCategories, isAboutChild)?.changes[0]?.fact, 'rawRate');
  assert.is(
    nearestChange(decision, factCategories, (fact) => fact !== 'rawRate'),
    null,
  );
});

test('the nearest change names evidence alone, leaves the rest, and is another decision', () => {
  let spared = 0;
  for (const table of tables.filter(({ isFirstHit }) => isFirstHit)) {
    for (const facts of sampledCells(table, cellsOfEach, 1)) {
      const { outcome, ...summary } = decide(table, facts);
      const decision = decisionOf({ table, facts, hits: [{ outcome, ...summary }] }, 'X');
      const nearest = nearestChange(decision, factCategories, isAboutChild);
      const flip = 'flipDistance' in decision ? decision.flipDistance : null;
      if (flip?.changes.some(({ fact }) => !isActionable(factCategories, table.name, fact))) spared += 1;
      if (!nearest) continue;
      for (const { fact, from } of nearest.changes) {
        assert.ok(isActionable(factCategories, table.name, fact), `${table.name} ${fact}`);
        assert.is(facts[fact], from);
      }
      const changed = Object.fromEntries(nearest.changes.map(({ fact, to }) => [fact, to]));
      const after = decide(table, { ...facts, ...changed } as typeof facts);
      assert.equal([after.outcome, after.ruleId], [nearest.outcome, nearest.ruleId], table.name);
      assert.is.not(after.outcome, outcome);
    }
  }
  assert.ok(spared > 0, 'some smallest change was not a school’s to make');
});

test.run();
