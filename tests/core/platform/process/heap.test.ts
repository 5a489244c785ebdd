// own process: it changes how V8 collects garbage, and measures its heap.
// Garbage is collected when the old heap has doubled: memory depends on what a step keeps, not on what it drops.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { collectEarly } from '#core/platform/process/heap.ts';

const test = suite('heap');
const kept = 400_000;
const dropped = 16 * kept;

const row = (at: number) => ({ at, name: `row ${at}`, next: [at + 1, at + 2] });

/** Returns the most bytes in use while a fixed number of rows at a time becomes garbage of the old heap. */
function mostBytes(): number {
  const rows = Array.from({ length: kept }, (_, at) => row(at));
  let most = 0;
  for (let at = 0; at < dropped; at += 1) {
    rows[at % kept] = row(at);
    if (at % 10_000 === 0) most = Math.max(most, process.memoryUsage().heapUsed);
  }
  assert.is(rows.length, kept);
  return most;
}

test('an old heap with much garbage stays near the size of what is alive', () => {
  const late = mostBytes();
  collectEarly();
  mostBytes();
  const early = mostBytes();
  assert.ok(early < 0.75 * late, `${early} bytes, ${late} by V8's own measure`);
});

test.run();
