// timeout: 120s
// Explains growth in assignments: the assignment, the delivery behind it, and the XP cap of one session.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { answered, useSessions } from '../../../support/interventions/deliveries/sessions.ts';
import { confirmed } from '../../../support/interventions/workflow/draft-bodies.ts';
import { evaluatorOf } from '../grown.ts';
import { explainsOf } from './explained.ts';

const test = suite('explain growth in assignments');
const { plans, deliver, at } = useSessions(test);
const { app, services } = plans.shell;
const explain = explainsOf(app);
const { relay, source } = evaluatorOf(services);

const bundle_id = 'LSA-MONITOR-01';

test('a goal of a step, less support and a completed assignment, by one session', async () => {
  const pupil = await plans.pupil();
  const assignmentId = await plans.given(pupil, { bundle_id, scaffoldTier: 'Level_2', ...confirmed });
  for (const day of ['2026-01-12', '2026-01-13']) {
    at(day);
    await deliver(pupil, { bundle_id });
  }
  at('2026-01-18');
  await deliver(pupil, { bundle_id, responses: answered(9, 1), source: { type: 'live', id: 'last' } });
  await source(await relay());
  const all = await explain.all(pupil);
  assert.equal(
    all.map(({ result }) => [result.sourceKind, result.naturalKey]),
    [
      ['bundle_step_goal_met', `${assignmentId}:2`],
      ['scaffold_tier_step_up', `${assignmentId}:Level_2:Level_1`],
      ['bundle_completion', assignmentId],
    ],
  );
  const stampId = `assignment:${assignmentId}`;
  for (const { from } of all) {
    assert.equal(from.source, { type: 'bundle_assignment', id: assignmentId, stampId });
    assert.equal(from.evidence, { sessionKey: 'live:last', storedAt: '2026-01-18T08:00:00.000Z' });
  }
  assert.equal(
    all.map(({ from }) => from.compared?.value ?? null),
    [null, 'Level_2', null],
  );
  assert.equal(
    all.map(({ award }) => [award.xp.creditedBefore, award.xp.credited]),
    [
      [0, 15],
      [15, 25],
      [40, 60],
    ],
  );
  assert.is((await explain.ask(stampId)).status, 200);
});

test('an assignment that a person completed, without a session; and one whose result was altered', async () => {
  const pupil = await plans.pupil();
  const assignmentId = await plans.given(pupil);
  const { steps } = await plans.row(pupil, assignmentId);
  const met = steps.map((step) => ({ ...step, goalState: step.goal === null ? 'none' : 'met' }));
  await plans.change(pupil, assignmentId, { steps: JSON.stringify(met) });
  const { status, body } = await plans.review(pupil, { assignmentId, action: 'complete' });
  assert.is(status, 200, JSON.stringify(body));
  await source(await relay());
  const [only, ...more] = await explain.all(pupil);
  assert.equal([only?.result.sourceKind, only?.award.xp.credited, more], ['bundle_completion', 60, []]);
  assert.is(only?.from.evidence.sessionKey, `assignment:${assignmentId}`);
  await plans.change(pupil, assignmentId, { completionResult: 'goals_not_met' });
  const { checks, matchesStored } = await explain.mastery(only?.stampId.split(':')[1]);
  assert.equal([checks[1], matchesStored], [{ check: 'growth', outcome: 'none' }, false]);
});

test.run();
