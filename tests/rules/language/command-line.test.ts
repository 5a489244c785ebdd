// `npm run language:eval`: equal results to HTTP, without a database.
import { execFileSync, spawnSync } from 'node:child_process';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { setKeys, shippedCases, shippedRules } from './sets.ts';

const argv = ['scripts/launch/bootstrap.mjs', 'scripts/eval/evaluate.ts', 'language'];
const run = (input: object): { safe: boolean; rewritten: string | null; ruleVersion: string | null }[] =>
  JSON.parse(execFileSync(process.execPath, argv, { input: JSON.stringify(input), encoding: 'utf8' }));

test('every shipped case gets its expected answer from the shipped sets', () => {
  const cases = setKeys.flatMap((key) => shippedCases(key));
  const answers = run({ cases: cases.map(({ text, tier }) => ({ text, tier })) });
  assert.equal(
    answers.map(({ safe, rewritten }) => [safe, rewritten]),
    cases.map(({ safe, rewritten }) => [safe, rewritten]),
  );
  assert.ok(answers.every(({ ruleVersion }) => /^language\/(staff|family|student)@2$/.test(ruleVersion ?? '')));
});

test('rules may be given in the input', () => {
  const [answer] = run({ rules: shippedRules('family'), cases: [{ text: 'كسول', tier: 'parent' }] });
  assert.equal([answer?.safe, answer?.ruleVersion], [false, null]);
});

test('unreadable input gives one line and exit code 1', () => {
  for (const input of [
    {},
    { cases: [{ text: 1, tier: 'ui' }] },
    { rules: [{ id: 'A', match: { pattern: '(a+)+' } }], cases: [] },
  ]) {
    const { status, stderr } = spawnSync(process.execPath, argv, { input: JSON.stringify(input), encoding: 'utf8' });
    assert.is(status, 1);
    assert.is(stderr.trim().split('\n').length, 1, stderr);
  }
});

test.run();
