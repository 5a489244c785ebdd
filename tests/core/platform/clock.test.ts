import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { systemClock } from '#core/platform/clock.ts';
import { ManualClock } from '../../harness/clock.ts';

/** An offset is cached for at most 100 ms; the rest is tolerance for a busy machine. */
const rereadMs = 130;
const toleranceMs = 50;

const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'clock-test-'));
const file = path.join(dir, 'offset');
test.before.each(() => fs.rmSync(file, { force: true }));
test.after(() => fs.rmSync(dir, { recursive: true }));

const offsetOf = (clock: { now(): Date }) => clock.now().getTime() - Date.now();
const isNear = (actual: number, expected: number) => assert.ok(Math.abs(actual - expected) <= toleranceMs, `${actual}`);
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test('without a file the clock is the machine’s', () => isNear(offsetOf(systemClock()), 0));

for (const [content, expectedMs] of [
  ['86400000', 86_400_000],
  ['-3600000\n', -3_600_000],
  ['', 0],
  ['soon', 0],
  ['NaN', 0],
  ['Infinity', 0],
  ['1e999', 0],
  ['99999999999999999999', 0],
  ['-99999999999999999999', 0],
  ['\0', 0],
  ['{"ms":1}', 0],
] as const) {
  test(`an offset file that holds ${JSON.stringify(content)} moves the clock by ${expectedMs} ms`, () => {
    fs.writeFileSync(file, content);
    isNear(offsetOf(systemClock(file)), expectedMs);
  });
}

test('a missing file is no offset', () => isNear(offsetOf(systemClock(file)), 0));

test('a folder instead of the file is no offset', () => isNear(offsetOf(systemClock(dir)), 0));

test('a new offset counts within 100 ms, and so does its removal', async () => {
  const clock = systemClock(file);
  isNear(offsetOf(clock), 0);
  fs.writeFileSync(file, '600000');
  await pause(rereadMs);
  isNear(offsetOf(clock), 600_000);
  fs.writeFileSync(file, '-600000');
  await pause(rereadMs);
  isNear(offsetOf(clock), -600_000);
  fs.rmSync(file);
  await pause(rereadMs);
  isNear(offsetOf(clock), 0);
});

test('the manual clock stands still until it is moved', () => {
  const clock = new ManualClock('2026-03-01T00:00:00.000Z');
  clock.advance(90_000);
  assert.is(clock.now().toISOString(), '2026-03-01T00:01:30.000Z');
  clock.set('2025-01-01T00:00:00.000Z');
  assert.is(clock.now().toISOString(), '2025-01-01T00:00:00.000Z');
});

test.run();
