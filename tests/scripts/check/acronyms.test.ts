// An undefined acronym is found; one of the glossary and one of general computing is not.
import fs from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { undefinedAcronyms } from '../../../scripts/check/acronyms/findings.ts';

const glossary =
  '# Glossary\n\nNot in a table: QQQ.\n\n| Acronym | Meaning |\n|---|---|\n| RTI, CBM | With ZZZ in it |\n';
const found = (text: string) => undefinedAcronyms(new Map([['src/a.ts', text]]), glossary);

test('an undefined acronym is found once, with its file', () => {
  assert.equal(found('// WXY, and WXY again'), ['src/a.ts: WXY is not defined in docs/glossary.md']);
});

test('a word of the first column is defined, one of another column or of the text is not', () => {
  assert.equal(found('// RTI and CBM'), []);
  assert.is(found('// QQQ ZZZ').length, 2);
});

test('acronyms of general computing need no definition', () => {
  assert.equal(found('// JSON over HTTP, SHA-256'), []);
});

test('the first part of the name of a constant is its acronym', () => {
  assert.equal(found("value('RTI-WXY-01')"), []);
  assert.equal(found("value('WXY-MIN-01')"), ['src/a.ts: WXY is not defined in docs/glossary.md']);
});

test('identifiers, longer words, single letters and classes of patterns are no acronyms', () => {
  assert.equal(found('const MAX_WXY = A; /[WXY]/; WXYZAB; wXY; XY2'), []);
});

test('the codes of reach and of the rule layers are defined', () => {
  const codes = ['ADR', 'CIS', 'BND', 'PAC', 'SSR', 'DDR', 'DSM', 'DTH', 'ESC', 'RBM', 'PRF', 'PMD', 'SC'];
  const text = fs.readFileSync('docs/glossary.md', 'utf8');
  assert.equal(undefinedAcronyms(new Map([['src/a.ts', codes.join(' ')]]), text), []);
});

test.run();
