// What will be in force when, over plain lists of plans.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import {
  aroundMoment,
  changedPins,
  inOrder,
  movedSince,
  type PlannedActivation,
  pinsOf,
  restsOn,
  versionsAfter,
} from '#backoffice/workbench/activation/engine/plans.ts';
import type { Versions } from '#rules/rulesets/index.ts';

const plan = (id: number, hour: number, versions: Versions, replaces: Versions = {}): PlannedActivation => ({
  id,
  versions,
  replaces,
  activeFrom: `2026-01-12T${String(hour).padStart(2, '0')}:00:00.000Z`,
});
const at = (hour: number) => new Date(plan(0, hour, {}).activeFrom);
const idsOf = (plans: readonly PlannedActivation[]) => plans.map(({ id }) => id);

const current: Versions = { 'cbm/trend': 1, 'rbm/rbm': 1 };
const first = plan(1, 10, { 'cbm/trend': 3 });
const earlier = plan(2, 9, { 'cbm/trend': 2 });
const together = plan(3, 10, { 'rbm/rbm': 2 });

test('plans come in the order of their moments; those of one moment in the order in which they were made', () => {
  assert.equal(idsOf(inOrder([together, first, earlier])), [2, 1, 3]);
});

test('a plan made for a moment that others have comes after them', () => {
  const { before, after } = aroundMoment([first, earlier, together], at(10));
  assert.equal([idsOf(before), idsOf(after)], [[2, 1, 3], []]);
  const { before: sooner, after: later } = aroundMoment([first, earlier, together], new Date(at(10).getTime() - 1));
  assert.equal([idsOf(sooner), idsOf(later)], [[2], [1, 3]]);
});

test('each plan changes its documents and leaves the others', () => {
  assert.equal(versionsAfter(current, inOrder([first, earlier, together])), { 'cbm/trend': 3, 'rbm/rbm': 2 });
  assert.equal(versionsAfter(current, []), current);
});

test('a document that is in force in this version is not changed; a new one is', () => {
  assert.equal(changedPins(current, { 'cbm/trend': 1, 'rbm/rbm': 2, 'qa/checks': 1 }), ['rbm/rbm', 'qa/checks']);
  assert.equal(pinsOf(current, { 'rbm/rbm': 2, 'qa/checks': 1 }), { 'rbm/rbm': 1 });
});

test('a plan notices that its documents have moved, also one that has come into force or has gone out of it', () => {
  const made = plan(4, 11, { 'cbm/trend': 3, 'qa/checks': 2 }, { 'cbm/trend': 1 });
  assert.equal(movedSince(made, current), []);
  assert.equal(movedSince(made, { ...current, 'rbm/rbm': 9 }), []);
  assert.equal(movedSince(made, { 'cbm/trend': 2, 'qa/checks': 1 }), ['cbm/trend', 'qa/checks']);
  assert.equal(movedSince(made, {}), ['cbm/trend']);
});

test('a later plan rests on an earlier one of the same document, never the other way about, nor on itself', () => {
  assert.is(restsOn(first, earlier), true);
  assert.is(restsOn(earlier, first), false);
  assert.is(restsOn(together, first), false);
  assert.is(restsOn(first, first), false);
});

test.run();
