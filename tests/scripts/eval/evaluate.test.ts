// Engines on the command line: each has its name, and the former npm scripts start the same programs.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { nodeArgv } from '../../harness/programs.ts';

const run = (...args: readonly string[]) =>
  spawnSync(process.execPath, [...nodeArgv('scripts/eval/evaluate.ts'), ...args], { input: '{}', encoding: 'utf8' });

test('an unknown engine is refused with the names of the known ones', () => {
  for (const args of [[], ['horoscope'], ['constructor']]) {
    const { status, stdout, stderr } = run(...args);
    assert.equal([status, stdout], [1, '']);
    assert.is(stderr, 'npm run --silent evaluate -- sse|scoring|interventions|language|rewards|aggregates\n');
  }
});

const aliases = {
  'sse:eval': 'sse',
  'scoring:eap': 'scoring',
  'interventions:eval': 'interventions',
  'language:eval': 'language',
  'rewards:eval': 'rewards',
  'aggregates:protect': 'aggregates',
};

test('the former npm scripts start the same program', () => {
  const { scripts } = JSON.parse(fs.readFileSync('package.json', 'utf8'));
  for (const [name, engine] of Object.entries(aliases)) assert.is(scripts[name], `${scripts.evaluate} ${engine}`);
});

test.run();
