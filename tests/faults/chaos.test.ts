// timeout: 2400s
// Kills the API, the worker, PostgreSQL and Redis with SIGKILL at random moments under load. Nothing that was
// acknowledged may be lost or doubled. The normal run kills each part twice, `npm test -- chaos` 25 times.
import { spawnSync } from 'node:child_process';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { randomStream } from '#app/demo/engine/random.ts';
import type { Db } from '#core/platform/db.ts';
import { schoolYearOfToday } from '../harness/clock.ts';
import { connect } from '../harness/database.ts';
import { buildClass, buildStudent, password, passwordHash } from '../harness/factories.ts';
import { needsRedis, skipped } from '../harness/needs.ts';
import { assertNothingLostOrDoubled, settled } from './chaos/ledger.ts';
import { type Part, type Programs, startPrograms } from './chaos/programs.ts';
import { type Acknowledged, takeDiagnostics } from './chaos/student.ts';
import { eventually } from './world.ts';

const isAskedFor = (process.env.TEST_ASKED_FOR ?? '').split(' ').includes('chaos');
const killsOfEach = isAskedFor ? 25 : 2;
const devices = 6;
const timeoutMs = 120_000;
const calmMs = { least: 150, most: 900 };
const hasRedis = spawnSync('redis-server', ['--version']).status === 0;

const test = suite('chaos');
if (!hasRedis) skipped('kills of Redis', needsRedis);

test(`${killsOfEach} kills of each part under load: 0 lost, 0 doubled`, async () => {
  const programs = await startPrograms(hasRedis);
  try {
    const acknowledged: Acknowledged = { finished: new Set(), answered: new Map() };
    await killUnderLoad(programs, acknowledged);
    await withOwner(programs, async (owner) => {
      await settled(owner);
      await assertNothingLostOrDoubled(owner, acknowledged);
    });
    assert.ok(
      acknowledged.answered.size >= programs.parts.length * killsOfEach,
      `${acknowledged.answered.size} answers`,
    );
    assert.ok(enough(acknowledged), `${acknowledged.finished.size} sessions were finished`);
  } finally {
    await programs.stop();
  }
});

/**
 * The load lasts until all kills are done and every device has finished a session. A failure of either side ends the
 * other.
 */
async function killUnderLoad(programs: Programs, acknowledged: Acknowledged): Promise<void> {
  let over = false;
  const isOver = () => over;
  const end = () => {
    over = true;
  };
  const load = Array.from({ length: devices }, () => useDevice(programs, acknowledged, isOver).catch(endWith(end)));
  const kills = killAll(programs, isOver)
    .then(() =>
      eventually('every device has finished a session', timeoutMs, async () => isOver() || enough(acknowledged)),
    )
    .finally(end);
  const outcomes = await Promise.allSettled([kills, ...load]);
  const failure = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failure) throw failure.reason;
}

const enough = ({ finished }: Acknowledged): boolean => finished.size >= devices;

const endWith = (end: () => void) => (error: unknown) => {
  end();
  throw error;
};

/** Simulates a device in a classroom, on which one student after the other takes the diagnostics. */
async function useDevice(programs: Programs, acknowledged: Acknowledged, over: () => boolean): Promise<void> {
  while (!over()) {
    const email = await newStudent(programs);
    await takeDiagnostics({ address: programs.address, email, password, acknowledged, over });
  }
}

/** Inserts the rows directly and retries while the database is down. */
async function newStudent(programs: Programs): Promise<string> {
  for (;;) {
    try {
      return await withOwner(programs, async (owner) => {
        const classRow = await buildClass(owner, { grade: 2, academicYear: schoolYearOfToday() });
        const email = `${crypto.randomUUID()}@example.org`;
        await buildStudent(owner, classRow, { email, passwordHash: await passwordHash() });
        return email;
      });
    } catch {
      await pause(200);
    }
  }
}

async function killAll(programs: Programs, over: () => boolean): Promise<void> {
  const seed = process.env.CHAOS_SEED ?? String(Date.now());
  process.stdout.write(`CHAOS_SEED=${seed}\n`);
  const random = randomStream(`chaos/${seed}`);
  const kills: Part[] = programs.parts.flatMap((part) => Array<Part>(killsOfEach).fill(part));
  while (kills.length > 0 && !over()) {
    await pause(calmMs.least + random.next() * (calmMs.most - calmMs.least));
    const [part] = kills.splice(Math.floor(random.next() * kills.length), 1);
    if (part) await programs.kill(part);
  }
}

async function withOwner<T>(programs: Programs, work: (owner: Db) => Promise<T>): Promise<T> {
  const owner = connect(programs.databaseUrl(), { poolSize: 1, asOwner: true });
  try {
    return await work(owner);
  } finally {
    await owner.destroy();
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test.run();
