// Limits counted in memory: how many requests are admitted when several processes share a window, the queries of the store, and
// outages of the store.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { CountedWindows } from '#core/platform/limits/counted-windows.ts';
import { type AddPoints, onPostgres } from '#core/platform/limits/stores.ts';
import { useDatabase } from '../../../harness/database.ts';

const { app: db } = useDatabase(test);
const minuteMs = 60_000;
let windows = 0;

/** A store for each test, which counts its calls. */
function store(windowMs = minuteMs) {
  windows += 1;
  const add = onPostgres(db, { prefix: `test-${windows}`, windowMs });
  const asked: number[] = [];
  const counting: AddPoints = (points) => {
    asked.push(points.size);
    return add(points);
  };
  return { add: counting, asked };
}

const processOn = (add: AddPoints, points: number) => new CountedWindows({ points, add, onDown: () => {} });

const admitted = (refusals: readonly (number | undefined)[]) => refusals.filter((one) => one === undefined).length;

test('one process admits exactly the points of a window, at once or one after the other', async () => {
  const { add } = store();
  const one = processOn(add, 600);
  const first = await Promise.all(Array.from({ length: 400 }, () => one.take('user', false)));
  assert.is(admitted(first), 400);
  const then: (number | undefined)[] = [];
  for (let time = 0; time < 300; time++) then.push(await one.take('user', false));
  assert.is(admitted(then), 200);
  const [last = 0] = then.slice(-1);
  assert.ok(last > 0 && last <= minuteMs, `${last} ms to wait`);
});

test('four processes together admit at most one in a hundred too many, and none too few', async () => {
  const { add } = store();
  const processes = Array.from({ length: 4 }, () => processOn(add, 600));
  let inside = 0;
  for (let round = 0; round < 250; round++)
    inside += admitted(await Promise.all(processes.map((one) => one.take('user', false))));
  assert.ok(inside >= 600 && inside <= 606, `${inside} came in`);
});

test('where the share of a window is less than one point, and where secrets are guessed, every point is exact', async () => {
  for (const [points, exact] of [
    [6, false],
    [600, true],
  ] as const) {
    const { add } = store();
    const processes = [processOn(add, points), processOn(add, points)];
    const takes = Array.from({ length: points + 20 }, (_, at) => processes[at % 2]?.take('user', exact));
    assert.is(admitted(await Promise.all(takes)), points);
  }
});

test('many users are settled in one call, after the requests', async () => {
  const { add, asked } = store();
  const one = processOn(add, 600);
  await Promise.all(Array.from({ length: 200 }, (_, user) => one.take(`user ${user}`, false)));
  assert.equal(asked, [], 'no user has waited');
  await new Promise((resolve) => setTimeout(resolve, 200));
  assert.equal(asked, [200]);
});

test('a full window is refused without a call, and a new one begins when it ends', async () => {
  const { add, asked } = store(300);
  const one = processOn(add, 3);
  for (let time = 0; time < 3; time++) assert.is(await one.take('user', false), undefined);
  const questions = asked.length;
  assert.is.not(await one.take('user', false), undefined);
  assert.is(asked.length, questions);
  await new Promise((resolve) => setTimeout(resolve, 350));
  assert.is(await one.take('user', false), undefined);
});

test('while the store is down reads go on and exact points fail; afterwards both work as before', async () => {
  const { add } = store();
  let isAway = true;
  const wavering: AddPoints = (points) => (isAway ? Promise.reject(new Error('away')) : add(points));
  const one = processOn(wavering, 3);
  const failed = await one.take('user', true).catch((error: Error) => error.message);
  assert.is(failed, 'away');
  const reads = await Promise.all(Array.from({ length: 20 }, () => one.take('user', false)));
  assert.is(admitted(reads), 20);
  isAway = false;
  const refusals = await Promise.all(Array.from({ length: 5 }, () => one.take('user', true)));
  assert.is(admitted(refusals), 3);
});

test('the last points are settled at the end', async () => {
  const { add } = store();
  const one = processOn(add, 300);
  await one.take('user', false);
  await one.close();
  const other = processOn(add, 300);
  const refusals = await Promise.all(Array.from({ length: 300 }, () => other.take('user', true)));
  assert.is(admitted(refusals), 299);
});

test.run();
