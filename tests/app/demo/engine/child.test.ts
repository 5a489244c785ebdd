// Simulated children: the same name is the same child, and a child answers as its profile says.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type ChildAnswer, childNamed, sitting } from '#app/demo/engine/child.ts';
import { profileAt, profiles } from '#app/demo/engine/profiles.ts';
import { itemBanks } from '#assessment/content/items/banks.ts';
import type { Item } from '#assessment/content/items/engine/item.ts';

const bank = await itemBanks().current();
const items = bank.items.filter(({ gradeBand }) => gradeBand === 'G12');

function profileNamed(name: string) {
  const profile = profiles.find((one) => one.name === name);
  if (!profile) throw new Error(`no profile ${name}`);
  return profile;
}

/** What a hundred children of a profile answer to items; everything counts as one domain. */
function answers(name: string, domain: string, asked: readonly Item[]): { item: Item; answer: ChildAnswer }[] {
  return Array.from({ length: 100 }, (_, index) => {
    const answerOf = sitting({ key: `child ${index}`, profile: profileNamed(name) }, 'a sitting', 0);
    return asked.map((item) => ({ item, answer: answerOf(item, domain) }));
  }).flat();
}

const shareOf = <T>(list: readonly T[], holds: (one: T) => boolean) => list.filter(holds).length / list.length;
const isRight = ({ item, answer }: { item: Item; answer: ChildAnswer }) =>
  answer.selectedOptionIndex === item.correctIndex;

test('the same name gives the same child and the same answers', () => {
  assert.equal(childNamed('a'), childNamed('a'));
  const once = items.map((item) => sitting(childNamed('a'), 's', 0)(item, 'PA'));
  assert.equal(
    items.map((item) => sitting(childNamed('a'), 's', 0)(item, 'PA')),
    once,
  );
});

test('profiles come in the proportion of their shares', () => {
  assert.is(
    profiles.reduce((sum, { share }) => sum + share, 0),
    100,
  );
  const drawn = Array.from({ length: 2000 }, (_, index) => childNamed(`child ${index}`).profile.name);
  for (const { name, share } of profiles) {
    assert.ok(Math.abs(100 * shareOf(drawn, (one) => one === name) - share) < 3, name);
  }
  assert.is(profileAt(0).name, profiles[0]?.name);
  assert.throws(() => profileAt(1), RangeError);
});

test('a child weak in decoding fails there and not in listening', () => {
  const decoding = shareOf(answers('weak decoding', 'DEC', items.slice(0, 40)), isRight);
  const listening = shareOf(answers('weak decoding', 'LIS', items.slice(0, 40)), isRight);
  assert.ok(decoding < 0.4, String(decoding));
  assert.ok(listening > 0.85, String(listening));
});

test('right answers follow the Rasch model: a middling child gets items of its own ability half right', () => {
  const middling = { ...profileNamed('typical'), abilityLogit: 1, skips: 0 };
  const asked = items.filter(({ difficulty }) => Math.abs(difficulty - 1) < 0.01);
  const all = Array.from({ length: 200 }, (_, index) => {
    const answerOf = sitting({ key: `child ${index}`, profile: middling }, 's', 0);
    return asked.map((item) => ({ item, answer: answerOf(item, 'PA') }));
  }).flat();
  assert.ok(Math.abs(shareOf(all, isRight) - 0.5) < 0.03, String(shareOf(all, isRight)));
});

test('a wrong choice follows the micro-pattern that the child leans to', () => {
  const lean = 'dot_confusion';
  const asked = items.filter(({ options }) => options.some(({ microPattern }) => microPattern === lean));
  const wrong = answers('weak decoding', 'DEC', asked).filter((one) => !isRight(one));
  const leaning = ({ item, answer }: (typeof wrong)[number]) =>
    item.options[answer.selectedOptionIndex ?? -1]?.microPattern === lean;
  assert.ok(shareOf(wrong, leaning) > 0.6, String(shareOf(wrong, leaning)));
});

test('guessing is too quick to be reading, and skipping leaves items out', () => {
  const rapid = answers('guessing', 'PA', items.slice(0, 40)).filter(({ answer }) => answer.latencyMs < 800);
  assert.ok(Math.abs(rapid.length / 4000 - 0.6) < 0.05);
  const skipped = shareOf(
    answers('skipping', 'PA', items.slice(0, 40)),
    ({ answer }) => answer.selectedOptionIndex === null,
  );
  assert.ok(Math.abs(skipped - 0.2) < 0.05);
});

test('slow but accurate: more than half of the right answers take over three times the expected time', () => {
  const all = answers('slow but accurate', 'PA', items.slice(0, 40));
  assert.ok(shareOf(all, ({ item, answer }) => answer.latencyMs > 3000 * item.expectedSeconds) > 0.5);
  assert.ok(shareOf(all, isRight) > 0.9);
});

test.run();
