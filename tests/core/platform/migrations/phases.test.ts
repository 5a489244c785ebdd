// The migrations of a start, and those that wait until an operator states that no older process is left.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { phaseOf, toRun } from '#core/platform/migrations/phases.ts';

const start = '20261122_01-people';
const adds = '20270110_01-reports.expand';
const takes = '20270210_01-reports.contract';
const addsLater = '20270310_01-letters.expand';
const known = [start, adds, takes, addsLater];

test('the phase is the end of a name', () => {
  assert.equal(known.map(phaseOf), [undefined, 'expand', 'contract', 'expand']);
});

test('a start runs expand migrations; an operator runs contract migrations', () => {
  assert.equal(toRun(known, [start], false), [adds, addsLater]);
  assert.equal(toRun(known, [start, adds, addsLater], false), []);
  assert.equal(toRun(known, [start, adds, addsLater], true), [takes]);
});

test('a new database gets everything in its order', () => {
  assert.equal(toRun(known, [], false), known);
});

test.run();
