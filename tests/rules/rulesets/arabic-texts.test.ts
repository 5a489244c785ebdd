// All Arabic texts that people read: the newest rule documents and contents, the code, the tables of the docs. Their
// style is uniform, and words that a language review refused do not return.
import fs from 'node:fs/promises';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { isCanonicalText } from '#assessment/content/items/engine/arabic-marks.ts';
import { styleIssues } from '#assessment/content/items/engine/checks/style-sheet.ts';
import { readWordLists } from '#assessment/content/items/word-list-files.ts';
import { loadNewestBundle } from '#rules/rulesets/files.ts';

interface Found {
  readonly where: string;
  readonly text: string;
}

const arabic = /[\u0621-\u064A]/;
const { documents } = await loadNewestBundle('rules');
const lists = await readWordLists('rules/content/item-bank');

function stringsOf(value: unknown, where: string): Found[] {
  if (typeof value === 'string') return arabic.test(value) ? [{ where, text: value }] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => stringsOf(inner, `${where}/${key}`));
}

/** Words that a language rule searches for are quoted in order to refuse them. */
const cited = /^language\/[a-z]+@\d+\/entries\/\d+\/match\//;
const ofRules = documents
  .flatMap((one) => stringsOf(one, `${one.meta.family}/${one.meta.key}@${one.meta.version}`))
  .filter(({ where }) => !cited.test(where));
const hints = ofRules.filter(({ where }) => /^subflag\/subflag@\d+\/messages\/subflag\.hint\..*\/ar$/.test(where));

/** Items of session blueprints come from the bank and are checked there. */
const withoutItems = (key: string, value: unknown) => (key === 'items' ? undefined : value);

/** The newest file of each content folder. */
async function contents(): Promise<{ folder: string; content: unknown }[]> {
  const folders = ['item-bank', 'orf', 'teaser', 'blueprints'];
  return Promise.all(
    folders.map(async (folder) => {
      const dir = path.join('rules/content', folder);
      const versionOf = (name: string) => Number(/\.v(\d+)\.json$/.exec(name)?.[1] ?? 0);
      const [newest = ''] = (await fs.readdir(dir)).sort((left, right) => versionOf(right) - versionOf(left));
      const text = await fs.readFile(path.join(dir, newest), 'utf8');
      return { folder, content: JSON.parse(text, folder === 'blueprints' ? withoutItems : undefined) as unknown };
    }),
  );
}
const ofContents = (await contents()).flatMap(({ folder, content }) => stringsOf(content, folder));

/** Files about single letters, without words. */
const aboutLetters = /items\/engine\/|\/reader\.ts$|\/visual-order\.ts$/;
const words = /[\u0621-\u0652\u0670]{2,}(?:[ ،:]+[\u0621-\u0652\u0670]+)*/g;

async function ofCode(): Promise<Found[]> {
  const names = await fs.readdir('src', { recursive: true });
  const files = names.filter((name) => name.endsWith('.ts') && !aboutLetters.test(name));
  const found = await Promise.all(
    files.map(async (name) => {
      const text = await fs.readFile(path.join('src', name), 'utf8');
      return (text.match(words) ?? []).map((one) => ({ where: `src/${name}`, text: one }));
    }),
  );
  return found.flat();
}

/** Sections that quote words in order to refuse them. */
const citing = /^Where the contract keeps its own words/;

async function ofDocs(): Promise<Found[]> {
  const pages = ['docs/glossary.md', 'docs/arabic-strings.md'];
  const found = await Promise.all(
    pages.map(async (page) => {
      const sections = (await fs.readFile(page, 'utf8')).split(/^## /m).filter((section) => !citing.test(section));
      const cells = sections.flatMap((section) => section.split('\n').filter((line) => line.startsWith('|')));
      return cells.flatMap((line) => (line.match(words) ?? []).map((text) => ({ where: page, text })));
    }),
  );
  return found.flat();
}

const everything = [...ofRules, ...ofContents, ...(await ofCode()), ...(await ofDocs())];
const bare = (text: string) => text.normalize('NFC').replace(/[\u064B-\u0652\u0670\u0640]/g, '');

/** Words that a language reviewer returned, with the reason. */
const refused: readonly (readonly [RegExp, string])[] = [
  [/(^|[^\p{L}])[وف]?[بلك]?(ال)?عجز/u, 'of a child it means disability: فجوة'],
  [/بلاط/, 'a floor tile: بطاقة'],
  [/(^|[^\p{L}])لصالح/u, 'لمصلحة'],
  [/متمكن/, 'of a person: راسخ'],
  [/حرفي(?!ن)/, 'literal, or of a craft: من الحروف'],
  [/مهارة بوابة|صندوق الوعود|التقدير البعدي/, 'no such term'],
  [/خذ وقتك|على المسار/, 'a calque'],
  [/(?<!في )أثناء/, 'في أثناء'],
  [/(?<!\p{L})هل [^؟.]* أم /u, 'a question with أم wants the hamza'],
  [/(^|[^\p{L}])عبد(?=ال|الله)[\p{L}]/u, 'two words: عبد الله'],
];

/** The sex of people, including adults, is not stored. Stories and items use ordinary language. */
const addressesHim = /(^|[^\p{L}])[وف]?(أنت|لديك|عليك|يمكنك|طالبك|طلابك|صفك|طفلك|ابنك)(?!\p{L})/u;

test('every source contains texts', () => {
  for (const [what, least, found] of [
    ['rules', 200, ofRules],
    ['hints', 35, hints],
    ['contents', 3_000, ofContents],
  ] as const) {
    assert.ok(found.length >= least, `${what}: ${found.length}`);
  }
});

/** A name replaces the variable. */
const named = (text: string) => text.replaceAll(/\{\{\w+Ar\}\}/g, 'سارة');

test('titles, messages and contents are canonical: composed, Arabic alone, no space too many', () => {
  const wrong = [...ofRules, ...ofContents].filter(({ text }) => !isCanonicalText(named(text).replace(/ $/, '')));
  assert.equal(wrong, []);
});

test('tanween of fatha precedes its alef everywhere', () => {
  assert.equal(
    everything.filter(({ text }) => text !== text.normalize('NFC') || text.includes('\u0627\u064B')),
    [],
  );
});

/** The documentation lists the exceptions of which the contract fixes the text. */
async function wordsOfTheContract(): Promise<string[]> {
  const page = await fs.readFile('docs/arabic-strings.md', 'utf8');
  const section = page.split(/^## /m).find((one) => one.startsWith('Where the contract keeps its own words')) ?? '';
  const cells = section.split('\n').map((line) => line.split('|')[2] ?? '');
  return cells.filter((cell) => arabic.test(cell)).flatMap((cell) => cell.trim().split(' · '));
}
const kept = await wordsOfTheContract();
const withoutKept = ({ where, text }: Found): Found => ({
  where,
  text: where.startsWith('profile/narratives@') ? kept.reduce((rest, one) => rest.replaceAll(one, ''), text) : text,
});

test('no word that a language review refused, anywhere', () => {
  assert.ok(kept.length > 10);
  const found = everything
    .map(withoutKept)
    .flatMap(({ where, text }) =>
      refused.filter(([word]) => word.test(bare(text))).map(([, why]) => `${where}: ${text} (${why})`),
    );
  assert.equal(found, []);
});

test('labels, messages and templates do not address one man', () => {
  const contentTexts = new Set(ofContents);
  const found = everything.filter((one) => !contentTexts.has(one) && addressesHim.test(bare(one.text)));
  assert.equal(found, []);
});

test('texts for children are fully vowelled, in the style of the items', () => {
  const asked = ofContents.filter(({ where }) => /^teaser\/.*\/(text|speech|passage)$/.test(where));
  assert.ok(asked.length > 150);
  const found = [...hints, ...asked].flatMap(({ where, text }) =>
    styleIssues(text, lists).map((one) => `${where}: ${one}`),
  );
  assert.equal(found, []);
});

test.run();
