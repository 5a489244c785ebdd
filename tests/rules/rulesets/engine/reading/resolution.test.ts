// Facts are compared after they are rounded to 4 decimals: a finer number in a rule is met by nobody, or acts like another one.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { capabilities } from '#app/capabilities.ts';
import { checkRuleText, documentValidators, isError, loadRules } from '#rules/rulesets/index.ts';

type Json = Record<string, unknown>;

const validators = documentValidators(capabilities);
const shipped = await loadRules('rules');
const documentOf = (id: string): Json => {
  const found = shipped.find((one) => one.id === id);
  if (!found) throw new Error(`${id} is not shipped`);
  return structuredClone(found.document) as unknown as Json;
};
const errors = (document: Json) => checkRuleText(JSON.stringify(document), validators).filter(isError);
const codes = (document: Json) => [...new Set(errors(document).map(({ code }) => code))];

const table = (operator: string, value: unknown): Json => ({
  meta: { family: 'bnd', key: 'bnd', version: 1, title: { ar: 'ا', en: 'a' }, hitPolicy: 'first', vocabulary: 'x' },
  facts: { rate: { type: 'decimal', min: 0, max: 1, better: null } },
  outcomes: { order: ['low', 'high'], unordered: [] },
  rules: [
    {
      ...{ name: 'T-01', priority: 20, rationale: 'one' },
      conditions: { all: [{ fact: 'rate', operator, value }] },
      event: { type: 'decision', params: { outcome: 'low' } },
    },
    {
      ...{ name: 'T-02', priority: 10, rationale: 'two', conditions: { all: [] } },
      event: { type: 'decision', params: { outcome: 'high' } },
    },
  ],
});

for (const operator of ['equal', 'notEqual', 'lessThan', 'lessThanInclusive', 'greaterThan', 'greaterThanInclusive']) {
  test(`${operator}: a literal of 5 decimals is refused, one of 4 is not`, () => {
    assert.equal(codes(table(operator, 0.49995)), ['FACT']);
    assert.equal(codes(table(operator, 0.4999)), []);
  });
}

for (const operator of ['in', 'notIn']) {
  test(`${operator}: one member of 5 decimals is refused`, () => {
    assert.equal(codes(table(operator, [0.2, 0.20005])), ['FACT']);
    assert.equal(codes(table(operator, [0.2, 0.2001])), []);
  });
}

test('a number that looks finer in binary and is not is accepted: 0.1 + 0.2 is written as 0.3', () => {
  for (const value of [0.3, 0.0001, 0.9999, 1e-4, 0.07]) assert.equal(codes(table('equal', value)), [], String(value));
  assert.equal(codes(table('equal', 0.1 + 0.2)), ['FACT']);
});

test('the finding names the number and says why', () => {
  const [finding] = errors(table('equal', 0.33333));
  assert.match(finding?.message ?? '', /0\.33333 has more than 4 decimals/);
  assert.equal(finding?.ruleIds, ['T-01']);
});

test('a threshold of a third: constant and literals are refused', () => {
  const [newest] = shipped.filter(({ id }) => id.startsWith('bnd/bnd@')).slice(-1);
  const text = JSON.stringify(newest?.document, (_key, member) =>
    typeof member === 'object' && member !== null && member.valueRef === 'DTH-DEF-02'
      ? { ...member, value: 0.33333 }
      : member,
  );
  const document = JSON.parse(text) as { constants: Record<string, Json> } & Json;
  document.constants['DTH-DEF-02'] = { ...document.constants['DTH-DEF-02'], value: 0.33333 };
  assert.equal(codes(document), ['FACT']);
  const messages = errors(document).map(({ message }) => message);
  assert.ok(messages.some((message) => message.startsWith('/constants/DTH-DEF-02/value')));
  assert.ok(
    messages.some((message) => message.includes('all')),
    'the literals too',
  );
});

test('cuts of a benchmark against correct words a minute', () => {
  for (const [below, expected] of [
    [11.00005, ['FACT']],
    [11.0001, []],
    [401, ['SCHEMA']],
  ] as const) {
    const document = documentOf('benchmark/orf-wcpm-global-g3-boy@1');
    assert.equal(codes({ ...document, cuts: { meets: 32, approaching: 22, below } }), [...expected], String(below));
  }
});

test('a constant that the code compares, in a table and in a document of values', () => {
  for (const [id, constant] of [
    ['cbm/trend@2', 'CBM-DRP-01'],
    ['scoring/measurement@1', 'TSR-BND-01'],
  ] as const) {
    const document = documentOf(id) as Json & { constants: Record<string, Json> };
    document.constants[constant] = { ...document.constants[constant], value: 0.70001 };
    assert.equal(codes(document), ['FACT'], id);
  }
});

test('no shipped document has a finer number', () => {
  for (const { document } of shipped) assert.equal(errors(document as unknown as Json), []);
});

test.run();
