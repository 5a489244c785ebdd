// `npm run check`: all checks that need no test run. Each check is a program of its own; all of them run, and one that fails
// prints its output and fails the whole.
import { spawn } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';
import { buildPrograms, nodeArguments } from '../launch/programs.mjs';

interface Check {
  readonly name: string;
  readonly argv: readonly string[];
}

interface Outcome {
  readonly passed: boolean;
  readonly output: string;
  readonly seconds: string;
}

const tool = (name: string) => path.join('node_modules/.bin', name);
const built = await buildPrograms('programs');
const script = (entry: string, ...argv: string[]) => [process.execPath, ...nodeArguments(built, entry), ...argv];

/** The compiler reuses its results for unchanged files. */
const incremental = ['--incremental', '--tsBuildInfoFile', '.tmp/types.tsbuildinfo'];

/** The slowest check comes first, so that parallel checks end together. */
const checks: readonly Check[] = [
  { name: 'generated files', argv: script('scripts/check/generate.ts', '--check') },
  { name: 'rule documents', argv: script('scripts/author/rules.ts', 'verify') },
  { name: 'item bank', argv: script('scripts/author/build-item-bank.ts', '--check') },
  { name: 'shipped session blueprints', argv: script('scripts/author/build-blueprints.ts', '--check') },
  { name: 'API description', argv: [tool('redocly'), 'lint', 'openapi.json', '--format', 'stylish'] },
  { name: 'types', argv: [tool('tsc'), '-p', '.', '--pretty', 'false', ...incremental] },
  { name: 'lint and format', argv: [tool('biome'), 'check', '--error-on-warnings', '.'] },
  { name: 'imports between capabilities', argv: script('scripts/check/imports.ts') },
  { name: 'phases of migrations', argv: script('scripts/check/migrations.ts') },
  { name: 'retired words', argv: script('scripts/check/retired-words.ts') },
  { name: 'acronyms', argv: script('scripts/check/acronyms.ts') },
  { name: 'exports that no file imports', argv: script('scripts/check/exports.ts') },
  { name: 'lock file', argv: [process.execPath, 'scripts/check/lock.mjs'] },
];

/** Matches warnings, which do not fail a check: a person merges, splits, or explains why not. */
const warning = /^warning: |lint\/\w+\/noExcessiveLines/m;

const queue = [...checks];
let failures = 0;
await Promise.all(Array.from({ length: os.availableParallelism() }, work));
process.exitCode = failures > 0 ? 1 : 0;

async function work(): Promise<void> {
  for (let check = queue.shift(); check !== undefined; check = queue.shift()) report(check, await run(check));
}

function report({ name }: Check, { passed, output, seconds }: Outcome): void {
  if (!passed) failures++;
  if (!passed || warning.test(output)) console.log(`\n${output.trimEnd()}\n`);
  console.log(`${passed ? 'ok  ' : 'FAIL'}  ${name}  ${seconds} s`);
}

function run({ argv }: Check): Promise<Outcome> {
  const startedAt = performance.now();
  const [command = '', ...rest] = argv;
  const child = spawn(command, rest, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, FORCE_COLOR: '0', REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  });
  const stop = () => child.kill('SIGTERM');
  process.once('SIGTERM', stop);
  let output = '';
  const collect = (chunk: string) => {
    output += chunk;
  };
  child.stdout.setEncoding('utf8').on('data', collect);
  child.stderr.setEncoding('utf8').on('data', collect);
  return new Promise((resolve) => {
    const end = (passed: boolean) => {
      process.off('SIGTERM', stop);
      resolve({ passed, output, seconds: ((performance.now() - startedAt) / 1000).toFixed(1) });
    };
    child.once('error', (error) => {
      output += error.message;
      end(false);
    });
    child.once('close', (code) => end(code === 0));
  });
}
