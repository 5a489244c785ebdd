// The command line: its output, and the exit codes on which scripts rely.
import { execFile } from 'node:child_process';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { nodeArgv } from '../../harness/programs.ts';
import { shippedVersion } from '../../harness/rules.ts';

const root = path.resolve(import.meta.dirname, '../../..');

interface Run {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

const rules = (...args: string[]): Promise<Run> =>
  new Promise((resolve) => {
    const argv = [...nodeArgv('scripts/author/rules.ts'), ...args];
    const child = execFile(process.execPath, argv, { cwd: root }, (_error, out, err) =>
      resolve({ code: child.exitCode ?? -1, out, err }),
    );
  });

const [lint, unknown, decided, refused, bareDiff, bareTry] = await Promise.all([
  rules('lint'),
  rules('publish'),
  rules('try', 'cis/cis', '{"sides":"one_sided"}'),
  rules('try', 'ssr/ssr@99', '{}'),
  rules('diff'),
  rules('try', 'cis/cis'),
]);

test('lint: one line for each document, exit 0', () => {
  assert.is(lint.code, 0, lint.err);
  assert.match(lint.out, /^ok {5}ssr\/ssr@1$/m);
});

test('an unknown command prints the usage and exits 1', () => {
  assert.is(unknown.code, 1);
  assert.match(unknown.err, 'npm run rules -- <command>');
});

test('a command without its arguments prints them and lists the documents', () => {
  for (const [bare, takes] of [
    [bareDiff, 'diff family/key@1 family/key@2'],
    [bareTry, 'try family/key[@v]'],
  ] as const) {
    assert.is(bare.code, 1);
    assert.match(bare.err, `npm run rules -- ${takes}`);
    assert.match(bare.err, 'ssr/ssr@1');
  }
});

test('try: facts that do not fit are named in one line, exit 1', () => {
  assert.is(decided.code, 1);
  assert.match(decided.err, new RegExp(`^cis/cis@${shippedVersion('cis/cis')}: fact \\w+ is missing$`, 'm'));
});

test('try: an unknown version, exit 1', () => {
  assert.is(refused.code, 1);
  assert.match(refused.err, 'there is no decision table ssr/ssr@99');
});

test('try --json: the decision with its trace, exit 0', async () => {
  const { code, out, err } = await rules('try', 'dsm/dsm', '{"domainStatus":"monitor","coverage":0.5}', '--json');
  assert.is(code, 0, err);
  const answer = JSON.parse(out);
  assert.is(answer.ruleId, 'DSM-08');
  assert.is(answer.trace.length, 8);
});

test.run();
