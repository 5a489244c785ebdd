// `npm test`: runs every test file on its own copy of a migrated database, one after another in several parallel processes. A
// file may declare a process of its own, or that it measures time and runs after all others. Arguments select files by a part
// of their name. TEST_JOBS sets the number of parallel processes (default: one more than there are cores), TEST_DATABASE_URL
// and TEST_REDIS_URL use running servers. The last line is `N passed, N failed`. A file with a long form runs it if the
// argument is its name (`npm test -- chaos`).
import os from 'node:os';
import { buildPrograms } from '../launch/programs.mjs';
import { type DatabaseUrls, startTestCluster, type TestCluster } from './cluster.ts';
import { findTestFiles, rememberDurations, type TestFile } from './files.ts';
import type { FileResult, Skipped } from './outcome.ts';
import { type PreparedDatabases, prepareDatabases } from './prepared-databases.ts';
import { startTestRedis, type TestRedis } from './redis.ts';
import { runTestFile } from './run-file.ts';
import { type SharedProcess, startSharedProcess } from './shared-process.ts';

interface Servers {
  /** The folder of the built tests and programs. */
  readonly programs: string;
  readonly cluster: TestCluster;
  readonly redis: TestRedis | undefined;
}

interface Tally {
  passed: number;
  failed: number;
  readonly skipped: Skipped[];
}

const stopped = new AbortController();
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => stopped.abort());

const tally = await main(process.argv.slice(2)).catch(startFailed);
if (tally.skipped.length > 0) console.log(`skipped here: ${skippedLine(tally.skipped)}`);
if (stopped.signal.aborted) console.error('The run was stopped before its end.');
console.log(`${tally.passed} passed, ${tally.failed} failed`);
process.exitCode = tally.failed > 0 || stopped.signal.aborted ? 1 : 0;

/** If the servers do not start, prints the reason and a last line that cannot be mistaken for success. */
function startFailed(error: unknown): Tally {
  console.error(error);
  return { passed: 0, failed: 1, skipped: [] };
}

async function main(filters: readonly string[]): Promise<Tally> {
  const files = findTestFiles(filters);
  if (files.length === 0) {
    console.error(`No test file has ${filters.map((filter) => `"${filter}"`).join(' or ')} in its name.`);
    return { passed: 0, failed: 1, skipped: [] };
  }
  const programs = await buildPrograms('tests');
  const cluster = await startTestCluster();
  try {
    const redis = await startTestRedis();
    try {
      return await runAll(files, { programs, cluster, redis });
    } finally {
      await redis?.stop();
    }
  } finally {
    await cluster.stop();
  }
}

async function runAll(files: readonly TestFile[], servers: Servers): Promise<Tally> {
  const tally: Tally = { passed: 0, failed: 0, skipped: [] };
  const durations: Record<string, number> = {};
  const databases = prepareDatabases(servers.cluster);
  const work = async (queue: TestFile[]) => {
    const slot = runner(servers);
    for (let file = queue.shift(); file !== undefined && !stopped.signal.aborted; file = queue.shift()) {
      const result = await runOne(file, databases, slot.run);
      tally.passed += result.passed;
      tally.failed += result.failed;
      tally.skipped.push(...result.skipped);
      durations[file.name] = Math.round(result.durationMs);
      report(file, result);
    }
    slot.close();
  };
  const [waiting, busy] = lanesOf(files.filter(({ alone }) => !alone));
  await Promise.all([work(waiting), ...Array.from({ length: jobs() }, () => work(busy))]);
  await work(files.filter(({ alone }) => alone));
  await databases.end();
  rememberDurations(durations);
  return tally;
}

/** Returns the number of parallel processes: one more than there are cores, because files also wait. */
function jobs(): number {
  const wanted = Number(process.env.TEST_JOBS);
  return Number.isInteger(wanted) && wanted > 0 ? wanted : os.availableParallelism() + 1;
}

type Run = (file: TestFile, urls: DatabaseUrls) => Promise<FileResult>;

/** Files that mostly wait have a lane of their own beside those that compute, unless one process is requested. */
function lanesOf(files: readonly TestFile[]): [waiting: TestFile[], busy: TestFile[]] {
  if (jobs() === 1) return [[], [...files]];
  return [files.filter(({ waits }) => waits), files.filter(({ waits }) => !waits)];
}

async function runOne(file: TestFile, databases: PreparedDatabases, run: Run): Promise<FileResult> {
  const { urls, drop } = await databases.take();
  try {
    return await run(file, urls);
  } finally {
    drop();
  }
}

/** Runs files one after another, in one process until it is spent. */
function runner({ programs, redis }: Servers): { run: Run; close(): void } {
  const common = environmentOf(programs, redis);
  let shared: SharedProcess | undefined;
  return {
    run(file, { owner, app }) {
      const own = { DATABASE_URL: owner, DATABASE_APP_URL: app };
      if (file.ownProcess) return runTestFile(file, { ...common, ...own }, stopped.signal);
      if (shared === undefined || shared.isSpent()) shared = startSharedProcess(programs, common);
      return shared.run(file, own, stopped.signal);
    },
    close: () => shared?.close(),
  };
}

/** Returns the environment of test files: Redis if there is one, and no setting of the developer's own service. */
function environmentOf(programs: string, redis: TestRedis | undefined): NodeJS.ProcessEnv {
  const { REDIS_URL: _own, ...inherited } = process.env;
  return {
    ...inherited,
    NODE_ENV: 'test',
    FORCE_COLOR: '0',
    TEST_ASKED_FOR: process.argv.slice(2).join(' '),
    TEST_PROGRAMS: programs,
    ...(redis && { TEST_REDIS_URL: redis.url }),
  };
}

/** Returns one line, each reason once: `the queue on Redis; limits on Redis (needs redis-server …)`. */
function skippedLine(skipped: readonly Skipped[]): string {
  const reasons = [...new Set(skipped.map(({ why }) => why))];
  const of = (reason: string) => skipped.filter(({ why }) => why === reason).map(({ what }) => what);
  return reasons.map((reason) => `${of(reason).sort().join('; ')} (${reason})`).join('; ');
}

function report(file: TestFile, { passed, failed, skipped, trouble, durationMs, output }: FileResult): void {
  const seconds = `${(durationMs / 1000).toFixed(1)} s`;
  if (failed === 0) {
    const note = skipped.length > 0 ? `, skipped: ${skippedLine(skipped)}` : '';
    console.log(`ok    ${file.name}  ${passed} passed${note}  ${seconds}`);
    return;
  }
  console.log(`\n${output.trimEnd()}\n`);
  console.log(`FAIL  ${file.name}  ${passed} passed, ${failed} failed  ${seconds}${trouble ? `  (${trouble})` : ''}\n`);
}
