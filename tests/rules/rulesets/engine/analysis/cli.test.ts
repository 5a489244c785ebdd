// analyse, diff and try on the command line, as a terminal and a CI job see them.
import { execFile } from 'node:child_process';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { nodeArgv } from '../../../../harness/programs.ts';

const root = path.resolve(import.meta.dirname, '../../../../..');

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

const [analysed, asJson, missing, same, tried] = await Promise.all([
  rules('analyse', 'ssr/ssr', 'bnd/bnd@1'),
  rules('analyse', 'ssr/ssr', '--json'),
  rules('analyse', 'catalogue/subskills'),
  rules('diff', 'ssr/ssr@1', 'ssr/ssr@1'),
  rules('try', 'dsm/dsm', '{"domainStatus":"monitor","coverage":0.5}'),
]);

test('analyse: a table of tables, their findings, no colour codes in a pipe, exit 0', () => {
  assert.is(analysed.code, 0, analysed.err);
  assert.match(analysed.out, /^ssr\/ssr@1 +12 +936 +0 .* 100\.0 %$/m);
  assert.match(analysed.out, /^ok {5}bnd\/bnd@1$/m);
  assert.match(analysed.out, /^ok {5}pipeline$/m);
  assert.not(analysed.out.includes('\u001b'));
});

test('analyse --json: findings, cells and mutation score of each table', () => {
  const { tables, pipeline } = JSON.parse(asJson.out);
  assert.equal(pipeline, []);
  assert.is(tables[0].id, 'ssr/ssr@1');
  assert.is(tables[0].cells.possibleCells, 936);
  assert.ok(tables[0].mutation.score >= 0.95);
});

test('analyse: a document without rules, exit 1', () => {
  assert.is(missing.code, 1);
  assert.match(missing.err, 'there is no decision table catalogue/subskills');
});

test('diff: the level, and that nothing changed', () => {
  assert.is(same.code, 0, same.err);
  assert.match(same.out, /^ssr\/ssr@1 → ssr\/ssr@1: patch$/m);
  assert.match(same.out, 'no region has another outcome');
});

test('try: the decision, what would flip it, and why the rows above did not hold', () => {
  assert.is(tried.code, 0, tried.err);
  assert.match(tried.out, /^DSM-08 {2}Approaching$/m);
  assert.match(tried.out, /^flips to \w+ \(DSM-\d\d\) with \w+ /m);
  assert.match(tried.out, /^DSM-01 +no +domainStatus = contextual_review; domainStatus is monitor$/m);
});

test.run();
