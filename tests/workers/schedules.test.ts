// Schedules: due by the Clock, started by one process, each failing alone; a clock that is set forward makes due what it
// skipped.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Schedule } from '#core/module/jobs.ts';
import { scheduler } from '../../workers/schedules.ts';
import { useApp } from '../harness/http.ts';
import { capturedLog, noQueues } from './support.ts';

const test = suite('schedules');
const app = useApp(test);

interface Counting extends Schedule {
  runs: number;
}

function counting(name: string, everyMs: number): Counting {
  const schedule = {
    name,
    everyMs,
    runs: 0,
    run: async () => {
      schedule.runs += 1;
    },
  };
  return schedule;
}

const failing = (name: string): Schedule => ({
  name,
  everyMs: 1_000,
  run: () => Promise.reject(new Error('out of order')),
});

const { log, lines } = capturedLog();
const processOf = (...schedules: Schedule[]) => scheduler({ services: app.services, queues: noQueues, log, schedules });

async function tick(...schedules: Schedule[]): Promise<void> {
  const one = processOf(...schedules);
  await one.tick();
  await one.stop();
}

test('runs at once, then only when its period has passed', async () => {
  const hourly = counting('test-hourly', 3_600_000);
  await tick(hourly);
  assert.is(hourly.runs, 1);
  app.clock.advance(3_599_999);
  await tick(hourly);
  assert.is(hourly.runs, 1);
  app.clock.advance(1);
  await tick(hourly);
  assert.is(hourly.runs, 2);
});

test('a jump over three periods makes it due once', async () => {
  const hourly = counting('test-jump', 3_600_000);
  await tick(hourly);
  app.clock.advance(3 * 3_600_000);
  await tick(hourly);
  await tick(hourly);
  assert.is(hourly.runs, 2);
});

test('a clock that was set back does not stop it for ever', async () => {
  const hourly = counting('test-back', 3_600_000);
  await tick(hourly);
  app.clock.advance(-7_200_000);
  await tick(hourly);
  assert.is(hourly.runs, 2);
});

test('twenty processes at once: one runs it', async () => {
  const hourly = counting('test-shared', 3_600_000);
  await Promise.all(Array.from({ length: 20 }, () => tick(hourly)));
  assert.is(hourly.runs, 1);
  app.clock.advance(3_600_000);
  await Promise.all(Array.from({ length: 20 }, () => tick(hourly)));
  assert.is(hourly.runs, 2);
});

test('one that throws, at once or later, stops no other; it is logged by name and counted', async () => {
  const thrower: Schedule = {
    ...failing('test-throws'),
    run: () => {
      throw new Error('at once');
    },
  };
  const before = counting('test-before', 1_000);
  const after = counting('test-after', 1_000);
  for (let round = 1; round <= 3; round += 1) {
    await tick(before, failing('test-fails'), thrower, after);
    assert.equal([before.runs, after.runs], [round, round]);
    app.clock.advance(1_000);
  }
  const logged = lines.filter(({ msg }) => msg === 'schedule failed').map(({ schedule }) => schedule);
  assert.equal(logged.sort(), [...Array(3).fill('test-fails'), ...Array(3).fill('test-throws')]);
  assert.match(
    await app.services.metrics.registry.metrics(),
    'background_failures_total{kind="schedule",name="test-fails"} 3',
  );
});

test('a long one delays no other, and does not start twice at a time', async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let started = 0;
  const slow: Schedule = {
    name: 'test-slow',
    everyMs: 1_000,
    run: () => {
      started += 1;
      return held;
    },
  };
  const quick = counting('test-quick', 1_000);
  const one = processOf(slow, quick);
  for (let round = 1; round <= 4; round += 1) {
    await one.tick();
    await new Promise(setImmediate);
    app.clock.advance(1_000);
  }
  release();
  await one.stop();
  assert.equal([started, quick.runs], [1, 4]);
});

test('due schedules are claimed in one statement, which takes no row lock if nothing is due', async () => {
  const many = Array.from({ length: 12 }, (_, index) => counting(`test-many-${index}`, 3_600_000));
  await tick(...many);
  let statements = 0;
  const count = ({ sql }: { sql: string }) => {
    if (sql.includes('schedule')) statements += 1;
  };
  app.services.db.on('query', count);
  const one = scheduler({ services: app.services, queues: noQueues, log, schedules: many });
  await one.tick();
  app.services.db.off('query', count);
  await one.stop();
  assert.is(statements, 1);
  assert.ok(many.every(({ runs }) => runs === 1));
});

test.run();
