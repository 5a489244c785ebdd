// The proof before every approval: it finds every text of any capability that a draft would make unsafe; and no
// undeclared Arabic text is served.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { capabilities } from '#app/capabilities.ts';
import { checkTexts } from '#backoffice/workbench/validation/engine/check.ts';
import { whileEditing } from '#backoffice/workbench/validation/engine/reference-check.ts';
import { ruleUse } from '#backoffice/workbench/validation/rule-use.ts';
import { filterOf, renderings, type ServedText, unsafeTexts } from '#rules/language/index.ts';
import { loadNewestBundle } from '#rules/rulesets/files.ts';
import { documentName, overlaid, pinBundle, type RuleDocument } from '#rules/rulesets/index.ts';

const bundle = await loadNewestBundle('rules');
const use = ruleUse(capabilities);
const sources = use.texts({});
const texts = sources.flatMap((source) => source(bundle));

test('every served text passes for all its readers', () => {
  assert.ok(texts.length > 250, String(texts.length));
  assert.equal(unsafeTexts(bundle, sources), []);
});

test('texts have unique ids', () => {
  assert.is(new Set(texts.map(({ id }) => id)).size, texts.length);
});

/** Members of documents that are not shown: search patterns and sources of numbers. */
const unshown = /\/(match|rationale|source)\b|^language\/[a-z]+\/entries\//;

function* arabicIn(value: unknown, at: string): Generator<{ at: string; text: string }> {
  if (typeof value === 'string') {
    if (/[\u0621-\u064a]{2}/.test(value) && !unshown.test(at)) yield { at, text: value };
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, member] of Object.entries(value)) yield* arabicIn(member, `${at}/${key}`);
  }
}

test('no Arabic text of a rule document is served without a proof', () => {
  const proven = texts.map(({ template }) => template);
  const found = bundle.documents.flatMap((one) => [...arabicIn(one, documentName(one))]);
  assert.ok(found.length > 200, String(found.length));
  const missing = found.filter(({ text }) => !proven.some((template) => template.includes(text)));
  assert.equal(missing, []);
});

const next = (name: string, change: (text: string) => string): RuleDocument => {
  const document = bundle.documents.find((one) => documentName(one) === name);
  if (!document) throw new Error(`${name} is not shipped`);
  const changed = JSON.parse(change(JSON.stringify(document))) as RuleDocument;
  return { ...changed, meta: { ...changed.meta, version: document.meta.version + 1 } } as RuleDocument;
};

const findings = async (drafts: RuleDocument | readonly RuleDocument[], active = bundle.documents) => {
  const texts = [drafts].flat().map((draft) => {
    return { name: documentName(draft), text: JSON.stringify(draft), cases: [], base: null };
  });
  const checks = await checkTexts({ texts, active, stored: {}, effort: whileEditing }, use);
  return checks.flatMap((one) => one.findings).filter(({ code }) => code === 'LANGUAGE_UNSAFE');
};

test('a label that a rule catches is an error of the draft, by text, tier and rule', async () => {
  const found = await findings(
    next('catalogue/subskills', (text) => text.replace('دمج الأصوات', 'ضعف في دمج الأصوات')),
  );
  const own = found.find(({ message }) => /^catalogue\/subskills\/PA_BLEND does not pass/.test(message));
  assert.is(own?.level, 'error');
  assert.ok(found.some(({ ruleIds }) => ruleIds.includes('FAM-DEF-01')));
  assert.ok(
    found.some(({ message }) => message.startsWith('notification/skill_alert_assigned/body does not pass')),
    'a notification names the skill too',
  );
});

test('a hint that shames a child is an error of the draft', async () => {
  const draft = next('subflag/subflag', (text) => text.replace(/("subflag\.hint\.[a-z_]+":\{"ar":")/, '$1هذا مخجل. '));
  assert.ok((await findings(draft)).some(({ level, ruleIds }) => level === 'error' && ruleIds.includes('STU-SHM-01')));
});

test('a stricter set is not refused: the texts that it catches are reported', async () => {
  const stricter = next('language/family', (text) =>
    text.replace(
      '"entries":[',
      '"entries":[{"id":"FAM-NEW-01","tiers":["parent"],"match":{"phrases":["الطلاقة"]},"action":"block","reasonCode":"blame"},',
    ),
  );
  const reported = await findings(stricter);
  assert.ok(reported.length > 0);
  assert.ok(reported.every(({ level, ruleIds }) => level === 'warning' && ruleIds.includes('FAM-NEW-01')));
});

test('beside a stricter set, a new text is proven by that set', async () => {
  const stricter = next('language/family', (text) => text.replaceAll('"كسول"', '"الطلاقة"'));
  const unsafe = next('catalogue/subskills', (text) => text.replace('دمج الأصوات', 'ضعف في دمج الأصوات'));
  const reported = await findings([stricter, unsafe]);
  const isOwn = ({ message }: { message: string }) => message.includes('PA_BLEND');
  assert.ok(reported.some((one) => isOwn(one) && one.level === 'error'));
  assert.ok(reported.some((one) => !isOwn(one) && one.level === 'warning'));
});

test('what was unsafe before a draft is no error of it', async () => {
  const stricter = next('language/family', (text) => text.replaceAll('"كسول"', '"الطلاقة"'));
  const active = overlaid(bundle, [stricter]).documents;
  const harmless = next('catalogue/subskills', (text) => text.replace('دمج الأصوات', 'وصل الأصوات'));
  const reported = await findings(harmless, active);
  assert.ok(reported.length > 0);
  assert.ok(reported.every(({ level }) => level === 'warning'));
});

test('without a set every text is unsafe', async () => {
  const active = bundle.documents.filter((one) => documentName(one) !== 'language/family');
  const draft = next('catalogue/subskills', (text) => text.replace('دمج الأصوات', 'وصل الأصوات'));
  const [found] = (await findings(draft, active)).filter(({ level }) => level === 'error');
  assert.match(found?.message ?? '', /no set in force for parent_stricter/);
  assert.is(filterOf(pinBundle(active)).check('كتاب', 'parent'), undefined);
});

test('a template is rendered with every value of every variable; an unknown one is an error', () => {
  const text: ServedText = {
    ...{ id: 'x', tiers: ['parent'], template: '{{firstNameAr}}: {{skill}}، {{firstNameAr}}' },
    variables: { firstNameAr: 'person', skill: ['أ', 'ب'] },
  };
  assert.equal([...renderings(text, 'طفلكم')], ['طفلكم: أ، طفلكم', 'طفلكم: ب، طفلكم']);
  assert.throws(() => [...renderings({ ...text, variables: {} }, 'طفلكم')], RangeError);
});

test.run();
