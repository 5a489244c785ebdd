// Selection of the next item: six tiers, then the nearest, then the lower id.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type SelectionQuery, selectNext } from '#assessment/measurement/scoring/engine/select.ts';
import { itemOf } from '../items.ts';

function pick(difficulties: Readonly<Record<string, number>>, wanted: Partial<SelectionQuery> = {}) {
  const cell = Object.entries(difficulties).map(([id, difficulty]) => itemOf({ id, difficulty }));
  const none = new Set<string>();
  const found = selectNext({ cell, theta: 0, served: none, seen: none, nearLogit: 0.5, fairLogit: 1, ...wanted });
  return found && `${found.item.id} tier ${found.tier}`;
}

test('selection tier 1: unseen within 0.5 logit, the nearest of them', () => {
  assert.is(pick({ a: 0.5, b: -0.2, c: 0.9 }), 'b tier 1');
});

test('selection tier 1 holds at exactly 0.5, also where floating point says 0.5000000000000001', () => {
  assert.is(pick({ a: 0.5 }), 'a tier 1');
  assert.is(pick({ a: 0.8 }, { theta: 0.3 - 1e-6 }), 'a tier 1');
  assert.is(pick({ a: 0.8 }, { theta: 0.2999 }), 'a tier 2');
});

test('selection tier 2: unseen within 1.0 logit', () => {
  assert.is(pick({ a: 1, b: -1.4 }), 'a tier 2');
});

test('selection tier 3: unseen at any distance, before anything seen', () => {
  assert.is(pick({ a: 0, b: 2.2 }, { seen: new Set(['a']) }), 'b tier 3');
});

test('selection tiers 4, 5 and 6: these distances among seen items', () => {
  const seen = new Set(['a', 'b', 'c']);
  assert.is(pick({ a: 0.4, b: 0.9, c: 3 }, { seen }), 'a tier 4');
  assert.is(pick({ b: 0.9, c: 3 }, { seen }), 'b tier 5');
  assert.is(pick({ c: 3 }, { seen }), 'c tier 6');
});

test('selection: equal distance on both sides goes to the lower item id, whatever the order of the bank', () => {
  assert.is(pick({ b: 0.2, a: -0.2 }), 'a tier 1');
  assert.is(pick({ a: -0.2, b: 0.2 }), 'a tier 1');
});

test('selection: distances that differ below the fourth decimal are equal', () => {
  assert.is(pick({ b: 0.2, a: -0.2 }, { theta: 0.00001 }), 'a tier 1');
});

test('selection: served and withdrawn items are never picked, and nothing left is undefined', () => {
  assert.is(pick({ a: 0, b: 1 }, { served: new Set(['a']) }), 'b tier 2');
  assert.is(pick({ a: 0 }, { served: new Set(['a']) }), undefined);
  const withdrawn = itemOf({ id: 'a', status: 'withdrawn' });
  assert.is(pick({}, { cell: [withdrawn] }), undefined);
});

test.run();
