// The golden scenarios of delivery over HTTP (contract 52 §11), their sessions through the door of deliveries.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { daysAfter } from '../../src/platform/pure/dates/days.ts';
import { monday, type Pupil } from '../interventions/workflow/plans.ts';
import { numbers, sunday, useCounted } from './counted.ts';

const test = suite('golden scenarios of delivery');
const { plans, deliver, told, check, recompute, weekly } = useCounted(test);
const { app } = plans.shell;

const start = daysAfter(sunday, -28);
let pupil: Pupil;
test.before(() => app.clock.set(monday));
test.before.each(async () => {
  pupil = await plans.pupil();
});

const suggestions = async () => (await told(pupil)).filter((one) => one.startsWith('plan.'));

test('G-07: a plan of four weeks without a session, and one today', async () => {
  const id = await plans.given(pupil, { startOn: start });
  const counted = await recompute(pupil, id);
  assert.is(counted.status, 200);
  assert.equal([...numbers(counted.body), counted.body.trackStatus], [12, 0, 0, 'fail', 'off_track']);
  assert.equal((await suggestions()).sort(), [
    'plan.modification_suggested low_fidelity',
    'plan.modification_suggested off_track_no_delivery',
  ]);
  assert.is((await deliver(pupil)).length, 1);
  const after = await check(pupil, id);
  assert.equal([after.trackStatus, after.delivered, after.credited], ['behind', 0, 0]);
  assert.is((await suggestions()).length, 2);
});

for (const [counts, expected] of [
  [
    [3, 3, 4, 0],
    [12, 10, 0.8333, 'pass'],
  ],
  [
    [3, 3, 3, 0],
    [12, 9, 0.75, 'fail'],
  ],
  [
    [3, 5, 3, 0],
    [12, 10, 0.8333, 'pass'],
  ],
] as const) {
  test(`G-08: ${counts.join(', ')} sessions in four weeks`, async () => {
    const id = await plans.given(pupil, { startOn: start });
    await weekly(pupil, start, counts);
    assert.equal(numbers(await check(pupil, id)), expected);
  });
}

test.run();
