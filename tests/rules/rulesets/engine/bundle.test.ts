// A bundle has one version of each document and one value of each constant.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { BundleError, pinBundle } from '#rules/rulesets/engine/bundle.ts';
import type { RuleDocument, ValueDocument } from '#rules/rulesets/engine/document/document.ts';
import { checkRuleText, parseTable } from '#rules/rulesets/engine/reading/parse.ts';
import { validators } from '../document-schemas.ts';
import { mini } from '../tables.ts';

const values = (value: number): ValueDocument => ({
  meta: { family: 'dth', key: 'dth', version: 3, title: { ar: 'ثوابت', en: 'Constants' } },
  constants: { 'MINI-MIN-01': { value, unit: 'items', rationale: 'made for a test' } },
});

const complaint = (documents: readonly RuleDocument[]): string => {
  try {
    pinBundle(documents);
    return 'pinned';
  } catch (error) {
    assert.instance(error, BundleError);
    return (error as BundleError).message;
  }
};

test('versions are those of the documents; tables compile once, values come whole', () => {
  const bundle = pinBundle([mini(), values(4)]);
  assert.equal(bundle.versions, { 'fixture/mini': 1, 'dth/dth': 3 });
  assert.is(bundle.table('fixture/mini'), bundle.table('fixture/mini'));
  assert.is(bundle.values<ValueDocument>('dth/dth').constants?.['MINI-MIN-01']?.value, 4);
});

test('a constant that two documents use has one value', () => {
  assert.is(complaint([mini(), values(4)]), 'pinned');
  assert.is(complaint([mini(), values(5)]), 'constant MINI-MIN-01 is 4 in fixture/mini and 5 in dth/dth');
});

test('two versions of one document are refused', () => {
  assert.is(complaint([values(4), values(4)]), 'two versions of dth/dth in one bundle');
});

test('a missing document is an error, and a table is not a value document', () => {
  const bundle = pinBundle([mini(), values(4)]);
  assert.throws(() => bundle.table('ssr/ssr'), /no decision table ssr\/ssr/);
  assert.throws(() => bundle.table('dth/dth'), /no decision table dth\/dth/);
  assert.throws(() => bundle.values('fixture/mini'), /no value document fixture\/mini/);
});

test('value documents: foreign sections are refused where a schema is known, and flagged where none is', () => {
  const codes = (document: unknown) =>
    checkRuleText(JSON.stringify(document), validators).map(({ level, code }) => `${level} ${code}`);
  assert.equal(codes(values(4)), []);
  assert.equal(codes({ ...values(4), extra: 1 }), ['error SCHEMA']);
  const unknown = { ...values(4), meta: { ...values(4).meta, key: 'other' } };
  assert.equal(codes({ ...unknown, extra: 1 }), ['warning SCHEMA']);
  assert.equal(codes({ constants: {} }), ['error SCHEMA']);
  assert.throws(() => parseTable(JSON.stringify(values(4)), validators), /has no rules/);
});

test.run();
