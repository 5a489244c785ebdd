// Every Arabic text of code and rules is declared by the capability that serves it and, if children or families read
// it, contains no ranking or shaming word and no number. The words are listed here independently of the filter's rules.
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { capabilities } from '#app/capabilities.ts';
import { ruleUse } from '#backoffice/workbench/validation/rule-use.ts';
import type { ServedText } from '#rules/language/index.ts';
import { loadNewestBundle } from '#rules/rulesets/files.ts';

const bundle = await loadNewestBundle('rules');
const texts = ruleUse(capabilities)
  .texts({})
  .flatMap((source) => source(bundle));

/** Values of variables that people choose and that are not names of people. */
const valuesOf = ({ variables = {} }: ServedText): readonly string[] =>
  Object.values(variables).flatMap((values) => (values === 'person' ? [] : values));

/** Arabic in code that is not served, with the reason. */
const unserved: Readonly<Record<string, string>> = {
  'src/assessment/content/items/': 'checks and sheets for those who write and review items',
  'src/app/demo/': 'names and classes of the demo, which are data, and its own responses',
  'src/rules/language/engine/': 'patterns of the filter, and exceptional names',
};

const source = path.resolve(import.meta.dirname, '../../../src');
const remarks = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm;
/** At least two letters, with the characters between words. */
const arabic = /[\u0621-\u0652][\u0621-\u0652 ،؛؟.:]*[\u0621-\u0652]/g;

test('every Arabic text in the code is declared for the proof', () => {
  const named = texts.flatMap((text) => [text.template, ...valuesOf(text)]);
  const files = fs.readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  const found = files.flatMap((file) => {
    const code = fs.readFileSync(path.join(source, file), 'utf8').replaceAll(remarks, '');
    return [...code.matchAll(arabic)].map(([text]) => ({ file: `src/${file}`, text: text.trim() }));
  });
  assert.ok(found.length > 300, String(found.length));
  const isUnserved = (file: string) => Object.keys(unserved).find((folder) => file.startsWith(folder));
  const missing = found.filter(({ file, text }) => !isUnserved(file) && !named.some((one) => one.includes(text)));
  assert.equal(missing, []);
  const used = new Set(found.map(({ file }) => isUnserved(file)));
  assert.equal(
    Object.keys(unserved).filter((folder) => !used.has(folder)),
    [],
  );
});

/** Comparisons with others. */
const ranking =
  'أفضل أحسن أسوأ أضعف أقوى أذكى أسرع أبطأ متفوق متفوقة يتفوق تتفوق تفوق متصدر متصدرة تصدر صدارة مرتبة مركز فائز فائزة خاسر خاسرة منافس منافسة ينافس زملائه زملائها أقرانه أقرانها غيره غيرها مقارنة معدل متوسط نسبة درجة درجات علامة';
/** Words for deficits, labels and shame. */
const shaming =
  'ضعيف ضعيفة ضعف ضعاف فاشل فاشلة فشل يفشل كسول كسولة كسل غبي غبية بليد بليدة متخلف متخلفة متأخر متأخرة تأخر عاجز عاجزة عجز عيب مخجل خجل سيئ سيئة رديء راسب راسبة رسب رسوب مهمل مهملة إهمال مقصر مقصرة تقصير قاصر بطيء بطيئة معاق معاقة إعاقة مريض مرض مضطرب اضطراب صعوبات خطر حرج خطأ أخطاء';
const refused = new Set(`${ranking} ${shaming}`.split(' '));

const bare = (text: string): string => text.replaceAll(/[\u064b-\u0652\u0640]/g, '');
/** A word with and without its possible prefixes. */
const readings = (word: string): readonly string[] => [
  word,
  word.replace(/^[وف]/, ''),
  word.replace(/^[وف]?[بكل]?(ال)?/, ''),
  word.replace(/^[وف]?لل/, ''),
];
const refusedIn = (text: string): readonly string[] =>
  (bare(text).match(/[\u0621-\u064a]+/g) ?? []).filter((word) => readings(word).some((one) => refused.has(one)));

const withoutVariables = (template: string): string => template.replaceAll(/\{\{\w+\}\}/g, '');
const isRead = ({ tiers }: ServedText) => tiers.some((tier) => ['student', 'parent', 'parent_stricter'].includes(tier));
const read = texts.filter(isRead);

test('children and families read badges, plans, letters, labels and notifications', () => {
  for (const part of ['notification/parent_tsp_activation/', 'gamification/', 'home/', 'quick-codes/'])
    assert.ok(
      read.some(({ id }) => id.startsWith(part)),
      part,
    );
  assert.ok(read.length > 150, String(read.length));
});

test('none of it ranks or shames', () => {
  assert.equal(refusedIn('أنت أفضل من زملائك'), ['أفضل']);
  assert.equal(refusedIn('والضَّعيف يتأخّر'), ['والضعيف']);
  const found = read.flatMap((text) =>
    [withoutVariables(text.template), ...valuesOf(text)].flatMap((rendered) => {
      const words = refusedIn(rendered);
      return words.length === 0 ? [] : [{ id: text.id, words }];
    }),
  );
  assert.equal(found, []);
});

const number = /[\p{Nd}%٪]/u;

test('none of it counts: no digit for families, and none for children except in dates and names of classes', () => {
  const counting = read.filter(
    (text) =>
      number.test(withoutVariables(text.template)) ||
      (text.tiers.includes('parent_stricter') && valuesOf(text).some((value) => number.test(value))),
  );
  assert.equal(
    counting.map(({ id, template }) => [id, template]),
    [],
  );
});

test.run();
