// Names and codes as people type them.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { cleanName, typedCode } from '#core/platform/pure/typed-text.ts';

const names: readonly (readonly [typed: string, stored: string])[] = [
  ['\u202eعكس الاختبار', 'عكس الاختبار'],
  ['عبد  الله', 'عبد الله'],
  ['كمال\u00a0الاختبار', 'كمال الاختبار'],
  ['ا\u0654حمد', 'أحمد'],
  ['  \t\nمحمد\u2003علي\u3000 ', 'محمد علي'],
  ['سل\u00adمى\ufeff', 'سلمى'],
  ['\u2066ليلى\u2069\u061c', 'ليلى'],
  ['علی\u200cرضا', 'علی\u200cرضا'],
  ['ه\u200d', 'ه\u200d'],
  ['ا\u200f\u0654حمد', 'أحمد'],
  ['E\u0301lodie', 'Élodie'],
  ['\u0000\u0007\u009f', ''],
  ['\u202a\u202b\u202c\u2067', ''],
  [' \u200c\u200d ', ''],
  ['\u0085\u2028\u2029', ''],
];

for (const [typed, stored] of names) {
  test(`the name ${JSON.stringify(typed)} is ${JSON.stringify(stored)}`, () => assert.is(cleanName(typed), stored));
}

const codes: readonly (readonly [typed: string, read: string])[] = [
  ['٩٥٤٢٦٧', '954267'],
  ['۹۵۴۲۶۷', '954267'],
  ['९५४२६७', '954267'],
  ['९٥۴2６７', '954267'],
  ['954 267', '954267'],
  ['\u200e954\u2011267\u200f', '954267'],
  ['95‑42–67−', '954267'],
  ['CMP٨-EE٤٥', 'CMP8EE45'],
  ['ＣＭＰ８ＥＥ４５', 'CMP8EE45'],
  ['\u{116da}\u{116e3}\u{1d7d8}', '090'],
];

for (const [typed, read] of codes) {
  test(`the code ${typed} is ${read}`, () => assert.is(typedCode(typed), read));
}

test.run();
