// Bands of ten answers, compared with the agreed table; and the waiting time of an address.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { loadTeaserItems } from '#assessment/content/teaser/files.ts';
import { scoreTeaser } from '#assessment/teaser/engine/score.ts';
import { secondsToWait } from '#assessment/teaser/engine/start-limit.ts';
import { readTeaserValues } from '#assessment/teaser/engine/values.ts';
import { loadNewestBundle } from '#rules/rulesets/files.ts';

const values = readTeaserValues(await loadNewestBundle('rules'));
const all = [...(await loadTeaserItems(2)).values()];

const golden: readonly (readonly [right: number, theta: number, band: string])[] = [
  [0, -1.9132, 'severe'],
  [1, -1.4832, 'severe'],
  [2, -1.0871, 'severe'],
  [3, -0.7135, 'below'],
  [4, -0.3535, 'below'],
  [5, 0, 'approaching'],
  [6, 0.3535, 'approaching'],
  [7, 0.7135, 'approaching'],
  [8, 1.0871, 'meets'],
  [9, 1.4832, 'meets'],
  [10, 1.9132, 'meets'],
];

for (const [right, theta, band] of golden) {
  test(`${right} of 10 right gives ${theta} and ${band}, in every grade, whichever they are`, () => {
    for (const grade of [1, 2, 3, 4]) {
      const items = all.filter((item) => item.grade === grade);
      for (const order of [items, [...items].reverse()]) {
        const choices = new Map(order.slice(0, right).map(({ id, correctIndex }) => [id, correctIndex]));
        const score = scoreTeaser(items, choices, values);
        assert.is(score.theta, theta);
        assert.is(score.band.band, band);
      }
    }
  });
}

test('5 of 10 is 0, not −0', () => {
  const items = all.filter(({ grade }) => grade === 1);
  const choices = new Map(items.slice(0, 5).map(({ id, correctIndex }) => [id, correctIndex]));
  assert.ok(Object.is(scoreTeaser(items, choices, values).theta, 0));
});

test('a wrong answer counts as much as none', () => {
  const items = all.filter(({ grade }) => grade === 2);
  const wrong = new Map(items.map(({ id, correctIndex, options }) => [id, (correctIndex + 1) % options.length]));
  assert.is(scoreTeaser(items, wrong, values).theta, scoreTeaser(items, new Map(), values).theta);
});

const limit = { maxStarts: 3, windowMs: 3_600_000 };
test('TSR-LIM: three starts an hour; the wait is whole seconds until the oldest leaves', () => {
  assert.is(secondsToWait([], 0, limit), undefined);
  assert.is(secondsToWait([1_000, 2_000], 3_000, limit), undefined);
  assert.is(secondsToWait([1_000, 2_000, 3_000], 4_000, limit), 3_597);
  assert.is(secondsToWait([3_000, 1_001, 2_000], 4_000, limit), 3_598, 'rounded up, whatever the order');
  assert.is(secondsToWait([1_000, 2_000, 3_000], 3_600_999, limit), 1);
  assert.is(secondsToWait([1_000, 2_000, 3_000], 3_601_000, limit), undefined, 'it leaves after exactly an hour');
});

test('TSR constants: ten items, three starts in sixty minutes, bands from 1.0, 0.0 and −1.0', () => {
  assert.is(values.itemCount, 10);
  assert.equal(values.limit, limit);
  assert.equal(
    values.bands.map(({ band, minLogit }) => [band, minLogit]),
    [
      ['meets', 1],
      ['approaching', 0],
      ['below', -1],
      ['severe', Number.NEGATIVE_INFINITY],
    ],
  );
});

test.run();
