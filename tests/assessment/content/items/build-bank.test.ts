// A bank follows from its source by position alone, so that equal sources give equal items.
import { createHash } from 'node:crypto';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type BankRules, buildBank } from '#assessment/content/items/engine/build-bank.ts';
import { itemTypeOf } from '#assessment/content/items/engine/cell-kinds.ts';
import { goodCell, goodItem, sourceRules } from './source-cells.ts';

const rules: BankRules = {
  version: 2,
  previous: new Map(),
  calibrated: new Map(),
  orderOf: new Map([['DEC_WORD', 12]]),
  familyOf: sourceRules.familyOf,
  expectedSeconds: { mcq_text: 15, mcq_audio: 20, passage_mcq: 40, timed_choice: 6 },
  calibrationVersion: 'CAL@1',
};
const cell = { ...goodCell, items: [...goodCell.items, { ...goodItem(1), k: 13 }] };
const { items } = buildBank([cell], rules);

test('item k has difficulty −2.2 + 0.4 (k − 1) to one decimal, and the 13th starts the ladder again', () => {
  const ladder = [-2.2, -1.8, -1.4, -1, -0.6, -0.2, 0.2, 0.6, 1, 1.4, 1.8, 2.2];
  assert.equal(
    items.map(({ difficulty }) => difficulty),
    [...ladder, -2.2],
  );
});

test('the right option of item k is at index (k + order) mod options, distractors keep their order around it', () => {
  const [one, two, three] = items;
  assert.equal(
    [one, two, three].map((item) => item?.correctIndex),
    [1, 2, 0],
  );
  for (const [at, item] of [one, two, three].entries()) {
    const source = goodItem(at + 1);
    const texts = item?.options.map(({ text }) => text) ?? [];
    assert.is(texts[item?.correctIndex ?? -1], source.correct);
    assert.equal(
      texts.filter((text) => text !== source.correct),
      source.distractors.map(({ text }) => text),
    );
    assert.equal(
      item?.options.map(({ index }) => index),
      [0, 1, 2],
    );
  }
});

test('the right option reveals nothing; a wrong one carries its pattern and the family of the pattern', () => {
  const revealed = items[0]?.options.map(({ microPattern, errorFamily }) => [microPattern, errorFamily]);
  assert.equal(revealed, [
    ['dot_confusion', 'orthographic'],
    [null, null],
    ['short_vowel_swap', 'vowel_mark'],
  ]);
});

test('an error family that an author names is kept, and nothing stays null', () => {
  const distractors = [{ text: 'نَابٌ', errorFamily: 'lexical' }, { text: 'دَابٌ' }];
  const bank = buildBank([{ ...goodCell, items: [{ ...goodItem(1), distractors }] }], rules);
  const families = bank.items[0]?.options.map(({ errorFamily }) => errorFamily);
  assert.equal(families, ['lexical', null, null]);
});

test('ids: code, band and position; the public id is the first 16 hex digits of its SHA-256', () => {
  assert.is(items[0]?.id, 'DEC_WORD-G12-01');
  assert.is(items[12]?.id, 'DEC_WORD-G12-13');
  assert.is(items[0]?.publicId, createHash('sha256').update('DEC_WORD-G12-01').digest('hex').slice(0, 16));
});

test('a demo item is uncalibrated, active, and expected to take as long as its type', () => {
  assert.equal(items[0]?.calibration, { n: 0, version: 'CAL@1' });
  assert.is(items[0]?.status, 'active');
  assert.is(items[0]?.expectedSeconds, 20);
});

test('an item keeps its version while nothing but its calibration changes, and takes the next one with any change', () => {
  const [first, second, ...others] = items;
  assert.ok(first && second);
  const before = [
    { ...first, version: 3, calibration: { n: 400, version: 'CAL@7' } },
    { ...second, version: 3, prompt: { ...second.prompt, text: 'أَيُّ كَلِمَةٍ سَمِعْتَ؟' } },
    ...others.slice(1),
  ];
  const rebuilt = buildBank([cell], { ...rules, previous: new Map(before.map((item) => [item.id, item])) }).items;
  assert.equal(
    rebuilt.map(({ version }) => version),
    [3, 4, 1, ...others.slice(1).map(() => 1)],
  );
});

test('a calibrated item takes its difficulty from the answers, and is one version further; a changed one does not', () => {
  const [first, second] = items;
  assert.ok(first && second);
  const previous = new Map([
    [first.id, first],
    [second.id, { ...second, prompt: { ...second.prompt, text: 'أَيُّ كَلِمَةٍ سَمِعْتَ؟' } }],
  ]);
  const found = { version: 1, n: 412, difficulty: 0.7, calibration: 'CAL@2' };
  const calibrated = new Map(items.map(({ id }) => [id, found]));
  const [taken, changed, unknown] = buildBank([cell], { ...rules, previous, calibrated }).items;
  assert.equal([taken?.difficulty, taken?.calibration, taken?.version], [0.7, { n: 412, version: 'CAL@2' }, 2]);
  assert.equal([changed?.difficulty, changed?.calibration.n], [second.difficulty, 0]);
  assert.is(unknown?.calibration.n, 0);
  assert.ok(taken);
  const [again] = buildBank([cell], { ...rules, previous: new Map([[first.id, taken]]), calibrated }).items;
  assert.equal([again?.difficulty, again?.version], [0.7, 2], 'the bank after it keeps it');
  const older = new Map([[first.id, { ...found, version: 7 }]]);
  assert.is(buildBank([cell], { ...rules, previous, calibrated: older }).items[0]?.calibration.n, 0);
});

test('options are spoken in PA, LIS, VOC and MOR: with their own speech, or else as they are written', () => {
  const spoken = { ...goodItem(1), correctSpeech: 'وَاحِدٌ' };
  const optionsIn = (subSkillCode: string) =>
    buildBank([{ ...goodCell, subSkillCode, items: [spoken] }], rules).items[0]?.options ?? [];
  for (const code of ['PA_SYLLABLE', 'LIS_INFER', 'VOC_MEANING', 'MOR_AFFIX']) {
    const speeches = optionsIn(code).map(({ text, speech }) => (text === spoken.correct ? speech : speech === text));
    assert.equal(speeches.filter((one) => one === 'وَاحِدٌ').length, 1, code);
    assert.equal(speeches.filter((one) => one === true).length, 2, code);
  }
  for (const code of ['LK_SOUND', 'DEC_WORD', 'ACC_MADD', 'FLU_WORD', 'RC_INFER', 'SPL_TAA']) {
    assert.equal(
      optionsIn(code).map(({ speech }) => speech),
      [null, null, null],
      code,
    );
  }
});

test('item types by sub-skill', () => {
  const types = {
    mcq_audio: 'PA_RHYME LK_NAME LK_SOUND LK_CLOSE_SOUND DEC_WORD ACC_MADD LIS_INFER SPL_TAA',
    mcq_text: 'LK_FORM LK_SHAPE DEC_UNVOWELLED VOC_MEANING MOR_ROOT',
    passage_mcq: 'RC_SENTENCE RC_MAIN_IDEA',
    timed_choice: 'FLU_WORD',
  };
  for (const [type, codes] of Object.entries(types)) {
    for (const code of codes.split(' ')) assert.is(itemTypeOf(code), type, code);
  }
});

test.run();
