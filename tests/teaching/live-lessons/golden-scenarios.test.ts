// The golden scenario of a light support action over HTTP (contract 52 §11): two lessons, then a live lesson whose answers meet
// the goal.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { daysAfter } from '#core/platform/pure/dates/days.ts';
import { signIn } from '../../harness/factories.ts';
import { sunday, useCounted } from '../../support/fidelity/counted.ts';
import { allRight, type Json, type Pupil } from '../../support/interventions/workflow/draft-bodies.ts';
import { buildBlueprint } from '../lesson-blueprints/rows.ts';
import { createAcceptedLesson, deliverLesson } from '../lessons/deliveries.ts';
import { answerTo, itemRefs } from './lesson.ts';

const { plans, told: reported, get } = useCounted(test);
const { app } = plans.shell;
const bundle_id = 'LSA-MONITOR-01';

/** All answers are right except one. */
async function teachLive(pupil: Pupil, sessionId: string): Promise<void> {
  const teacher = { token: await signIn(app, pupil.teacher) };
  const student = { token: await signIn(app, pupil) };
  const made = await app.post<Json>('/api/sync/sessions', { classId: pupil.classRow.id, sessionId }, teacher);
  assert.equal([made.status, made.body.bundle_id, made.body.stepNo], [201, bundle_id, 2]);
  const path = `/api/sync/sessions/${made.body.liveSessionId}`;
  await app.post('/api/sync/sessions/join', { joinCode: made.body.joinCode }, student);
  await app.post(`${path}/start`, {}, teacher);
  for (const itemRef of itemRefs) {
    await app.post(`${path}/control`, { action: 'goto', itemRef }, teacher);
    const responses = [answerTo(itemRef, itemRef !== 'item-3')];
    assert.is((await app.post(`${path}/responses`, { responses }, student)).status, 201);
  }
  assert.is((await app.post(`${path}/control`, { action: 'end' }, teacher)).status, 200);
}

test('G-06: monitored in class, delivered twice on paper and once live: the goal is met and the action is done', async () => {
  const pupil = await plans.pupil({ ...allRight, LK_SOUND: 'CCCCUU' });
  const { body } = await get(pupil, `/api/students/${pupil.id}/bundle-recommendation`);
  assert.is(body.recommended_bundle_id, bundle_id);
  const id = await plans.given(pupil, { bundle_id, startOn: daysAfter(sunday, -7) });
  const plan = async () => (await get(pupil, `/api/bundle-assignments/${id}`)).body;
  const { scaffoldTier } = await plan();
  const blueprint = (stepNo: number, sessionRole: string) =>
    buildBlueprint(app.database.owner, {
      ...{ bundle_id, stepNo, sessionRole, anchorSkillGroup: 'LK_SOUNDS', targetSubSkillCodes: ['LK_SOUND'] },
    });
  const practice = { blueprintId: await blueprint(1, 'GUIDED_PRACTICE') };
  for (const day of [-6, -4]) await deliverLesson(app, pupil, practice, daysAfter(sunday, day));
  assert.is((await plan()).currentStepNo, 2);

  const checked = { blueprintId: await blueprint(2, 'PROGRESS_CHECK') };
  await teachLive(pupil, await createAcceptedLesson(app, pupil, checked));
  const after = await plan();
  const [, goal] = after.steps as [Json, Json];
  assert.equal(
    [goal.deliveredSessions, goal.scored, goal.correct, goal.rate, goal.goalState],
    [1, 6, 5, 0.8333, 'met'],
  );
  assert.equal([after.state, after.completionResult, after.scaffoldTier], ['completed', 'goals_met', scaffoldTier]);
  const events = (await reported(pupil)).filter((one) => one.startsWith('bundle.'));
  assert.equal(events, ['bundle.step_goal_met 2', 'bundle.completed']);
});

test.run();
