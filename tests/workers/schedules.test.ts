// Schedules: due by the Clock, run by one process, and a clock that jumps makes due what it jumped over.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Schedule } from '../../src/jobs.ts';
import type { Queues } from '../../src/platform/queue.ts';
import { runDueSchedules } from '../../workers/schedules.ts';
import { useApp } from '../support/http.ts';

const test = suite('schedules');
const app = useApp(test);
const noQueues: Queues = {
  add: async () => {},
  work: () => ({ close: async () => {} }),
  ping: async () => {},
  close: async () => {},
};

function counting(name: string, everyMs: number): Schedule & { runs: number } {
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

const tick = (schedule: Schedule) => runDueSchedules(app.services, noQueues, [schedule]);

test('runs at once, then only when its time has passed', async () => {
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

test('a clock that went back does not stop it for ever', async () => {
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

test.run();
