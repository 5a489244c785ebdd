// Folders of throw-away data: each run has one, and those of killed runs are removed.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { scratchFolder } from '../../../scripts/test/scratch.ts';

/** The id of a process that has ended. */
const deadPid = () => spawnSync(process.execPath, ['-e', '']).pid;

test('each run has its own folder; those of runs that have ended are removed, others stay', async () => {
  const own = await scratchFolder();
  const named = (host: string, pid: number) => path.join(path.dirname(own), `literacy-test-${host}-${pid}-x`);
  const [left, elsewhere] = [named(os.hostname(), deadPid()), named('another-machine', deadPid())];
  for (const folder of [left, elsewhere]) fs.mkdirSync(path.join(folder, 'pg'), { recursive: true });
  const next = await scratchFolder();
  try {
    assert.not.equal(own, next);
    assert.equal([own, next, left, elsewhere].map(fs.existsSync), [true, true, false, true]);
  } finally {
    for (const folder of [own, next, elsewhere]) fs.rmSync(folder, { recursive: true, force: true });
  }
});

test.run();
