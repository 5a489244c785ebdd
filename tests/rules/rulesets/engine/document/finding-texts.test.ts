// Every finding carries the values of its message by name, closed for each code and issue.
import fs from 'node:fs';
import type { TSchema } from 'typebox';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { capabilities } from '#app/capabilities.ts';
import { jsonValidator } from '#core/platform/pure/json-schema.ts';
import { type FindingCode, findingTexts } from '#rules/rulesets/engine/document/finding-texts.ts';
import { errorFinding, type Finding, findingCodes } from '#rules/rulesets/engine/document/findings.ts';
import { checkRuleText } from '#rules/rulesets/engine/reading/parse.ts';
import { findingView } from '#rules/rulesets/finding-schemas.ts';
import { documentValidators } from '#rules/rulesets/index.ts';

const faultsOf = jsonValidator(() => findingView({}));

interface Sample {
  readonly value: unknown;
  readonly inMessage: string;
  readonly otherType: unknown;
}

/** What an argument of each mark looks like in the message, written by hand. */
const samples: Readonly<Record<string, Sample>> = {
  '': { value: 'some words', inMessage: 'some words', otherType: 7 },
  '#': { value: 0.35, inMessage: '0.35', otherType: '0.35' },
  '?': { value: 0.2, inMessage: '0.2', otherType: ['0.2'] },
  '!': { value: 'word', inMessage: '"word"', otherType: {} },
  '*': { value: ['A-1', 'B-2'], inMessage: 'A-1, B-2', otherType: 'A-1' },
  '"': { value: ['one', 'two'], inMessage: '"one", "two"', otherType: 'one' },
};

interface Argument extends Sample {
  readonly name: string;
}

const argumentsOf = (text: string): Argument[] =>
  [...text.matchAll(/\{(\w+)(\W?)\}/g)].map(([, name = '', mark = '']) => {
    const sample = samples[mark];
    if (!sample) throw new Error(`no sample of ${mark}`);
    return { name, ...sample };
  });

const made = (code: string, issue: string, args: object): Finding =>
  errorFinding(code as 'GAP', issue as 'no_rule', args as never, 'SSR-01');

for (const code of findingCodes) {
  for (const [issue, text] of Object.entries(findingTexts[code])) {
    test(`${code} ${issue}: its arguments are the values of its message, and no others`, () => {
      const held = argumentsOf(text);
      const finding = made(code, issue, Object.fromEntries(held.map(({ name, value }) => [name, value])));
      assert.equal(Object.keys(finding.args).sort(), ['issue', ...held.map(({ name }) => name)].sort());
      for (const { inMessage } of held) assert.ok(finding.message.includes(inMessage), finding.message);
      assert.not.match(finding.message, /\{|\}/);
      assert.equal(faultsOf(finding), []);
      assert.ok(faultsOf({ ...finding, args: { ...finding.args, foreign: 1 } }).length > 0);
      assert.ok(faultsOf({ ...finding, args: { ...finding.args, issue: 'other' } }).length > 0);
      for (const { name, otherType } of held) {
        assert.ok(faultsOf({ ...finding, args: { ...finding.args, [name]: otherType } }).length > 0, name);
        const { [name]: _gone, ...others } = finding.args;
        assert.ok(faultsOf({ ...finding, args: others }).length > 0, name);
      }
    });
  }
}

test('the arguments of one code are not those of another', () => {
  const finding = made('GAP', 'no_rule', { percent: 3, conditions: 'rawRate < 0.2' });
  assert.ok(faultsOf({ ...finding, code: 'OVERLAP' }).length > 0);
});

test('a number is the number of the document', () => {
  const validators = documentValidators(capabilities);
  const document = JSON.parse(fs.readFileSync('rules/bnd/bnd/2.json', 'utf8'));
  document.constants['DTH-DEF-01'].value = 0.25;
  const found = checkRuleText(JSON.stringify(document), validators);
  assert.equal(
    found.map(({ code, args }) => ({ code, args })),
    [
      {
        code: 'MAGIC_NUMBER',
        args: { issue: 'other_value', path: 'all.0', literal: 0.2, constant: 'DTH-DEF-01', value: 0.25 },
      },
    ],
  );
});

test('openapi.json closes the arguments of every code', () => {
  const { components } = JSON.parse(fs.readFileSync('openapi.json', 'utf8'));
  const codes: FindingCode[] = components.schemas.Finding.anyOf.map(
    (one: TSchema & { properties: { code: { const: FindingCode } } }) => one.properties.code.const,
  );
  assert.equal(codes.toSorted(), findingCodes.toSorted());
});

test.run();
