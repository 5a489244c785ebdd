// The golden scenarios of delivery over HTTP (contract 52 §11), with sessions from a blueprint.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { daysAfter } from '#core/platform/pure/dates/days.ts';
import { buildBlueprint } from '../../teaching/lesson-blueprints/rows.ts';
import { deliverLesson } from '../../teaching/lessons/deliveries.ts';
import { monday, type Pupil, today } from '../interventions/workflow/draft-bodies.ts';
import { numbers, sunday, useCounted } from './counted.ts';

const test = suite('golden scenarios of delivery');
const { plans, told: reported, check, recompute } = useCounted(test);
const { app } = plans.shell;

const start = daysAfter(sunday, -28);
let blueprintId: string;
let pupil: Pupil;
test.before(async () => {
  app.clock.set(monday);
  blueprintId = await buildBlueprint(app.database.owner);
});
test.before.each(async () => {
  pupil = await plans.pupil();
});

const suggestions = async () => (await reported(pupil)).filter((one) => one.startsWith('plan.'));
const give = (deliveredOn: string) => deliverLesson(app, pupil, { blueprintId }, deliveredOn);

test('G-07: an assignment of four weeks without a session, and one today', async () => {
  const id = await plans.given(pupil, { startOn: start });
  const counted = await recompute(pupil, id);
  assert.is(counted.status, 200);
  assert.equal([...numbers(counted.body), counted.body.trackStatus], [12, 0, 0, 'fail', 'off_track']);
  assert.equal((await suggestions()).sort(), [
    'plan.modification_suggested low_fidelity',
    'plan.modification_suggested off_track_no_delivery',
  ]);
  await give(today);
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
    for (const [week, count] of counts.entries()) {
      for (let day = 0; day < count; day += 1) await give(daysAfter(start, week * 7 + day));
    }
    assert.equal(numbers(await check(pupil, id)), expected);
  });
}

test.run();
