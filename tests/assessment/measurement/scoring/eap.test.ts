// The estimator compared with published values and with an exact integral.
import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { estimateAbility, type Prior } from '#assessment/measurement/scoring/engine/eap.ts';
import { round4 } from '#core/platform/pure/round.ts';
import { posteriorMoments } from './posterior.ts';

const itemsOf = (difficulties: readonly number[], answers: readonly number[]) =>
  difficulties.map((difficultyLogit, index) => ({
    itemId: `item-${String(index).padStart(3, '0')}`,
    difficultyLogit,
    correct: answers[index] === 1,
  }));

const worked: { b: number[]; u: number[]; prior?: Prior; theta: number; se: number }[] = [
  { b: [0, 0, 0], u: [1, 1, 1], theta: 0.9229, se: 0.8004 },
  { b: [-1, 0, 1], u: [1, 1, 0], theta: 0.3154, se: 0.7956 },
  { b: [-1.2, -0.4, 0.3, 0.9, 1.6], u: [1, 1, 0, 1, 0], theta: 0.3757, se: 0.7158 },
  { b: [0.5, 1, 1.5, 2], u: [1, 1, 1, 1], prior: { mean: 0.8, sd: 0.6 }, theta: 1.4551, se: 0.5232 },
  { b: [-2, -1.5, -1, -0.5, 0, 0.5], u: [0, 0, 0, 0, 0, 0], theta: -1.8054, se: 0.7043 },
];

for (const { b, u, prior, theta, se } of worked) {
  test(`EAP: b ${b.join(' ')} u ${u.join(' ')} gives theta ${theta}, SE ${se}`, () => {
    const ability = estimateAbility(itemsOf(b, u), prior);
    assert.is(round4(ability.theta), theta);
    assert.is(round4(ability.se), se);
  });
}

/** Ten items from −1.8 to 1.8, by the number of right answers, easiest first. */
const ladderThetas = [-1.9132, -1.4832, -1.0871, -0.7135, -0.3535, 0, 0.3535, 0.7135, 1.0871, 1.4832, 1.9132];

test('EAP: under the Rasch model only the number right counts, and 5 of 10 symmetric items is 0', () => {
  const escalation = Array.from({ length: 10 }, (_, index) => (4 * index - 18) / 10);
  ladderThetas.forEach((theta, right) => {
    const easyFirst = escalation.map((_, index) => (index < right ? 1 : 0));
    const hardFirst = [...easyFirst].reverse();
    assert.is(round4(estimateAbility(itemsOf(escalation, easyFirst)).theta), theta);
    assert.is(round4(estimateAbility(itemsOf(escalation, hardFirst)).theta), theta);
  });
});

test('EAP: without answers the result is the prior', () => {
  const ability = estimateAbility([], { mean: -1.5, sd: 0.7 });
  assert.is(round4(ability.theta), -1.5);
  assert.is(round4(ability.se), 0.7);
});

test('EAP: a hundred items all wrong and far too hard stay finite', () => {
  const ability = estimateAbility(itemsOf(Array(100).fill(4), Array(100).fill(1)), { mean: 4, sd: 2 });
  assert.ok(Number.isFinite(ability.theta) && Number.isFinite(ability.se));
});

const logit = fc.integer({ min: -40, max: 40 }).map((tenths) => tenths / 10);
const answers = fc.array(fc.record({ difficultyLogit: logit, correct: fc.boolean() }), { minLength: 1, maxLength: 60 });
const prior = fc.record({
  mean: fc.double({ min: -4, max: 4, noNaN: true }),
  sd: fc.double({ min: 0.3, max: 2, noNaN: true }),
});

test('EAP: the grid agrees with an adaptive Simpson integral to one millionth', () => {
  fc.assert(
    fc.property(answers, prior, (given, normal) => {
      const items = given.map((item, index) => ({ ...item, itemId: String(index) }));
      const ability = estimateAbility(items, normal);
      const exact = posteriorMoments(given, normal);
      assert.ok(Math.abs(ability.theta - exact.mean) < 1e-6, `theta ${ability.theta}, exact ${exact.mean}`);
      assert.ok(Math.abs(ability.se - exact.sd) < 1e-6, `SE ${ability.se}, exact ${exact.sd}`);
    }),
    { numRuns: 40, seed: 1982 },
  );
});

test('EAP: the order of answers does not change one bit', () => {
  fc.assert(
    fc.property(answers, (given) => {
      const items = given.map((item, index) => ({ ...item, itemId: `i${index}` }));
      assert.equal(estimateAbility([...items].reverse()), estimateAbility(items));
    }),
    { numRuns: 100, seed: 6 },
  );
});

test.run();
