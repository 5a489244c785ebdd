// `npm run language:eval`: the same answers as over HTTP, without a database.
import { execFileSync, spawnSync } from 'node:child_process';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { setKeys, shippedCases, shippedRules } from './sets.ts';

const argv = ['scripts/launch/bootstrap.mjs', 'scripts/eval/evaluate.ts', 'language'];
const run = (input: object): { safe: boolean; rewritten: string | null; ruleVersion: string | null }[] =>
  JSON.parse(execFileSync(process.execPath, argv, { input: JSON.stringify(input), encoding: 'utf8' }));

test('every shipped case is answered as it says, by the shipped sets', () => {
  const cases = setKeys.flatMap((key) => shippedCases(key));
  const answers = run({ cases: cases.map(({ text, tier }) => ({ text, tier })) });
  assert.equal(
    answers.map(({ safe, rewritten }) => [safe, rewritten]),
    cases.map(({ safe, rewritten }) => [safe, rewritten]),
  );
  assert.ok(answers.every(({ ruleVersion }) => /^language\/(staff|family|student)@2$/.test(ruleVersion ?? '')));
});

test('rules may come along', () => {
  const [answer] = run({ rules: shippedRules('family'), cases: [{ text: 'كسول', tier: 'parent' }] });
  assert.equal([answer?.safe, answer?.ruleVersion], [false, null]);
});

test('what cannot be read ends with one line and exit code 1', () => {
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
