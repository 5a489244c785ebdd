// Every name that shipped rule documents use is called something in both languages, and a name without is reported.
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { termFindings } from '#rules/catalogue/engine/index.ts';
import { loadNewestBundle } from '#rules/rulesets/files.ts';
import { overlaid, type RuleDocument, type TableDocument } from '#rules/rulesets/index.ts';

const files = fs
  .readdirSync('rules', { recursive: true, encoding: 'utf8' })
  .filter((name) => /^[a-z-]+\/[a-z0-9-]+\/\d+\.json$/.test(name) && !name.startsWith('content/'));

const read = (name: string) => JSON.parse(fs.readFileSync(path.join('rules', name), 'utf8'));
const { terms } = read('catalogue/terms/1.json');

/** Collects the names of a document by hand, not with the code under test. */
function namesOf(document: {
  readonly meta: { readonly family: string; readonly hitPolicy?: string };
  readonly facts?: Record<string, { readonly values?: string[]; readonly unit?: string }>;
  readonly constants?: Record<string, { readonly unit?: string }>;
  readonly outcomes?: { readonly order: string[]; readonly unordered: string[] };
  readonly rules?: { readonly event: { readonly params: Record<string, unknown> } }[];
}): [section: string, name: string][] {
  const found: [string, string][] = [['families', document.meta.family]];
  if (document.meta.hitPolicy) found.push(['layers', document.meta.family.toUpperCase()]);
  for (const [id, { unit }] of Object.entries(document.constants ?? {})) {
    found.push(['constants', id]);
    if (unit) found.push(['units', unit]);
  }
  if (!document.meta.hitPolicy) return found;
  for (const [fact, { values = [], unit }] of Object.entries(document.facts ?? {})) {
    found.push(['facts', fact], ...values.map((value): [string, string] => ['values', value]));
    if (unit) found.push(['units', unit]);
  }
  for (const word of [...(document.outcomes?.order ?? []), ...(document.outcomes?.unordered ?? [])]) {
    found.push(['values', word]);
  }
  for (const { event } of document.rules ?? []) {
    for (const [param, value] of Object.entries(event.params)) {
      if (param === 'messageKey') continue;
      for (const one of [value].flat()) if (typeof one === 'string') found.push(['values', one]);
    }
  }
  return found;
}

test('every name of every shipped document has a term', () => {
  assert.ok(files.length > 80, String(files.length));
  const names = files.flatMap((file) => namesOf(read(file)));
  assert.ok(new Set(names.map(String)).size > 700);
  const missing = names.filter(([section, name]) => !Object.hasOwn(terms[section], name));
  assert.equal([...new Set(missing.map(String))], []);
});

test('a term is words of both languages, and no code', () => {
  for (const [section, byName] of Object.entries(terms)) {
    for (const [name, term] of Object.entries(byName as Record<string, Record<'ar' | 'en' | 'about', string>>)) {
      const where = `${section} ${name}`;
      assert.match(term.ar, /^[\u0600-\u06ff «»،؛:]+$/, where);
      assert.match(term.en, /^[A-Za-z][A-Za-z ,:’-]*(?:[0-9] and [0-9])?$/, where);
      assert.not.match(term.en, /_|[a-z][A-Z]|^[A-Z]{2}/, where);
      assert.ok(['child', 'item', 'rules'].includes(term.about), where);
    }
  }
});

const bundle = await loadNewestBundle('rules');
const ssr = bundle.documents.find(({ meta }) => meta.family === 'ssr') as TableDocument;

const argsOf = (document: RuleDocument, around = bundle) =>
  termFindings(document, around).map(({ level, code, args }) => ({ level, code, args }));

test('a name without a term is the warning MESSAGE_MISSING', () => {
  const facts = {
    ...ssr.facts,
    hoursOfSleep: { type: 'integer' as const, min: 0, max: 24, unit: 'naps', better: null },
  };
  const constants = { ...ssr.constants, 'DTH-NEW-01': { value: 3, rationale: 'An example.' } };
  const warning = (name: string, section: string) => ({
    level: 'warning',
    code: 'MESSAGE_MISSING',
    args: { issue: 'no_term', name, section },
  });
  assert.equal(argsOf({ ...ssr, facts, constants }), [
    warning('hoursOfSleep', 'facts'),
    warning('naps', 'units'),
    warning('DTH-NEW-01', 'constants'),
  ]);
  assert.equal(argsOf(ssr), []);
});

test('terms that lose a name of another document report it', () => {
  const document = read('catalogue/terms/1.json');
  delete document.terms.facts.rawRate;
  assert.equal(argsOf(document, overlaid(bundle, [document])), [
    { level: 'warning', code: 'MESSAGE_MISSING', args: { issue: 'no_term', name: 'rawRate', section: 'facts' } },
  ]);
});

test.run();
