// Every reason to refuse authored items, each with one change to a faultless cell.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { checkCell } from '#assessment/content/items/engine/check-source.ts';
import type { SourceCell } from '#assessment/content/items/engine/source.ts';
import { cellWith, everyItem, goodCell, goodItem, sourceRules } from './source-cells.ts';

const [first] = goodCell.items;
assert.ok(first);
const { prompt, distractors } = first;
const [dotted, swapped] = distractors;
assert.ok(dotted && swapped);

const refuses = (what: string, cell: SourceCell, finding: string) =>
  test(`refused: ${what}`, () => {
    const findings = checkCell(cell, sourceRules);
    assert.ok(findings.includes(finding), `found instead: ${findings.join('; ') || 'nothing'}`);
  });

test('a faultless cell has no findings', () => assert.equal(checkCell(goodCell, sourceRules), []));

refuses(
  'text that is not NFC',
  cellWith({ prompt: { ...prompt, text: 'أَيُّ'.normalize('NFD') } }),
  `DEC_WORD.G12 1: not in canonical form: ${'أَيُّ'.normalize('NFD')}`,
);
refuses(
  'tatweel outside letter forms',
  cellWith({ prompt: { ...prompt, text: 'بـ' } }),
  'DEC_WORD.G12 1: has tatweel: بـ',
);
refuses(
  'an unvowelled prompt in G12',
  cellWith({ prompt: { ...prompt, text: 'كلمة' } }),
  'DEC_WORD.G12 1: not fully vowelled: كلمة',
);
refuses(
  'an unvowelled distractor in G12: it would stand out',
  cellWith({ distractors: [{ ...dotted, text: 'ناب' }, swapped] }),
  'DEC_WORD.G12 1: not fully vowelled: ناب',
);
refuses(
  'a word without its ending: every letter has its mark',
  cellWith({ prompt: { ...prompt, text: 'أَيُّ كَلِمَة؟' } }),
  'DEC_WORD.G12 1: not fully vowelled: كَلِمَة',
);
for (const field of ['text', 'speech'] as const) {
  refuses(
    `unvowelled ${field} in G34`,
    everyItem((item) => ({ ...item, prompt: { ...item.prompt, [field]: 'قمر' } }), { gradeBand: 'G34' }),
    'DEC_WORD.G34 1: not fully vowelled: قمر',
  );
}
refuses(
  'marks that cannot be read',
  cellWith({ prompt: { ...prompt, text: 'كَُتُبٌ'.normalize('NFC') } }),
  `DEC_WORD.G12 1: misplaced marks: ${'كَُتُبٌ'.normalize('NFC')}`,
);
refuses(
  'two options that are the same',
  cellWith({ distractors: [dotted, dotted] }),
  'DEC_WORD.G12 1: two options are the same',
);
refuses('too few options', cellWith({ distractors: [dotted] }), 'DEC_WORD.G12 1: has 2 options, not 3');
refuses('three options in G34', { ...goodCell, gradeBand: 'G34' }, 'DEC_WORD.G34 1: has 3 options, not 4');
refuses(
  'a right option that is not what is heard',
  cellWith({ prompt: { ...prompt, speech: 'قَمَرٌ' } }),
  'DEC_WORD.G12 1: the right option is not what is heard',
);
refuses(
  'a second option that is what is heard, its marks left out',
  everyItem((item) => ({ ...item, distractors: [dotted, { text: 'باب' }, swapped] }), { gradeBand: 'G34' }),
  'DEC_WORD.G34 1: a second option is what is heard: باب',
);
refuses(
  'an unknown pattern',
  cellWith({ distractors: [{ text: dotted.text, microPattern: 'dots' }, swapped] }),
  'DEC_WORD.G12 1: unknown pattern dots',
);
refuses(
  'a designed pattern that no distractor shows',
  cellWith({ distractors: [{ text: dotted.text }, swapped] }),
  'DEC_WORD.G12 1: designed for dot_confusion, but no distractor shows it',
);
refuses(
  'an error family beside a pattern',
  cellWith({ distractors: [{ ...dotted, errorFamily: 'orthographic' }, swapped] }),
  'DEC_WORD.G12 1: errorFamily orthographic is unknown, or doubles a pattern',
);
refuses(
  'a printed passage where words are heard',
  cellWith({ prompt: { ...prompt, passage: 'بَابٌ' } }),
  'DEC_WORD.G12 1: prints a passage',
);
refuses('reading without a passage', { ...goodCell, subSkillCode: 'RC_LITERAL' }, 'RC_LITERAL.G12 1: has no passage');
refuses(
  'a word at a glance that is spoken or shown before',
  everyItem((item) => item, { subSkillCode: 'FLU_WORD' }),
  'FLU_WORD.G12 1: is spoken differently from its instruction',
);
refuses(
  'a flashed word: nothing is printed but the options',
  everyItem((item) => ({ ...item, prompt: { ...item.prompt, passage: item.correct } }), { subSkillCode: 'FLU_WORD' }),
  'FLU_WORD.G12 1: prints a passage',
);
refuses(
  'fewer than twelve items',
  { ...goodCell, items: goodCell.items.slice(0, 11) },
  'DEC_WORD.G12: has 11 items; 12 are needed',
);
refuses('a gap in the positions', cellWith({ k: 2 }), 'DEC_WORD.G12 2: k must be 1');
refuses(
  'two items with one prompt',
  cellWith({ prompt: goodItem(2).prompt, correct: goodItem(2).correct }),
  'DEC_WORD.G12: items 1 and 2 have the same prompt',
);
refuses(
  'two items with one stem and answer',
  cellWith({ stemGroup: 'word-2', correct: goodItem(2).correct }),
  'DEC_WORD.G12: items 1 and 2 have the same stem and answer',
);
refuses(
  'patterns in fewer than 60 % of the items',
  everyItem((item) =>
    item.k <= 7 ? item : { ...item, designedPatterns: [], distractors: item.distractors.map(({ text }) => ({ text })) },
  ),
  'DEC_WORD.G12: only 7 items have a distractor with a pattern',
);
refuses(
  'a designed pattern in two items only',
  everyItem((item) => (item.k <= 2 ? item : { ...item, designedPatterns: ['short_vowel_swap'] })),
  'DEC_WORD.G12: dot_confusion is designed into 2 items with 2 stems',
);
refuses(
  'a designed pattern on one stem only',
  everyItem((item) => ({ ...item, stemGroup: 'one' })),
  'DEC_WORD.G12: dot_confusion is designed into 12 items with 1 stems',
);

test('an exception permits the finding of one item, and is itself a finding when unused', () => {
  const why = 'the word is asked in its pausal form';
  const exception = { cell: 'DEC_WORD.G12', k: 1, check: 'not fully vowelled: كلمة', why };
  const rules = { ...sourceRules, lists: { ...sourceRules.lists, exceptions: [exception] } };
  assert.equal(checkCell(cellWith({ prompt: { ...prompt, text: 'كلمة' } }), rules), []);
  assert.equal(checkCell(goodCell, rules), [
    'DEC_WORD.G12 1: an exception that nothing needs: not fully vowelled: كلمة',
  ]);
});

test('accepted: eight of twelve items with a pattern, and a pattern in three items with two stems', () => {
  const cell = everyItem((item) => ({
    ...item,
    designedPatterns: item.k <= 3 ? ['dot_confusion'] : [],
    distractors: item.k <= 8 ? item.distractors : item.distractors.map(({ text }) => ({ text })),
    stemGroup: item.k === 2 ? 'word-1' : item.stemGroup,
  }));
  assert.equal(checkCell(cell, sourceRules), []);
});

test.run();
