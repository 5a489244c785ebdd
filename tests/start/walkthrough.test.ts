// timeout: 900s
// Runs the walkthroughs of the README and docs/walkthrough with bash against a service with its demo.
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { useDatabase } from '../harness/database.ts';
import { skipped } from '../harness/needs.ts';
import { onDatabase, ready, usePrograms } from './program.ts';

const test = suite('walkthroughs');
const database = useDatabase(test);
const run = usePrograms(test);
const downloads = fs.mkdtempSync(path.join(os.tmpdir(), 'literacy-walkthrough-'));
test.after(() => fs.rmSync(downloads, { recursive: true, force: true }));

const tools = ['bash', 'curl', 'jq'];
const areInstalled = tools.every((name) => spawnSync(name, ['--version']).status === 0);
if (!areInstalled) skipped('the walkthroughs', 'needs bash, curl and jq on the PATH');

const [, tour = ''] =
  /^## A tour [^\n]*$[\s\S]*?^```sh\n([\s\S]*?)^```$/m.exec(fs.readFileSync('README.md', 'utf8')) ?? [];

interface Walkthrough {
  readonly name: string;
  /** Arguments of bash. */
  readonly argv: readonly string[];
  /** Lines of the output that show that the last steps succeeded. */
  readonly lines: readonly RegExp[];
}

/** In the order of the documents. */
const walkthroughs: readonly Walkthrough[] = [
  {
    name: 'the tour of the README',
    argv: ['-euo', 'pipefail', '-c', tour],
    lines: [/"answered":1/, /^\{"because":/m, /^\{"nameAr":.*"ruleId":"DDR-/m, /^\{"match":true,"rowsWritten":0\}$/m],
  },
  {
    name: 'main-job.sh',
    argv: ['docs/walkthrough/main-job.sh'],
    lines: [/^\{"match":true,"rowsWritten":0\}$/m, /letters\.pdf$/m, /board\.pdf$/m, /"clean":\d+\}$/m],
  },
  {
    name: 'change-a-rule.sh',
    argv: ['docs/walkthrough/change-a-rule.sh'],
    lines: [/^\{"valid":true,/m, /^\{"kind":"rollback"/m],
  },
  {
    name: 'npm run demo -- rules',
    argv: ['-c', 'npm run --silent demo -- rules'],
    lines: [/^2\. DTH-DEF-01 is .* bnd\/bnd, dth\/dth\.$/m, /^4\. .* students would/m, /^6\. Rolled back/m],
  },
];

const scene = areInstalled ? test : test.skip;
scene('every step of the walkthroughs succeeds on the sandbox', async () => {
  const service = run('src/main.ts', { ...onDatabase(database), SEED_DEMO: 'true' });
  const [, address = ''] = await service.until(ready);
  for (const { name, argv, lines } of walkthroughs) {
    const { code, output } = await runBash(argv, new URL(address).port);
    assert.is(code, 0, `${name}\n${output}`);
    for (const line of lines) assert.ok(line.test(output), `${name}: ${line}\n${output}`);
  }
  assert.is((await service.stop()).code, 0);
});

function runBash(
  argv: readonly string[],
  port: string,
): Promise<{ readonly code: number | null; readonly output: string }> {
  const child = spawn('bash', argv, {
    env: { PATH: process.env.PATH ?? '', HOME: os.homedir(), TMPDIR: downloads, PORT: port },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, output })));
}

test.run();
