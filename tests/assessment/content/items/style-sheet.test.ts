// The style of vowelled text, tested with texts that a ministry's reviewer returned or accepted.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { styleIssues } from '#assessment/content/items/engine/checks/style-sheet.ts';
import { wordLists } from './source-cells.ts';

const nfc = (text: string) => text.normalize('NFC');

const accepted = {
  'joining alef heard at the start': 'اِشْتَرَى الْجَدُّ خُبْزًا. اُكْتُبِ الدَّرْسَ! اَلْبَيْتُ كَبِيرٌ.',
  'joining alef silent inside': 'ثُمَّ اشْتَرَى الْجَدُّ خُبْزًا',
  'joining alef either way after a colon or a quote': 'مَا مَعْنَى «اِخْتَبَأَ» فِي: «اخْتَبَأَ الْقِطُّ»؟',
  'tanween of fatha where no alef follows': 'شَجَرَةً سَمَاءً فَتًى خَطَأً جُزْءًا',
  'long vowels at the end': 'مَشَى سَامِي إِلَى أَخِي وَأَبِيهِ وَأَكَلُوا وَذُو',
  'a letter that is shown': 'ب - تَا - ـعـ',
  'a name of its declension': 'ذَهَبَتْ رِيمُ مَعَ رِيمَ، وَرِيمُ لِرِيمَ',
  'a name that ends like a listed one': 'ذَهَبَ كَرِيمٌ مَعَ كَرِيمٍ',
  'a dagger alef of the list': 'هٰذَا بَيْتٌ',
};
for (const [what, text] of Object.entries(accepted)) {
  test(`written as it should be: ${what}`, () => assert.equal(styleIssues(nfc(text), wordLists), []));
}

const refused: Readonly<Record<string, readonly [text: string, finding: string]>> = {
  'a bare letter at the end': ['كِتَاب', 'not fully vowelled: كِتَاب'],
  'a shadda without a vowel at the end': ['عَلِيّ', 'not fully vowelled: عَلِيّ'],
  'joining alef bare at the start': ['اشْتَرَى خُبْزًا', 'initial alef without its vowel: اشْتَرَى'],
  'the article bare at the start': ['الْبَيْتُ كَبِيرٌ', 'initial alef without its vowel: الْبَيْتُ'],
  'joining alef bare after a full stop': ['نَامَ. ابْتَسَمَ', 'initial alef without its vowel: ابْتَسَمَ'],
  'joining alef vowelled inside': ['ثُمَّ اِبْتَسَمَ', 'silent alef with a vowel: اِبْتَسَمَ'],
  'fatha on an alef that is no article': ['اَكْتُبُ', 'only the article begins with َا: اَكْتُبُ'],
  'tanween of fatha without its alef': ['كِتَابً', 'tanween of fatha without its alef: كِتَابً'],
  'a name with tanween': ['جَاءَتْ رِيمٌ', 'the name رِيم takes neither tanween nor kasra: رِيمٌ'],
  'a name with kasra behind a prefix': ['ثُمَّ لِرِيمِ', 'the name رِيم takes neither tanween nor kasra: لِرِيمِ'],
  'a dagger alef elsewhere': ['لٰكِنَّهُ', 'dagger alef: لٰكِنَّهُ'],
};
for (const [what, [text, finding]] of Object.entries(refused)) {
  test(`refused: ${what}`, () => assert.equal(styleIssues(nfc(text), wordLists), [nfc(finding)]));
}

test.run();
