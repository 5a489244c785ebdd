// How simulated children read aloud.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { childNamed } from '#app/demo/engine/child.ts';
import { profiles } from '#app/demo/engine/profiles.ts';
import { readAloud } from '#app/demo/engine/reader.ts';

const words = 60;
const children = Array.from({ length: 200 }, (_, index) => childNamed(`reader ${index}`));

/** Words read well in a minute. */
const rateOf = ({ missed, lastWordIndex, elapsedSeconds }: ReturnType<typeof readAloud>) =>
  (60 * (lastWordIndex + 1 - missed.length)) / elapsedSeconds;

test('a reading is one that a stop allows: a whole minute, or every word; misses are words that were reached', () => {
  for (const child of children) {
    for (const grade of [1, 2, 3, 4]) {
      const { reason, elapsedSeconds, lastWordIndex, missed } = readAloud(child, grade, words, 0);
      assert.ok(Number.isInteger(elapsedSeconds) && elapsedSeconds >= 1 && elapsedSeconds <= 60);
      assert.is(reason === 'time_up' ? elapsedSeconds : 60, 60);
      assert.is(reason === 'finished_early' ? lastWordIndex : words - 1, words - 1);
      assert.ok(lastWordIndex >= 0 && lastWordIndex < words);
      assert.ok(missed.every((index) => index >= 0 && index <= lastWordIndex));
    }
  }
});

test('the same child reads the same; strong readers read more, weak decoders less, and all more when they have practised', () => {
  const profile = (wanted: string) => profiles.find(({ name }) => name === wanted) as (typeof profiles)[number];
  const mean = (name: string, practised: number) => {
    const rates = children.map(({ key }) => rateOf(readAloud({ key, profile: profile(name) }, 3, words, practised)));
    return rates.reduce((sum, rate) => sum + rate, 0) / rates.length;
  };
  for (const child of children) assert.equal(readAloud(child, 2, words, 1), readAloud(child, 2, words, 1));
  assert.ok(mean('strong', 0) > mean('typical', 0) && mean('typical', 0) > mean('weak decoding', 0));
  for (const { name, growthLogit } of profiles) if (growthLogit > 0.5) assert.ok(mean(name, 1) > mean(name, 0), name);
});

test.run();
