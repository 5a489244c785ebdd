// Students with evidence, and real worker processes on the test file's database.
import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { itemBanks } from '#assessment/content/items/banks.ts';
import { type Db, inContext } from '#core/platform/db.ts';
import type { Answer } from '../assessment/skill-status/evidence.ts';
import { buildDiagnostic } from '../assessment/skill-status/evidence.ts';
import { schoolYearOfToday } from '../harness/clock.ts';
import type { TestDatabase } from '../harness/database.ts';
import { buildClass, buildStudent } from '../harness/factories.ts';
import { nodeArgv } from '../harness/programs.ts';

const bank = await itemBanks().current();
const pollMs = 50;

export interface Child {
  readonly id: number;
  readonly organizationId: string;
}

export async function buildChild(owner: Db): Promise<Child> {
  const classRow = await buildClass(owner, { grade: 2, academicYear: schoolYearOfToday() });
  return { id: (await buildStudent(owner, classRow)).id, organizationId: classRow.organizationId };
}

/** Creates a diagnostic of real items that has just ended, with the event of its finish. */
export function finishDiagnostic(owner: Db, child: Child, subSkillCodes: readonly string[]): Promise<string> {
  const answers = subSkillCodes.flatMap((subSkillCode) =>
    bank
      .cell(subSkillCode, 'G12')
      .slice(0, 6)
      .map(({ id }): Answer => ({ subSkillCode, itemId: id, letter: 'C', marked: false })),
  );
  return buildDiagnostic(owner, child, answers, { finishedAt: new Date().toISOString() });
}

export interface WorkerProcess {
  readonly process: ChildProcess;
  /** Sends SIGKILL. */
  kill(): Promise<void>;
  /** Sends SIGTERM. The process drains. */
  stop(): Promise<void>;
}

/** Starts `workers/main.ts` in a process of its own. Resolves when it is ready. */
export async function startWorker(database: TestDatabase, redisUrl: string | undefined): Promise<WorkerProcess> {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'literacy-worker-'));
  const { REDIS_URL: _own, ...inherited } = process.env;
  const child = spawn(process.execPath, nodeArgv('workers/main.ts'), {
    env: {
      ...inherited,
      NODE_ENV: 'test',
      DATABASE_URL: database.ownerUrl,
      DATABASE_APP_URL: database.appUrl,
      DATA_DIR: dataDir,
      LOG_LEVEL: 'silent',
      ...(redisUrl !== undefined && { REDIS_URL: redisUrl }),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const gone = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
  });
  const end = async (signal: 'SIGKILL' | 'SIGTERM') => {
    child.kill(signal);
    await gone;
    fs.rmSync(dataDir, { recursive: true, force: true });
  };
  await running(child);
  return { process: child, kill: () => end('SIGKILL'), stop: () => end('SIGTERM') };
}

function running(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.stdout?.on('data', (chunk) => String(chunk).includes('Workers are running') && resolve());
    child.once('exit', (code) => reject(new Error(`the worker ended with ${code}`)));
  });
}

/** Waits until `check` returns true. Throws when the time limit has passed. */
export async function eventually(what: string, timeoutMs: number, check: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!(await check())) {
    if (Date.now() > deadline) throw new Error(`did not happen within ${timeoutMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}

interface Progress {
  readonly requestedSeq: number;
  readonly processedSeq: number;
}

export const progressOf = (owner: Db, { id }: Child): Promise<Progress | undefined> =>
  inContext(owner, 'SUPER', (trx) => trx('sse_recompute_request').where({ studentId: id }).first());

export async function isServed(owner: Db, child: Child): Promise<boolean> {
  const progress = await progressOf(owner, child);
  return progress !== undefined && progress.processedSeq === progress.requestedSeq;
}

/** Returns how many rows of each kind of result a student has. */
export async function resultCounts(owner: Db, { id }: Child) {
  return inContext(owner, 'SUPER', async (trx) => {
    const runs = await trx('sse_run').where({ studentId: id });
    const ofRuns = (table: string) =>
      trx(table).whereIn(
        'runId',
        runs.map((run) => run.id),
      );
    return {
      runs: runs.length,
      codes: (await ofRuns('sse_response_code')).length,
      skills: (await ofRuns('sse_skill_snapshot')).length,
      domains: (await ofRuns('sse_domain_snapshot')).length,
      tiles: (await ofRuns('sse_macro_snapshot')).length,
      events: (
        await trx('outbox')
          .where({ topic: 'macro.updated' })
          .whereRaw("payload ->> 'studentId' = ?", [`${id}`])
      ).length,
    };
  });
}

/** Each test file uses a Redis database of its own, because some files empty the queue. */
export function redisDatabase(server: string, number: number): string {
  const own = new URL(server);
  own.pathname = `/${number}`;
  return own.href;
}
