// Concurrent deliveries, and a delivery concurrent with a review.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { confirmed, monday, type Pupil, today } from '../workflow/draft-bodies.ts';
import { answered, useSessions } from './sessions.ts';

const test = suite('deliveries at once');
const { plans, deliver, told: reported, ledger, at } = useSessions(test);
const { app } = plans.shell;

let pupil: Pupil;
let assignmentId: string;
test.before(() => app.clock.set(monday));
test.before.each(async () => {
  pupil = await plans.pupil();
});

const times = <T>(count: number, work: (at: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, at) => work(at)));

async function counted(): Promise<number> {
  const { steps } = await plans.row(pupil, assignmentId);
  return steps.reduce((total, { deliveredSessions }) => total + deliveredSessions, 0);
}

test('eight sessions of one day at once: one row, counted once', async () => {
  assignmentId = await plans.given(pupil);
  const recorded = (await times(8, () => deliver(pupil))).flat();
  assert.equal([recorded.length, (await ledger(pupil)).length, await counted()], [1, 1, 1]);
});

test('one session recorded eight times at once, also for another day: one row, counted once', async () => {
  assignmentId = await plans.given(pupil, { startOn: '2026-01-04' });
  const source = { type: 'live', id: 'the same' } as const;
  const recorded = await times(8, (n) => deliver(pupil, { source, deliveredOn: n % 2 ? today : '2026-01-11' }));
  assert.equal([recorded.flat().length, (await ledger(pupil)).length, await counted()], [1, 1, 1]);
});

test('sessions of five days at once: none is lost, and each step gets its own', async () => {
  assignmentId = await plans.given(pupil, { startOn: '2026-01-04' });
  const recorded = await times(5, (n) => deliver(pupil, { deliveredOn: `2026-01-0${n + 4}` }));
  assert.equal(
    recorded
      .flat()
      .map(({ stepNo }) => stepNo)
      .sort(),
    [1, 1, 1, 1, 2],
  );
  const { steps, currentStepNo } = await plans.row(pupil, assignmentId);
  assert.equal([steps[0]?.deliveredSessions, steps[1]?.deliveredSessions, currentStepNo], [4, 1, 2]);
});

test('two sessions for the same class at once, students in opposite order: no deadlock', async () => {
  const others = [await plans.classmate(pupil), await plans.classmate(pupil)];
  for (const one of [pupil, ...others]) await plans.given(one);
  const recorded = await times(6, (n) => deliver(n % 2 ? [pupil, ...others] : [...others.toReversed(), pupil]));
  assert.is(recorded.flat().length, 3);
});

test('a session against a pause: the assignment has counted exactly the stored deliveries', async () => {
  assignmentId = await plans.given(pupil);
  const [recorded, paused] = await Promise.all([
    deliver(pupil),
    plans.review(pupil, { assignmentId, action: 'pause', reasonCode: 'School_Break' }),
  ]);
  assert.is(paused.status, 200);
  const row = await plans.row(pupil, assignmentId);
  assert.equal([row.state, row.trackStatus, row.pauses.length], ['paused', 'not_applicable', 1]);
  assert.equal([(await ledger(pupil)).length, await counted()], [recorded.length, recorded.length]);
});

test('the last session against a stop: one end, one event', async () => {
  assignmentId = await plans.given(pupil, { bundle_id: 'LSA-MONITOR-01', ...confirmed, startOn: '2026-01-04' });
  const bundle_id = 'LSA-MONITOR-01';
  for (const deliveredOn of ['2026-01-04', '2026-01-05']) await deliver(pupil, { bundle_id, deliveredOn });
  await Promise.all([
    deliver(pupil, { bundle_id, responses: answered(6, 0) }),
    plans.review(pupil, { assignmentId, action: 'stop', reasonCode: 'Need_Changed' }),
  ]);
  const { state } = await plans.row(pupil, assignmentId);
  assert.ok(['completed', 'stopped'].includes(state), state);
  const ends = (await reported(pupil)).filter((one) => one.startsWith('assignment.closed'));
  assert.equal(ends, [`assignment.closed ${state}${state === 'completed' ? ' goals_met' : ''}`.trim()]);
  assert.is((await ledger(pupil)).length, state === 'completed' ? 3 : 2);
  at(today);
});

test.run();
