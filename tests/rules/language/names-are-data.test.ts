// Names are data (contract 70): a child's name in any script, even one that a rule would catch as a word, is unchanged
// in every text about the child and never decides whether a sentence passes.
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { compose } from '#messaging/notifications/engine/compose.ts';
import { kindsOf } from '#messaging/notifications/engine/kinds.ts';
import { variablesIn } from '#messaging/notifications/engine/template.ts';
import { letterContent } from '#outcomes/parents/letter/content.ts';
import { presentChildren } from '#outcomes/parents/portal/present.ts';
import { familyTier, renderForFamily } from '#outcomes/parents/render-for-family.ts';
import { familyRules } from '#outcomes/parents/rules.ts';
import { checkText, firstNameAr, fullNameAr } from '#rules/language/index.ts';
import { loadNewestBundle } from '#rules/rulesets/files.ts';

const bundle = await loadNewestBundle('rules');

/** Each of them is caught as a word in a text for families. */
const names = [
  ...['راسب العتيبي', 'ضعيف سالم', 'عنيد علي', 'عار محمد', 'Lina Haddad', 'Анна Иванова', 'Ελένη Παπά', 'דוד כהן'],
  ...['王 小明', 'प्रिया शर्मा', 'ሰላም አበበ', 'theta beta', 'DEC_WORD'],
];

test('each of the names would be caught as a word', () => {
  for (const name of names) assert.not.ok(checkText(bundle, name, familyTier).safe, name);
});

test('the list of children: each with a distinct name', () => {
  const children = names.map((name) => ({
    ...{ childId: 'a', fullNameAr: name, grade: 1, schoolName: null, lastActiveAt: null },
  }));
  const { items } = presentChildren(children as never, renderForFamily(bundle));
  assert.equal(
    items.map((item) => item.firstNameAr),
    names.map((name) => firstNameAr(name, 'family')),
  );
  assert.is(new Set(items.map((item) => item.firstNameAr)).size, names.length);
});

test('the letter names the child in every sentence with a name', () => {
  const rules = familyRules(bundle);
  for (const name of names) {
    const suggestions = [
      { textId: 'T', titleAr: 'مع {{firstNameAr}}', bodyAr: '{{firstNameAr}} يقرأ، و{{firstNameAr}} يكتب.' },
    ];
    const child = {
      ...{ studentId: 1, fullNameAr: name, grade: 1, className: 'ب', schoolName: 'مدرسة', teacherName: 'هدى' },
      ...{ timeZone: 'Asia/Riyadh', halted: false, suggestions, isResolved: true, seasons: [] },
    };
    const letter = letterContent(rules, renderForFamily(bundle)(name), child as never, 'اليوم');
    const first = firstNameAr(name, 'family');
    assert.ok(letter.greetingAr.includes(first), letter.greetingAr);
    assert.equal(letter.home?.suggestions, [{ titleAr: `مع ${first}`, bodyAr: `${first} يقرأ، و${first} يكتب.` }]);
  }
});

test('every kind of notification that names a child contains the name, and is sent', () => {
  const facts = {
    ...{ studentId: 1, alertId: 'a1', alertKind: 'Student_Alert', subSkillCode: 'DEC_WORD', assignmentId: 'b1' },
    ...{ suggestionCode: 'low_fidelity', expiresOn: '2026-01-02', reviewId: 'r1', dueAt: '2026-01-02T08:00:00.000Z' },
    ...{ measureCode: 'ORF_WCPM', trend: 'trend_mixed', state: 'opened' },
  } as const;
  let sent = 0;
  for (const [word, kind] of kindsOf(bundle)) {
    const variables = [...variablesIn(kind.titleTemplateAr), ...variablesIn(kind.bodyTemplateAr)];
    if (!variables.some((one) => one === 'firstNameAr' || one === 'fullNameAr')) continue;
    const signal = word === 'cbm_alert_lifecycle' ? { alertKind: 'cbm_flat' } : {};
    const payload = Object.fromEntries(
      Object.entries({ ...facts, ...signal }).filter(([field]) => Object.hasOwn(kind.payloadSchema.properties, field)),
    );
    for (const name of names) {
      const to = { persona: kind.defaultPersona, isActive: true };
      const outcome = compose(bundle, { kind: word, payload }, to, { fullName: () => name, timeZone: 'UTC' });
      assert.ok('composed' in outcome, `${word}: ${name}`);
      if (!('composed' in outcome)) continue;
      const { titleAr, bodyAr } = outcome.composed;
      const whole = variables.includes('fullNameAr') ? fullNameAr(name, 'staff') : firstNameAr(name, 'family');
      assert.ok(`${titleAr} ${bodyAr}`.includes(whole), `${titleAr} ${bodyAr}`);
      sent += 1;
    }
  }
  assert.is(sent, 7 * names.length, 'seven kinds are about a child');
});

/** The callers of the filter, and the texts that they check. */
const callers: Readonly<Record<string, string>> = {
  'src/rules/catalogue/sentences.ts': 'sentences of explanations, which hold no names',
  'src/support/interventions/narratives/teacher-text.ts': 'a narrative without a name',
  'src/backoffice/language-rules/routes.ts': 'a text to try',
  'src/messaging/notifications/engine/compose.ts': 'a notification without a name',
  'src/messaging/notifications/explain/checks.ts': 'a replayed notification',
  'src/messaging/notifications/try.ts': 'a trial notification',
  'src/outcomes/parents/render-for-family.ts': 'a sentence without a name',
  'src/outcomes/reports/pages/require-safe.ts': 'words of reports, labels and titles of groups',
  'src/outcomes/rewards/reads/filtered-text.ts': 'words of badges and frames',
  'src/teaching/lesson-blueprints/imports/evaluate-batch.ts': 'titles and scripts of blueprints',
  'src/teaching/lessons/papers/read-paper.ts': 'titles and scripts of blueprints',
};

test('no other code calls the filter, and names are derived in one module', () => {
  const source = path.resolve(import.meta.dirname, '../../../src');
  const files = fs.readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  const text = (name: string) => fs.readFileSync(path.join(source, name), 'utf8');
  const outside = files.filter((name) => !name.startsWith('rules/language/'));
  const fromLanguage = /import [^;]*\b(?:checkText|filterOf)\b[^;]*from '[^']*language\/(?:engine\/)?index\.ts'/;
  const calling = outside.filter((name) => fromLanguage.test(text(name)));
  assert.equal(calling.map((name) => `src/${name}`).sort(), Object.keys(callers).sort());
  const ownWay = outside.filter((name) => /firstName\w*\s*=\s*[^;\n]*\.split\(/i.test(text(name)));
  assert.equal(ownWay, []);
});

test.run();
