// Items that can be answered without the measured skill: each check with an item of a kind that a reviewer returned.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { checkCell } from '#assessment/content/items/engine/check-source.ts';
import type { SourceItem } from '#assessment/content/items/engine/source.ts';
import { sourceRules } from './source-cells.ts';

type Options = readonly [correct: string, ...distractors: string[]];

interface Asked {
  readonly cell: string;
  readonly options: Options;
  readonly prompt?: Partial<SourceItem['prompt']>;
  readonly changes?: Partial<SourceItem>;
}

/**
 * Returns the findings of the fifth item of a cell, from which on the text must be understood; findings of the whole
 * cell are left out.
 */
function findingsOf({ cell, options: [correct, ...wrong], prompt = {}, changes = {} }: Asked): string[] {
  const [subSkillCode = '', band] = cell.split('.');
  const text = 'مَاذَا تَرَى؟';
  const item: SourceItem = {
    k: 5,
    prompt: { text, speech: subSkillCode.startsWith('LIS_') ? `نَامَ سَامِي. ${text}` : text, ...prompt },
    correct,
    distractors: wrong.map((one) => ({ text: one })),
    designedPatterns: [],
    stemGroup: 'one',
    ...changes,
  };
  const gradeBand = band === 'G34' ? 'G34' : 'G12';
  const name = `${cell} 5: `;
  return checkCell({ subSkillCode, gradeBand, items: [item] }, sourceRules)
    .filter((line) => line.startsWith(name) && !line.endsWith('k must be 1'))
    .map((line) => line.slice(name.length));
}

const words: Options = ['بَيْتٌ', 'قَلَمٌ', 'بَابٌ'];
const cases: Readonly<Record<string, readonly [Asked, string[]]>> = {
  'a faultless question': [{ cell: 'VOC_MEANING.G12', options: words }, []],
  'the right option alone with a reason': [
    { cell: 'LIS_INFER.G12', options: ['لِأَنَّهُ نَامَ', 'نَامَ هُنَاكَ', 'كَانَ هُنَا'] },
    ['the right option is the only one with a reason (لأن)'],
  ],
  'the right option alone without the article': [
    { cell: 'VOC_MEANING.G12', options: ['بَيْتٌ', 'اَلْقَلَمُ', 'اَلْبَابُ'] },
    [
      'the right option is the only one without the article',
      'the right option is the only one with tanween at the end',
    ],
  ],
  'one word among phrases': [
    { cell: 'VOC_MEANING.G12', options: ['بَيْتٌ', 'قَلَمٌ طَوِيلٌ', 'بَابٌ قَدِيمٌ'] },
    ['the right option is the only one with a single word'],
  ],
  'the right option longer by four letters': [
    { cell: 'VOC_MEANING.G12', options: ['اِسْتِقْبَالٌ', 'قَلَمٌ', 'بَابٌ'] },
    ['the right option is longer than all others by 4 letters'],
  ],
  'form is what morphology asks for': [{ cell: 'MOR_AFFIX.G12', options: ['اَلْبَيْتُ', 'قَلَمٌ', 'بَابٌ'] }, []],
  'options that differ by punctuation': [
    { cell: 'VOC_MEANING.G12', options: ['بَيْتٌ', 'قَلَمٌ', 'قَلَمٌ!'] },
    ['two options differ by punctuation at most'],
  ],
  'options that are spoken alike': [
    { cell: 'VOC_MEANING.G12', options: words, changes: { correctSpeech: 'قَلَمٌ' } },
    ['two options are spoken alike'],
  ],
  'a digit without speech': [
    { cell: 'PA_SYLLABLE.G12', options: ['١', 'قَلَمٌ', 'بَابٌ'] },
    ['cannot be spoken as written: ١'],
  ],
  'speech where options are not spoken': [
    { cell: 'RC_SENTENCE.G12', options: words, prompt: { passage: 'هُنَا قَلَمٌ.' }, changes: { correctSpeech: 'قَلَمٌ' } },
    ['options are not spoken in this cell', 'two options are spoken alike'],
  ],
  'the question says the answer': [
    { cell: 'VOC_MEANING.G12', options: words, prompt: { speech: 'أَيْنَ بَيْتُ سَامِي؟' } },
    ['the speech holds the right option'],
  ],
  'the question offers all answers': [
    { cell: 'VOC_MEANING.G12', options: words, prompt: { speech: 'أَبَيْتٌ أَمْ بَيْتٌ أَمْ قَلَمٌ أَمْ بَابٌ؟' } },
    [],
  ],
  'a listening question that says the answer': [
    { cell: 'LIS_INFER.G12', options: words, prompt: { text: 'أَيْنَ بَيْتٌ؟', speech: 'نَامَ. أَيْنَ بَيْتٌ؟' } },
    ['the question holds the right option'],
  ],
  'listening that does not end with its question': [
    { cell: 'LIS_INFER.G12', options: words, prompt: { speech: 'نَامَ سَامِي.' } },
    ['the speech does not end with the question'],
  ],
  'only the right option has a word of the text': [
    { cell: 'RC_LITERAL.G12', options: words, prompt: { passage: 'نَامَ سَامِي فِي الْبَيْتِ.' } },
    ['no distractor has a word of the text'],
  ],
  'a distractor has a word of the text too': [
    { cell: 'RC_LITERAL.G12', options: words, prompt: { passage: 'فِي الْبَيْتِ قَلَمٌ.' } },
    [],
  ],
  'a reading pattern in listening': [
    {
      cell: 'LIS_INFER.G12',
      options: words,
      changes: { distractors: [{ text: 'قَلَمٌ', microPattern: 'literal_only' }, { text: 'بَابٌ' }] },
    },
    ['unknown pattern literal_only', 'pattern literal_only does not belong to this cell'],
  ],
  'an option without marks that has a second reading': [
    {
      cell: 'FLU_WORD.G34',
      options: ['قمر', 'باب', 'مقر', 'رقم'],
      prompt: { speech: 'مَاذَا تَرَى؟' },
    },
    ['باب can be read بَابٌ or بَابَ'],
  ],
  'an invented word that the bank uses': [
    { cell: 'FLU_WORD.G34', options: ['قمر', 'كتب', 'مقر', 'رقم'] },
    ['no invented word, the bank uses it: كتب'],
  ],
  'readings of an unvowelled word': [
    {
      cell: 'DEC_UNVOWELLED.G34',
      options: ['كَتَبَ', 'كُتِبَ', 'كُتُبٌ', 'كَاتِبٌ'],
      prompt: { text: 'كيف نقرأ كلمة (كتب) في: «كتب الولد»؟' },
    },
    ['is no reading of the same letters: كَاتِبٌ'],
  ],
  'an unvowelled word with marks, or without a sentence': [
    {
      cell: 'DEC_UNVOWELLED.G34',
      options: ['كَتَبَ', 'كُتِبَ', 'كُتُبٌ', 'كُتْبٌ'],
      prompt: { text: 'مَاذَا نقرأ؟' },
    },
    ['the sentence does not hold كتب', 'the sentence has marks'],
  ],
};
for (const [what, [asked, wanted]] of Object.entries(cases)) {
  test(what, () => assert.equal(findingsOf(asked), wanted));
}

test('the right option is the longest in more than half of the items: a habit of the cell', () => {
  const item = (k: number, correct: string): SourceItem => ({
    k,
    prompt: { text: 'مَاذَا تَرَى؟', speech: 'مَاذَا تَرَى؟' },
    correct,
    distractors: [{ text: 'قَلَمٌ' }, { text: 'بَابٌ' }],
    designedPatterns: [],
    stemGroup: `stem-${k}`,
  });
  const habit = (long: number) => {
    const items = Array.from({ length: 4 }, (_, index) => item(index + 1, index < long ? 'كِتَابٌ' : 'بَيْتٌ'));
    return checkCell({ subSkillCode: 'VOC_MEANING', gradeBand: 'G12', items }, sourceRules).filter((line) =>
      line.includes('longest'),
    );
  };
  assert.equal(habit(2), []);
  assert.equal(habit(3), ['VOC_MEANING.G12: the right option is the longest in 3 items']);
});

test('letter names and sounds: every letter of the alphabet is asked for', () => {
  const letters = [...'ابتثجحخدذرزسشصضطظعغفقكلمنهو'];
  const items = letters.map((letter, index) => ({
    k: index + 1,
    prompt: { text: 'أَيُّ حَرْفٍ؟', speech: `${letter}َ` },
    correct: letter,
    distractors: [{ text: 'ي' }, { text: 'ى' }],
    designedPatterns: [],
    stemGroup: `letter-${index}`,
  }));
  const missing = checkCell({ subSkillCode: 'LK_SOUND', gradeBand: 'G12', items }, sourceRules);
  assert.ok(missing.includes('LK_SOUND.G12: no item asks for ي'));
});

test.run();
