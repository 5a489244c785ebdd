// The golden cases of profiles, bundles, groups, assignments, tiers and session blueprints, computed by another program: equal
// byte by byte, also through the command line runner.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { loadNewestBundle } from '#rules/rulesets/files.ts';
import { compileEngines } from '../../../scripts/eval/interventions/engines.ts';
import { kinds } from '../../../scripts/eval/interventions/kinds.ts';

interface GoldenCase {
  readonly kind: string;
  readonly name: string;
  readonly input: never;
  readonly expected: unknown;
}

const files = [
  'tests/golden/intervention-golden-cases.json',
  'tests/golden/workflow-golden-cases.json',
  'tests/golden/rti-golden-cases.json',
  'tests/golden/blueprint-golden-cases.json',
];
const texts = files.map((file) => fs.readFileSync(file, 'utf8'));
const cases = texts.flatMap((text) => (JSON.parse(text) as { readonly cases: readonly GoldenCase[] }).cases);
const engines = compileEngines(await loadNewestBundle('rules'));

for (const { kind, name, input, expected } of cases) {
  test(`${kind}: ${name}`, () => {
    assert.is(JSON.stringify(kinds[kind]?.(input, engines)), JSON.stringify(expected));
  });
}

test('every kind that is served has a golden case', () => {
  assert.equal([...new Set(cases.map(({ kind }) => kind))].sort(), Object.keys(kinds).sort());
});

const evaluate = (input: string) =>
  spawnSync('node', ['scripts/launch/bootstrap.mjs', 'scripts/eval/evaluate.ts', 'interventions'], {
    input,
    encoding: 'utf8',
  });

test('interventions:eval writes the expected outputs, in order, and nothing else', () => {
  const { stdout, stderr, status } = evaluate(texts[0] ?? '');
  const expected = (JSON.parse(texts[0] ?? '') as { readonly cases: readonly GoldenCase[] }).cases;
  assert.equal([status, stderr], [0, '']);
  assert.is(stdout, `${JSON.stringify(expected.map((one) => one.expected))}\n`);
});

test('interventions:eval refuses an unknown kind in one line', () => {
  const { stdout, stderr, status } = evaluate('{"cases":[{"kind":"horoscope","input":{}}]}');
  assert.equal([status, stdout], [1, '']);
  assert.match(stderr, /^interventions:eval: input\/cases\/0\/kind .*\n$/);
});

test.run();
