// Every kind of invalid document is refused on load, with a closed code and the rule's name.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Condition, TableDocument } from '#rules/rulesets/engine/document/document.ts';
import { type Finding, isError, RuleDocumentError } from '#rules/rulesets/engine/document/findings.ts';
import { checkRuleText, parseRuleDocument, parseTable } from '#rules/rulesets/engine/reading/parse.ts';
import { validators } from '../../document-schemas.ts';
import { mini, miniText } from '../../tables.ts';

type Draft = { -readonly [Key in keyof TableDocument]: TableDocument[Key] } & Record<string, unknown>;

const draft = (): Draft => structuredClone(mini()) as Draft;

/** Returns the error findings of the fixture with one leaf instead of MINI-01's. */
function findingsOfLeaf(leaf: unknown): Finding[] {
  const document = draft();
  document.rules = document.rules.with(0, { ...ruleAt(document, 0), conditions: { all: [leaf as Condition] } });
  return errorsOf(document);
}

function findingsOfRoot(root: unknown, row = 0): Finding[] {
  const document = draft();
  document.rules = document.rules.with(row, { ...ruleAt(document, row), conditions: root as { all: [] } });
  return errorsOf(document);
}

function ruleAt(document: TableDocument, row: number) {
  const rule = document.rules[row];
  if (!rule) throw new Error(`the fixture has no row ${row}`);
  return rule;
}

const errorsOf = (document: unknown): Finding[] => checkRuleText(JSON.stringify(document), validators).filter(isError);

function refuses(findings: readonly Finding[], code: string, message: RegExp, ...ruleIds: string[]): void {
  assert.is(findings.length, 1, JSON.stringify(findings));
  assert.is(findings[0]?.code, code);
  assert.match(findings[0]?.message ?? '', message);
  assert.equal(findings[0]?.ruleIds, ruleIds);
}

const leaf = { fact: 'distinctItems', operator: 'lessThan', value: 4 };

test('the fixture itself is accepted, without a warning', () => {
  assert.equal(checkRuleText(miniText(), validators), []);
});

for (const [where, change] of [
  ['the document', (document: Draft) => Object.assign(document, { comment: 'x' })],
  ['meta', (document: Draft) => Object.assign(document.meta, { comment: 'x' })],
  ['a fact', (document: Draft) => Object.assign(document.facts.gateway ?? {}, { comment: 'x' })],
  ['a constant', (document: Draft) => Object.assign(document.constants?.['MINI-MIN-01'] ?? {}, { comment: 'x' })],
  ['a rule', (document: Draft) => Object.assign(ruleAt(document, 0), { comment: 'x' })],
  ['an event', (document: Draft) => Object.assign(ruleAt(document, 0).event, { comment: 'x' })],
] as const) {
  test(`SCHEMA: an unknown property in ${where}`, () => {
    const document = draft();
    change(document);
    const named = ['a rule', 'an event'].includes(where) ? ['MINI-01'] : [];
    refuses(errorsOf(document), 'SCHEMA', /must NOT have additional properties \(comment\)/, ...named);
  });
}

test('SCHEMA: an unknown property in a condition and in a leaf', () => {
  refuses(findingsOfLeaf({ ...leaf, params: {} }), 'SCHEMA', /unknown property params/, 'MINI-01');
  refuses(findingsOfRoot({ all: [leaf], any: [leaf] }), 'SCHEMA', /unknown property any/, 'MINI-01');
});

for (const [what, priority] of [
  ['a fraction', 990.5],
  ['zero', 0],
  ['negative', -1],
] as const) {
  test(`PRIORITY: ${what}`, () => {
    const document = draft();
    document.rules = document.rules.with(3, { ...ruleAt(document, 3), priority });
    refuses(errorsOf(document), 'PRIORITY', /not a positive integer/, 'MINI-04');
  });
}

for (const [what, priority] of [
  ['repeated', 990],
  ['rising', 995],
] as const) {
  test(`PRIORITY: ${what}`, () => {
    const document = draft();
    document.rules = document.rules.with(1, { ...ruleAt(document, 1), priority });
    refuses(errorsOf(document), 'PRIORITY', /not below that of the row above/, 'MINI-01', 'MINI-02');
  });
}

test('PRIORITY: on a leaf or on a nested condition', () => {
  refuses(findingsOfLeaf({ ...leaf, priority: 3 }), 'PRIORITY', /a leaf has no priority/, 'MINI-01');
  refuses(findingsOfLeaf({ all: [leaf], priority: 3 }), 'PRIORITY', /a condition has no priority/, 'MINI-01');
});

for (const [what, operand] of [
  ['unknown operator', { ...leaf, operator: 'between' }],
  ['an operator every object has', { ...leaf, operator: 'constructor' }],
  ['a decorated operator of the library', { ...leaf, operator: 'not:equal' }],
  ['lessThan on an enum', { fact: 'pattern', operator: 'lessThan', value: 'linked' }],
  ['greaterThan on a boolean', { fact: 'gateway', operator: 'greaterThan', value: true }],
  ['in without a list', { ...leaf, operator: 'in' }],
  ['in with an empty list', { ...leaf, operator: 'in', value: [] }],
  ['equal with a list', { ...leaf, operator: 'equal', value: [4] }],
] as const) {
  test(`OPERATOR: ${what}`, () => refuses(findingsOfLeaf(operand), 'OPERATOR', /./, 'MINI-01'));
}

for (const [what, operand, message] of [
  ['path', { ...leaf, path: '$.x' }, /path/],
  ['a dynamic fact', { ...leaf, value: { fact: 'deficitRate' } }, /literal/],
  ['a fact that is not declared', { ...leaf, fact: 'gender' }, /gender is not declared/],
  ['a fact every object has', { ...leaf, fact: 'toString' }, /not declared/],
  ['a value below the domain', { ...leaf, value: -1 }, /not in the domain/],
  ['a value above the domain', { ...leaf, value: 501 }, /not in the domain/],
  ['a fraction for whole numbers', { ...leaf, value: 3.5 }, /not in the domain/],
  ['a text for a number', { ...leaf, value: '4' }, /not in the domain/],
  ['null', { ...leaf, value: null }, /not in the domain/],
  ['no value', { fact: 'distinctItems', operator: 'equal' }, /not in the domain/],
  ['a word outside the enum', { fact: 'pattern', operator: 'in', value: ['linked', 'strong'] }, /"strong"/],
] as const) {
  test(`FACT: ${what}`, () => refuses(findingsOfLeaf(operand), 'FACT', message, 'MINI-01'));
}

test('FACT: a domain that spans nothing', () => {
  const document = draft();
  Object.assign(document.facts.deficitRate ?? {}, { min: 2 });
  assert.is(errorsOf(document)[0]?.code, 'FACT');
});

test('SCHEMA: an empty any, an empty list inside, an empty all above the last row', () => {
  refuses(findingsOfRoot({ any: [] }), 'SCHEMA', /library takes for true/, 'MINI-01');
  refuses(findingsOfLeaf({ any: [] }), 'SCHEMA', /library takes for true/, 'MINI-01');
  refuses(findingsOfLeaf({ all: [] }), 'SCHEMA', /is empty/, 'MINI-01');
  refuses(findingsOfRoot({ all: [] }), 'SCHEMA', /last rule of a first-hit table/, 'MINI-01');
});

test('SCHEMA: an empty all in the last row of a collect table', () => {
  const document = draft();
  Object.assign(document.meta, { hitPolicy: 'collect' });
  refuses(errorsOf(document), 'SCHEMA', /last rule of a first-hit table/, 'MINI-04');
});

test('SCHEMA: a bare leaf, a reference or nothing at the root', () => {
  refuses(findingsOfRoot(leaf), 'SCHEMA', /must be all, any or not/, 'MINI-01');
  refuses(findingsOfRoot({ condition: 'shared' }), 'SCHEMA', /must be all, any or not/, 'MINI-01');
  refuses(findingsOfRoot({ all: leaf }), 'SCHEMA', /must be a list/, 'MINI-01');
});

test('SCHEMA: a number that is not finite', () => {
  const text = miniText().replace('"max": 500', '"max": 1e999');
  assert.ok(
    checkRuleText(text, validators).some(({ message }) =>
      /facts\/distinctItems\/max is not a finite number/.test(message),
    ),
  );
});

test('SCHEMA: a name used twice', () => {
  const document = draft();
  document.rules = document.rules.with(1, { ...ruleAt(document, 1), name: 'MINI-01' });
  refuses(errorsOf(document), 'SCHEMA', /used twice/, 'MINI-01');
});

test('SCHEMA: text that is not JSON', () => {
  assert.is(checkRuleText('{"meta": ', validators)[0]?.code, 'SCHEMA');
});

test('DUPLICATE_KEY: the second of two equal keys, however it is written', () => {
  for (const second of ['"value"', '"v\\u0061lue"']) {
    const text = miniText().replace('"value": 4, "unit"', `"value": 4, ${second}: 5, "unit"`);
    assert.equal(
      checkRuleText(text, validators).map(({ code, message }) => `${code} ${message}`),
      ['DUPLICATE_KEY the key value occurs twice'],
    );
  }
});

test('DUPLICATE_KEY: braces, commas and colons inside strings are no structure', () => {
  const text = miniText().replace('"fewer say nothing"', '"a \\"value\\": 1, {\\"value\\": 2} [,] \\\\"');
  assert.equal(checkRuleText(text, validators), []);
});

test('VOCABULARY_FOREIGN: an outcome outside the vocabulary', () => {
  const document = draft();
  document.outcomes = { order: ['weak', 'monitor', 'adequate'], unordered: [] };
  refuses(errorsOf(document), 'VOCABULARY_FOREIGN', /unknown is not in the vocabulary/, 'MINI-01');
});

test('MAGIC_NUMBER: a literal that differs from its constant, and a missing constant', () => {
  refuses(
    findingsOfLeaf({ ...leaf, value: 5, valueRef: 'MINI-MIN-01' }),
    'MAGIC_NUMBER',
    /is not MINI-MIN-01/,
    'MINI-01',
  );
  refuses(findingsOfLeaf({ ...leaf, valueRef: 'DTH-MIN-01' }), 'MAGIC_NUMBER', /no constant/, 'MINI-01');
});

test('the conditions of a constraint are validated as strictly as those of a rule', () => {
  const document = draft();
  document.constraints = [{ id: 'MINI-C1', rationale: 'x', impossible: { any: [] } }];
  refuses(errorsOf(document), 'SCHEMA', /library takes for true/, 'MINI-C1');
});

test('warnings do not refuse: a threshold without a name, a message without a text', () => {
  const document = draft();
  document.rules = document.rules.with(0, { ...ruleAt(document, 0), conditions: { all: [leaf as Condition] } });
  document.messages = {};
  const findings = checkRuleText(JSON.stringify(document), validators);
  assert.equal(
    findings.map(({ level, code }) => `${level} ${code}`),
    ['warning MAGIC_NUMBER', 'warning MESSAGE_MISSING'],
  );
  assert.is(parseTable(JSON.stringify(document), validators).rules.length, 4);
});

test('parseRuleDocument throws with every finding, and names the text', () => {
  const document = draft();
  document.rules = document.rules.map((rule) => ({ ...rule, priority: -1 }));
  try {
    parseRuleDocument(JSON.stringify(document), validators, 'rules/fixture/mini/1.json');
    assert.unreachable();
  } catch (error) {
    assert.instance(error, RuleDocumentError);
    assert.is((error as RuleDocumentError).findings.length, 4);
    assert.match((error as RuleDocumentError).message, 'rules/fixture/mini/1.json is refused');
  }
});

test.run();
