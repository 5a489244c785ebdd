// The matrix itself, on answers written down by hand.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { directionOf, orderedTiles } from '#backoffice/workbench/impact/engine/direction.ts';
import { addPairs, type LayerTally, pairsOf, transitionsOf } from '#backoffice/workbench/impact/engine/tally.ts';
import { flagPairs } from '#rules/rulesets/index.ts';

const test = suite('transition matrix');

const answers = (summary: Readonly<Record<string, string>>) =>
  Object.entries(summary).map(([subject, outcome]) => ({ subject, ruleId: 'R', outcome }));

test('better and worse are steps on the scale; a word beside it is neither', () => {
  const scale = ['broad_weakness_related', 'weak_gateway', 'monitor', 'adequate'];
  assert.is(directionOf(scale, 'weak_gateway', 'adequate'), 'better');
  assert.is(directionOf(scale, 'monitor', 'weak_gateway'), 'worse');
  assert.is(directionOf(scale, 'monitor', 'contextual_review'), 'lateral');
  assert.is(directionOf(scale, 'do_not_decide_yet', 'adequate'), 'lateral');
  assert.is(directionOf(scale, 'adequate', 'adequate'), 'same');
  assert.is(directionOf([], 'confirm', 'withhold'), 'lateral');
});

test('tiles: Severe, Below, Approaching, Meets; the others say that something is not known', () => {
  assert.equal(orderedTiles, ['Severe', 'Below', 'Approaching', 'Meets']);
  assert.is(directionOf(orderedTiles, 'Below', 'Severe'), 'worse');
  for (const word of ['Contextual', 'Partial', 'Not_Assessed']) {
    assert.is(directionOf(orderedTiles, word, 'Meets'), 'lateral', word);
  }
});

test('subjects are paired by name, and those of one side only with not_asked', () => {
  const pairs = pairsOf(answers({ A: 'x', B: 'y', C: 'z' }), answers({ B: 'y', A: 'w', D: 'v' }));
  assert.equal(pairs, [
    { subject: 'A', from: 'x', to: 'w' },
    { subject: 'B', from: 'y', to: 'y' },
    { subject: 'C', from: 'z', to: 'not_asked' },
    { subject: 'D', from: 'not_asked', to: 'v' },
  ]);
});

test('every pair is counted; the first ten students stand for a change, each once', () => {
  const tally: LayerTally = {};
  for (let studentId = 1; studentId <= 15; studentId += 1) {
    const pairs = pairsOf(answers({ A: 'x', B: 'x', C: 'x' }), answers({ A: 'y', B: 'y', C: 'x' }));
    assert.is(addPairs(tally, { organizationId: 'o', studentId, ref: `run-${studentId}` }, pairs), true);
  }
  const [change, same] = transitionsOf(tally).sort((one, other) => other.count - one.count);
  assert.equal([change?.from, change?.to, change?.count], ['x', 'y', 30]);
  assert.equal(
    change?.exemplars,
    Array.from({ length: 10 }, (_, at) => ({
      organizationId: 'o',
      studentId: at + 1,
      ref: `run-${at + 1}`,
      subject: 'A',
    })),
  );
  assert.equal([same?.from, same?.to, same?.count, same?.exemplars], ['x', 'x', 15, []]);
  assert.is(
    addPairs(tally, { organizationId: 'o', studentId: 16, ref: '' }, pairsOf(answers({ A: 'x' }), answers({ A: 'x' }))),
    false,
  );
});

test('flags are compared each with itself', () => {
  assert.equal(flagPairs('session', ['clean'], ['long_pause', 'rapid_streak']), [
    { subject: 'session', from: 'clean', to: 'none' },
    { subject: 'session', from: 'none', to: 'long_pause' },
    { subject: 'session', from: 'none', to: 'rapid_streak' },
  ]);
});

test.run();
