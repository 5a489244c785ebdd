// The command-line runner: cases in, outputs out, a one-line error for invalid input.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { nodeArgv } from '../../../harness/programs.ts';

const run = (stdin: string) =>
  spawnSync(process.execPath, [...nodeArgv('scripts/eval/evaluate.ts'), 'sse'], { input: stdin, encoding: 'utf8' });

const goldenText = fs.readFileSync('tests/golden/sse-golden-cases.json', 'utf8');
const golden: { readonly cases: readonly { readonly input: object; readonly expected: unknown }[] } =
  JSON.parse(goldenText);

test('the unchanged golden file gives the expected outputs', () => {
  const { stdout, status } = run(goldenText);
  assert.is(status, 0);
  assert.equal(
    JSON.parse(stdout),
    golden.cases.map(({ expected }) => expected),
  );
});

const [one] = golden.cases;
const session = { sessionId: 's', source: 'diagnostic', endedAt: '2026-01-01T00:00:00.000Z', analysable: true };
const refusals = {
  'no JSON': 'cases',
  'no cases': '{}',
  'a case without a grade': JSON.stringify({ cases: [{ input: { caseId: 'x' } }] }),
  'an unknown property': JSON.stringify({ cases: [{ input: { ...one?.input, extra: 1 } }] }),
  'an unknown source': JSON.stringify({
    cases: [{ input: { ...one?.input, sessions: [{ ...session, source: 'live' }] } }],
  }),
  'a repeated session': JSON.stringify({ cases: [{ input: { ...one?.input, sessions: [session, session] } }] }),
};
for (const [what, stdin] of Object.entries(refusals)) {
  test(`${what}: exit 1 and one line`, () => {
    const { stdout, stderr, status } = run(stdin);
    assert.is(status, 1);
    assert.is(stdout, '');
    assert.match(stderr, /^sse:eval: [^\n]+\n$/);
  });
}

test.run();
