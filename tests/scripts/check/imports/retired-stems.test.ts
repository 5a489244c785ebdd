// Retired words are found by their stem, in prose, in names and in file names.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { retiredStemFindings } from '../../../../scripts/check/imports/retired-stems.ts';

const found = (texts: Readonly<Record<string, string>>) => retiredStemFindings(new Map(Object.entries(texts)), []);

test('a stem is found in a comment, inside of a name and in the name of a file', () => {
  for (const [file, text] of [
    ['src/a.ts', '// A rehearsal of the rules.'],
    ['src/a.ts', 'const notRehearsed = 1;'],
    ['src/rehearse.ts', ''],
    ['docs/a.md', 'What was rehearsed'],
  ] as const)
    assert.equal(found({ [file]: text }), [`${file}: uses "rehears" instead of simulation`], text);
});

test('a word that only contains the letters is not found', () => {
  assert.equal(found({ 'src/a.ts': 'const years = 3; // Hears, sidewires and calendars.' }), []);
});

test('an exception excuses its file alone, and one that nothing needs is a finding', () => {
  const kept = [{ file: 'src/a.ts', stem: 'rehears', reason: 'It is stored so.' }];
  assert.equal(retiredStemFindings(new Map([['src/a.ts', 'notRehearsed']]), kept), []);
  assert.equal(retiredStemFindings(new Map([['src/a.ts', '']]), kept), [
    'src/a.ts: an exception for "rehears" that nothing needs',
  ]);
});

test('tests may name a caller without an account, code and documents name the role', () => {
  const text = 'The caller is nobody.';
  assert.equal(found({ 'tests/a.test.ts': text }), []);
  for (const file of ['src/a.ts', 'docs/a.md']) assert.is(found({ [file]: text }).length, 1, file);
});

test.run();
