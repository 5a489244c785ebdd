// A cell of twelve faultless items, for tests that break one thing at a time.

import type { SourceRules } from '#assessment/content/items/engine/check-source.ts';
import type { WordLists } from '#assessment/content/items/engine/checks/word-lists.ts';
import type { SourceCell, SourceItem } from '#assessment/content/items/engine/source.ts';

export const wordLists: WordLists = {
  namesWithoutTanween: ['رِيم'],
  daggerAlefWords: ['هٰذَا'],
  secondReadings: new Map([['باب', ['بَابٌ', 'بَابَ']]]),
  exceptions: [],
};

export const sourceRules: SourceRules = {
  familyOf: new Map([
    ['dot_confusion', 'orthographic'],
    ['short_vowel_swap', 'vowel_mark'],
  ]),
  optionCount: { G12: 3, G34: 4 },
  lists: wordLists,
  words: new Set(['كتب']),
};

const words = 'بَابٌ بَطٌّ بَحْرٌ بَدْرٌ بَرْدٌ بَطَلٌ بَقَرٌ بَلَحٌ بَصَلٌ بَلَدٌ بَرْقٌ بَيْتٌ'.normalize('NFC').split(' ');

/** The heard word begins with ب; one option replaces it with ن, one has another vowel. */
export function goodItem(k: number): SourceItem {
  const word = words[k - 1] ?? '';
  return {
    k,
    prompt: { text: 'أَيُّ كَلِمَةٍ تَسْمَعُ؟'.normalize('NFC'), speech: word },
    correct: word,
    distractors: [
      { text: `ن${word.slice(1)}`, microPattern: 'dot_confusion' },
      { text: word.replace('َ', 'ُ'), microPattern: 'short_vowel_swap' },
    ],
    designedPatterns: ['dot_confusion', 'short_vowel_swap'],
    stemGroup: `word-${k}`,
  };
}

export const goodCell: SourceCell = {
  subSkillCode: 'DEC_WORD',
  gradeBand: 'G12',
  items: Array.from({ length: words.length }, (_, index) => goodItem(index + 1)),
};

/** Returns the good cell with changes to its first item, or to all items. */
export const cellWith = (changes: Partial<SourceItem>, of: Partial<SourceCell> = {}): SourceCell => ({
  ...goodCell,
  items: goodCell.items.map((item) => (item.k === 1 ? { ...item, ...changes } : item)),
  ...of,
});

export const everyItem = (change: (item: SourceItem) => SourceItem, of: Partial<SourceCell> = {}): SourceCell => ({
  ...goodCell,
  items: goodCell.items.map(change),
  ...of,
});
