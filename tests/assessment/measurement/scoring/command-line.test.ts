// The estimator as a program: JSON in, JSON out, one line on stderr when the input is wrong.
import { spawnSync } from 'node:child_process';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { estimateAbility } from '#assessment/measurement/scoring/engine/eap.ts';
import { nodeArgv } from '../../../harness/programs.ts';

const run = (input: string) =>
  spawnSync(process.execPath, [...nodeArgv('scripts/eval/evaluate.ts'), 'scoring'], { input, encoding: 'utf8' });

test('scoring:eap answers every case, unrounded, with any number of answers', () => {
  const cases = [
    { b: [0, 0, 0], u: [1, 1, 1] },
    { b: [], u: [] },
    { b: [0.5], u: [0], prior: { mean: 0.8, sd: 0.6 } },
  ];
  const { status, stdout } = run(JSON.stringify({ cases }));
  assert.is(status, 0);
  const [three, none, one] = JSON.parse(stdout);
  assert.equal(three, estimateAbility([0, 1, 2].map((id) => ({ itemId: `${id}`, difficultyLogit: 0, correct: true }))));
  assert.equal(none, estimateAbility([]));
  const wrong = { itemId: 'a', difficultyLogit: 0.5, correct: false };
  assert.equal(one, estimateAbility([wrong], { mean: 0.8, sd: 0.6 }));
});

const malformed = {
  'not JSON': '{',
  'no cases': '{}',
  'a foreign property': '{"cases": [{"b": [0], "u": [1], "c": 1}]}',
  'b and u of different lengths': '{"cases": [{"b": [0, 1], "u": [1]}]}',
  'an answer that is neither 0 nor 1': '{"cases": [{"b": [0], "u": [2]}]}',
  'a prior outside its range': '{"cases": [{"b": [0], "u": [1], "prior": {"mean": 0, "sd": 0.2}}]}',
};

for (const [what, input] of Object.entries(malformed)) {
  test(`scoring:eap refuses ${what}`, () => {
    const { status, stdout, stderr } = run(input);
    assert.is(status, 1);
    assert.is(stdout, '');
    assert.is(stderr.trimEnd().split('\n').length, 1, stderr);
  });
}

test.run();
