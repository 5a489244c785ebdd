// The teaser's content: complete, valid, and separate from the bank.
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import {
  isCanonicalText,
  misplacedMarks,
  spells,
  unvowelledWords,
} from '#assessment/content/items/engine/arabic-marks.ts';
import { loadItemBank } from '#assessment/content/items/files.ts';
import { loadPassages } from '#assessment/content/passages/files.ts';
import { itemsOfSet, presentItem, type TeaserItem } from '#assessment/content/teaser/engine/items.ts';
import { loadTeaserItems } from '#assessment/content/teaser/files.ts';

const items = [...(await loadTeaserItems(2)).values()];
const ofGrade = (grade: number) => items.filter((item) => item.grade === grade);

const cells: readonly { grade: number; subSkillCode: string; itemType: string; options: number }[] = [
  { grade: 1, subSkillCode: 'LK_SOUND', itemType: 'mcq_audio', options: 3 },
  { grade: 2, subSkillCode: 'DEC_WORD', itemType: 'mcq_audio', options: 3 },
  { grade: 3, subSkillCode: 'DEC_MULTI', itemType: 'mcq_audio', options: 4 },
  { grade: 4, subSkillCode: 'RC_LITERAL', itemType: 'passage_mcq', options: 4 },
];
const ladder = [-1.8, -1.4, -1, -0.6, -0.2, 0.2, 0.6, 1, 1.4, 1.8];

for (const { grade, subSkillCode, itemType, options } of cells) {
  test(`G${grade}: ten items of ${subSkillCode}, ${options} options each, on the ladder from −1.8 to 1.8`, () => {
    const own = ofGrade(grade);
    assert.equal(
      own.map(({ id }) => id),
      ladder.map((_, at) => `TEASER-G${grade}-${String(at + 1).padStart(2, '0')}`),
    );
    assert.equal(
      own.map(({ difficulty }) => difficulty),
      ladder,
    );
    for (const item of own) {
      assert.is(item.subSkillCode, subSkillCode, item.id);
      assert.is(item.itemType, itemType, item.id);
      assert.is(item.options.length, options, item.id);
      assert.is(item.prompt.passage !== null, itemType === 'passage_mcq', item.id);
    }
  });

  test(`G${grade}: right answers are at every position equally often, give or take two`, () => {
    const counts = Array.from(
      { length: options },
      (_, position) => ofGrade(grade).filter((i) => i.correctIndex === position).length,
    );
    assert.ok(Math.max(...counts) - Math.min(...counts) <= 2, counts.join(', '));
  });

  test(`G${grade}: no two items ask the same`, () => {
    const prompts = ofGrade(grade).map(({ prompt }) => JSON.stringify([prompt.text, prompt.speech, prompt.passage]));
    assert.is(new Set(prompts).size, prompts.length);
  });
}

test('every text is canonical and fully vowelled, and its marks can be read', () => {
  for (const item of items) {
    for (const text of textsOf(item)) {
      assert.ok(isCanonicalText(text), `${item.id}: ${text}`);
      assert.equal(unvowelledWords(text), [], item.id);
      assert.equal(misplacedMarks(text), [], item.id);
    }
  }
});

test('every item has exactly one right option: different texts, and only one spells the heard word', () => {
  for (const { id, options, correctIndex, prompt, subSkillCode } of items) {
    const texts = options.map(({ text }) => text);
    assert.is(new Set(texts).size, texts.length, id);
    if (!subSkillCode.startsWith('DEC_')) continue;
    assert.is(texts[correctIndex], prompt.speech, id);
    assert.equal(
      texts.filter((text) => spells(text, prompt.speech)),
      [prompt.speech],
      id,
    );
  }
});

test('LK_SOUND: the right letter is the one that is heard', () => {
  for (const { id, options, correctIndex, prompt } of ofGrade(1)) {
    assert.is(options[correctIndex]?.text, prompt.speech.slice(0, 1), id);
  }
});

test('RC_LITERAL: the passage is printed, the answer is found in it, and it is never in the question', () => {
  for (const { id, options, correctIndex, prompt } of ofGrade(4)) {
    const answer = options[correctIndex]?.text ?? '';
    const words = answer.split(' ').filter((word) => word.length > 4);
    assert.ok(
      words.some((word) => prompt.passage?.includes(word.slice(0, 5))),
      id,
    );
    assert.not(prompt.text.includes(answer), id);
  }
});

test('version 2 has the ids, keys and difficulties of version 1, so that results stay comparable', async () => {
  const meaning = ({ id, grade, subSkillCode, correctIndex, difficulty }: TeaserItem) =>
    [id, grade, subSkillCode, correctIndex, difficulty].join(' ');
  assert.equal(items.map(meaning), [...(await loadTeaserItems(1)).values()].map(meaning));
});

test('«أَيُّ كَلِمَةٍ» is asked about with a pronoun, since it is what the verb is about', () => {
  for (const { id, prompt } of [...ofGrade(2), ...ofGrade(3)]) assert.is(prompt.text, 'أَيُّ كَلِمَةٍ تَسْمَعُهَا؟', id);
});

test('no text of the teaser reveals an item of a bank', async () => {
  const banks = await Promise.all((await bankVersions()).map((version) => loadItemBank('rules', version)));
  const keyOf = (code: string, prompt: { speech: string; passage: string | null }) =>
    JSON.stringify([code, prompt.passage ?? prompt.speech]);
  const taken = new Set(
    banks.flatMap(({ items: ofBank }) => ofBank).map(({ subSkillCode, prompt }) => keyOf(subSkillCode, prompt)),
  );
  for (const { id, subSkillCode, prompt } of items) assert.not(taken.has(keyOf(subSkillCode, prompt)), id);
});

test('public items contain no key and no difficulty', () => {
  for (const item of items) {
    const shown = presentItem(item, { urlOf: () => null });
    assert.is(Object.keys(shown).sort().join(' '), 'id itemType options prompt');
    assert.is(Object.keys(shown.prompt).sort().join(' '), 'audioUrl passage speech text');
    for (const option of shown.options) assert.is(Object.keys(option).sort().join(' '), 'audioUrl index speech text');
  }
});

const set = { grade: 1, subSkillId: 'LK_SOUND', itemIds: ofGrade(1).map(({ id }) => id) };
const byId = new Map(items.map((item) => [item.id, item]));
const withFirst = (changes: Partial<TeaserItem>) =>
  new Map(items.map((item) => [item.id, item.id === 'TEASER-G1-01' ? { ...item, ...changes } : item]));

test('a set is served completely and in its order', () => {
  const reversed = [...set.itemIds].reverse();
  assert.equal(
    itemsOfSet({ ...set, itemIds: reversed }, byId, 10)?.map(({ id }) => id),
    reversed,
  );
});

const broken: readonly [string, typeof set, ReadonlyMap<string, TeaserItem>][] = [
  ['nine items', { ...set, itemIds: set.itemIds.slice(1) }, byId],
  ['eleven items', { ...set, itemIds: [...set.itemIds, 'TEASER-G2-01'] }, byId],
  ['an item twice', { ...set, itemIds: [...set.itemIds.slice(1), 'TEASER-G1-02'] }, byId],
  ['an unknown item', { ...set, itemIds: [...set.itemIds.slice(1), 'TEASER-G1-99'] }, byId],
  ['an item of another grade', { ...set, itemIds: [...set.itemIds.slice(1), 'TEASER-G2-01'] }, byId],
  ['an item of another sub-skill', set, withFirst({ subSkillCode: 'LK_NAME' })],
  ['a right option that is not there', set, withFirst({ correctIndex: 3 })],
  ['two equal options', set, withFirst({ options: [0, 1, 2].map((index) => ({ index, text: 'س' })) })],
  ['options out of order', set, withFirst({ options: [...(byId.get('TEASER-G1-01')?.options ?? [])].reverse() })],
];
for (const [what, names, content] of broken) {
  test(`a set with ${what} is not served`, () => assert.is(itemsOfSet(names, content, 10), undefined));
}

test('a content file with another version or an invalid one is not loaded', async () => {
  const dir = await fs.mkdtemp(path.join(os.tmpdir(), 'teaser-'));
  await fs.mkdir(path.join(dir, 'content/teaser'), { recursive: true });
  const [item] = items;
  const documents: object[] = [
    { version: 2, items: [item] },
    { version: 1, items: [] },
    { version: 1, items: [item, item] },
    { version: 1, items: [{ ...item, hint: 'x' }] },
    { version: 1, items: [{ ...item, difficulty: 4.1 }] },
    { version: 1, items: [{ ...item, prompt: { text: 'x' } }] },
  ];
  for (const document of documents) {
    await fs.writeFile(path.join(dir, 'content/teaser/items.v1.json'), JSON.stringify(document));
    const outcome: unknown = await loadTeaserItems(1, dir).then(
      () => 'loaded',
      (error: unknown) => error,
    );
    assert.instance(outcome, RangeError, JSON.stringify(document).slice(0, 60));
  }
  await fs.rm(dir, { recursive: true });
});

/** Returns words of four letters and more, without marks and joined letters. */
function contentWords(text: string): Set<string> {
  const words = text.replace(/[\u064B-\u0652\u0670]/g, '').match(/[\u0621-\u064A]+/g) ?? [];
  return new Set(words.map((word) => word.replace(/^[وف]?[بكل]?ال|(ها|هم|ه)$/g, '')).filter((word) => word.length > 3));
}

test('no text of the teaser has the content of a text of the banks or an oral reading passage', async () => {
  const banks = await Promise.all((await bankVersions()).map((version) => loadItemBank('rules', version)));
  const heardOrRead = banks.flatMap((bank) =>
    bank.items
      .filter(({ subSkillCode }) => /^(RC|LIS)_/.test(subSkillCode))
      .map(({ prompt }) => prompt.passage ?? prompt.speech),
  );
  const { passages } = await loadPassages('rules', 2);
  const others = [...heardOrRead, ...passages.map(({ words }) => words.map(({ text }) => text).join(' '))].map(
    contentWords,
  );
  for (const { id, prompt } of ofGrade(4)) {
    const own = contentWords(prompt.passage ?? '');
    assert.ok(own.size > 10, id);
    const shared = others.map((words) => [...own].filter((word) => words.has(word)));
    const most = shared.reduce((left, right) => (right.length > left.length ? right : left));
    assert.ok(most.length < 6, `${id}: ${most.join(' ')}`);
  }
});

const bankVersions = async (): Promise<number[]> =>
  (await fs.readdir('rules/content/item-bank')).flatMap((name) => Number(/^bank\.v(\d+)\.json$/.exec(name)?.[1]) || []);

const textsOf = ({ prompt, options }: TeaserItem): string[] =>
  [prompt.text, prompt.speech, prompt.passage ?? '', ...options.map(({ text }) => text)].filter((text) => text !== '');

test.run();
