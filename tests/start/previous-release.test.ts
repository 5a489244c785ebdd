// timeout: 600s
// A roll-out: on the schema of this release, before the contract migrations, processes of the previous release must
// still work. The previous release's own tests check it.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { migrate } from '#core/platform/migrations/migrate.ts';
import { appliedMigrations } from '#core/platform/migrations/schema-version.ts';
import { nodeArguments } from '../../scripts/launch/programs.mjs';
import { resultOf } from '../../scripts/test/outcome.ts';
import { checkOut, pathIn, previousRelease, type Release } from '../../scripts/test/previous-release.ts';
import { connect, useDatabase } from '../harness/database.ts';
import { skipped } from '../harness/needs.ts';

/** Short tests from sign-in to a result and the queue. A test that the previous release does not have is left out. */
const smoke = [
  'tests/security/audit.test.ts',
  'tests/identity/people/classes/enrollment.test.ts',
  'tests/assessment/measurement/diagnostics/finish.test.ts',
  'tests/assessment/skill-status/recompute/recompute.test.ts',
  'tests/workers/relay.test.ts',
];
/** Tests of this release on the same schema. */
const present = ['tests/identity/people/classes/classes.test.ts'];

const repository = path.resolve(import.meta.dirname, '../..');
const here: Release = { folder: repository, programs: process.env.TEST_PROGRAMS ?? '', remove: () => {} };
let release: Release | undefined;
// Runs before the connections close.
test.after(async () => {
  release?.remove();
  await owner.raw(`drop database if exists ${template} with (force)`);
});
const { owner, ownerUrl, appUrl, name } = useDatabase(test);
const template = `${name}_before`;

const at = (url: string, database: string): string => {
  const there = new URL(url);
  there.pathname = `/${database}`;
  return there.href;
};

interface Ended {
  readonly code: number | null;
  readonly output: string;
}

function run(release: Release, entry: string, database: string): Promise<Ended> {
  const urls = { DATABASE_URL: at(ownerUrl, database), DATABASE_APP_URL: at(appUrl, database) };
  const child = spawn(process.execPath, nodeArguments(release.programs, entry), {
    cwd: release.folder,
    env: { ...process.env, ...urls, TEST_PROGRAMS: release.programs },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, output })));
}

async function migrated(release: Release): Promise<void> {
  await owner.raw(`create database ${template}`);
  const { code, output } = await run(release, pathIn(release, 'scripts/launch/migrate.ts') ?? '', template);
  assert.is(code, 0, output);
  const url = at(ownerUrl, template);
  const its = connect(url, { poolSize: 2, statementTimeoutMs: null, asOwner: true });
  try {
    const before = await appliedMigrations(its);
    await migrate(its, url);
    const after = await appliedMigrations(its);
    assert.ok(after.length > before.length, 'no migration has been added since');
  } finally {
    await its.destroy();
  }
}

async function onCopy(release: Release, file: string): Promise<void> {
  const copy = `${name}_copy`;
  await owner.raw(`create database ${copy} template ${template} strategy file_copy`);
  try {
    const { code, output } = await run(release, file, copy);
    const { passed, failed } = resultOf(output, code, undefined);
    // The last lines of the inner run would be read as the result of this file.
    assert.equal([failed, passed > 0], [0, true], output.split(/^\s*Total:/m)[0]);
  } finally {
    await owner.raw(`drop database ${copy} with (force)`);
  }
}

function testRelease(commit: string): void {
  const before = checkOut(commit);
  release = before;
  test.before(() => migrated(before));
  for (const file of smoke.flatMap((wanted) => pathIn(before, wanted) ?? []))
    test(`the release before: ${file}`, () => onCopy(before, file));
  for (const file of present) test(`this release: ${file}`, () => onCopy(here, file));
}

const commit = previousRelease();
if (commit === undefined) {
  skipped('the release before on this schema', 'needs git and a clone with its history');
} else {
  testRelease(commit);
}

test.run();
