// Vowelling and spelling of Arabic text, tested with words that a teacher would accept or refuse.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import {
  isCanonicalText,
  misplacedMarks,
  spells,
  unvowelledWords,
} from '#assessment/content/items/engine/arabic-marks.ts';

const vowelled = {
  'long vowels after their short one': 'كِتَابٌ سُورٌ فِيلٌ',
  'a diphthong with sukun': 'بَيْتٌ',
  'hamzat wasl': 'اُكْتُبْ اِسْمَكَ',
  'the article before a sun letter': 'الشَّمْسُ',
  'the article before a moon letter': 'الْقَمَرُ',
  'the article behind prefixes': 'وَبِالْبَيْتِ فَالشَّمْسُ',
  'the article joined to lam': 'لِلشَّمْسِ',
  'alef with madda': 'آمُلُ',
  'tanween with its silent alef': 'كِتَابًا',
  'a pausal ending': 'مَدْرَسَة',
  'a single letter': 'ب',
  'a letter form': 'ـعـ',
  'no Arabic at all': '؟ …',
};
for (const [what, text] of Object.entries(vowelled)) {
  test(`fully vowelled: ${what}`, () => assert.equal(unvowelledWords(text), []));
}

const unvowelled = {
  'a bare consonant': 'كتَابٌ',
  'a diphthong without sukun': 'بَيتٌ',
  'waw after fatha': 'يَومٌ',
  'alef after kasra inside a word': 'مِاتَبٌ',
  'shadda without a vowel': 'مُعَلّمٌ',
  'shadda without a vowel on a long-vowel letter': 'قُوّةٌ',
  'a moon letter behind a bare lam': 'القَمَرُ',
};
for (const [what, text] of Object.entries(unvowelled)) {
  test(`not fully vowelled: ${what}`, () => assert.equal(unvowelledWords(text), [text]));
}

test('misplaced marks: two vowels, shadda with sukun, tanween inside a word or on its alef', () => {
  for (const word of ['كَُتب', 'عَلّْم', 'كِتٌاب', 'كتاباً']) {
    assert.equal(misplacedMarks(word.normalize('NFC')), [word.normalize('NFC')], word);
  }
  assert.equal(misplacedMarks('جِدًّا هُدًى مُعَلِّمٌ'.normalize('NFC')), []);
});

test('canonical text: composed, no foreign characters, no spare spaces', () => {
  assert.ok(isCanonicalText('أَيُّ كَلِمَةٍ؟'.normalize('NFC')));
  const refused = ['\u0623\u0651\u064E', 'كتاب 3', 'کتاب', 'كتاب\u200F', 'a', '\uFEFB', ' كتاب', 'كتاب  آخر'];
  for (const text of refused) assert.not(isCanonicalText(text), JSON.stringify(text));
});

test('spelling: the same letters, with the marks heard or none', () => {
  assert.ok(spells('عَلَّمَ', 'عَلَّمَ'));
  assert.ok(spells('علم', 'عَلَّمَ'));
  assert.not(spells('عَلَمَ', 'عَلَّمَ'), 'shadda dropped');
  assert.not(spells('عُلِمَ', 'عَلِمَ'), 'another vowel');
  assert.not(spells('علمة', 'عَلِمَ'), 'another letter');
  assert.not(spells('عَلِمَ', 'عَلِمَ كُلٌّ'), 'another number of words');
});

test.run();
