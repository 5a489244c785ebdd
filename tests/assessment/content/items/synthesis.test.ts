// Items that need a recording, one example per kind; and the content of a review sheet.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { risksOf } from '#assessment/content/items/engine/synthesis.ts';
import { sheetPage } from '#assessment/content/items/review/sheet.ts';
import { itemOf } from '../../measurement/items.ts';

const prompt = (speech: string) => ({ text: 'مَا هَذَا؟', speech, audioUrl: null, passage: null });
const option = (text: string, errorFamily: string | null, speech: string | null = null) => ({
  ...{ index: 0, text, speech, audioUrl: null, microPattern: null, errorFamily },
});
const plain = [option('بَابٌ', null), option('قَلَمٌ', null)];

const cases = {
  'a lone sound': [{ subSkillCode: 'LK_SOUND', prompt: prompt('صَ'), options: plain }, ['isolated_sound']],
  'a blend': [{ subSkillCode: 'PA_BLEND', prompt: prompt('يَ … دْ'), options: plain }, ['isolated_sound', 'blend']],
  'a cut word in the spoken text': [
    { subSkillCode: 'PA_SYLLABLE', prompt: prompt('كِتَابِي'), options: [option('', null, 'كِتَا … بِي'), ...plain] },
    ['isolated_sound', 'blend'],
  ],
  'a vowel apart': [
    { subSkillCode: 'ACC_SHORT_VOWEL', prompt: prompt('كَتَبَ'), options: [option('كُتِبَ', 'vowel_mark'), ...plain] },
    ['minimal_pair'],
  ],
  'spellings of one sound': [
    { subSkillCode: 'SPL_HAMZA', prompt: prompt('رَأْسٌ'), options: [option('رَئْسٌ', 'spelling'), ...plain] },
    [],
  ],
  'words that are read': [
    { subSkillCode: 'LK_FORM', itemType: 'mcq_text', prompt: prompt('بَ'), options: [option('بُ', 'vowel_mark')] },
    [],
  ],
  'a sentence with a gap': [{ subSkillCode: 'VOC_CONTEXT', prompt: prompt('شَرِبَ … مَاءً'), options: plain }, []],
} as const;
for (const [what, [item, wanted]] of Object.entries(cases)) {
  test(`recorded by a person: ${what}`, () => assert.equal(risksOf(itemOf(item)), [...wanted]));
}

const head = { cell: 'DEC_WORD.G12', nameAr: 'كلمات', grades: [1, 2], bankVersion: 2, fontBase64: 'AAAA' };

test('a sheet shows every item from right to left, its key marked, and loads no external resource', () => {
  const items = [itemOf({ difficulty: -1.4 }), itemOf({ id: 'DEC_WORD-G12-02' })];
  const page = sheetPage(head, items);
  assert.match(page, '<html lang="ar" dir="rtl">');
  for (const { id } of items) assert.match(page, id);
  assert.is(page.split('<li class="right">').length - 1, items.length);
  assert.match(page, '<bdi dir="ltr">−١٫٤</bdi>');
  assert.not.match(page, /https?:/);
  assert.not.match(page, /<script/);
});

test('item texts are escaped on a sheet', () => {
  const page = sheetPage(head, [itemOf({ prompt: prompt('<script>"&') })]);
  assert.match(page, '&#60;script&#62;&#34;&#38;');
});

test.run();
