// 60 §1: growth in a lesson as it is taught, from the children's answers over HTTP to their ledgers: the live session is the
// session, the first answers of each child decide, and who was not there gets nothing.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { lockSupport } from '../../../src/interventions/index.ts';
import { inContext } from '../../../src/platform/db.ts';
import { openPlan } from '../../interventions/plans.ts';
import { answerTo, itemRefs, lessonsOf, monday, type Person } from '../../live-sessions/lesson.ts';
import { useSettled } from '../settled.ts';

const world = useSettled(test);
const { app } = world;
const { owner } = app.database;
const { lesson } = lessonsOf(app);

/** One step, whose goal six answers of the session can meet. */
const step = {
  ...{ stepNo: 1, sessionRole: 'PROGRESS_CHECK', plannedSessions: 1, goal: { minScored: 6, minRate: 0.8 } },
  ...{ goalState: 'pending', deliveredSessions: 0, scored: 0, correct: 0, rate: null },
};

test('a goal met in a live session, and with it the plan; less support where nearly all was right', async () => {
  app.clock.set(monday);
  const at = await lesson({ students: 4, prepared: true, joined: 3 });
  const { organizationId, classRow } = at;
  const plans = new Map<number, string>();
  for (const student of at.students) {
    await inContext(owner, { organizationId }, (trx) => lockSupport(trx, organizationId, [student.id]));
    const place = { ...student, organizationId, classRow };
    plans.set(student.id, await openPlan(owner, place, 'BND-DECODE-01', { steps: JSON.stringify([step]) }));
  }
  const [all, most, few, absent] = at.students as [Person, Person, Person, Person];
  const right = new Map([
    [all, 6],
    [most, 5],
    [few, 3],
  ]);
  for (const [place, itemRef] of itemRefs.entries()) {
    if (place > 0) assert.is((await at.control('next')).status, 200);
    for (const [student, count] of right) {
      const { status } = await at.answer(student, answerTo(itemRef, place < count));
      assert.ok(status < 300, `${itemRef}: ${status}`);
    }
  }
  app.clock.advance(20 * 60_000);
  const endedAt = app.clock.now().toISOString();
  assert.is((await at.control('end')).status, 200);
  await world.settle(app.services);

  const of = (student: Person, kind: string, further: string, reached: string | null) => {
    const plan = plans.get(student.id);
    return [kind, `${plan}${further}`, 'bundle_assignment', plan, `live:${at.liveId}`, reached];
  };
  assert.equal(await world.minted(all), [
    of(all, 'bundle_step_goal_met', ':1', null),
    of(all, 'scaffold_tier_step_up', ':Level_3:Level_2', 'Level_2'),
    of(all, 'bundle_completion', '', null),
  ]);
  assert.equal(await world.minted(most), [
    of(most, 'bundle_step_goal_met', ':1', null),
    of(most, 'bundle_completion', '', null),
  ]);
  for (const student of [few, absent]) assert.equal(await world.minted(student), []);
  for (const event of await world.events(all)) assert.is(event.occurredAt, endedAt);
});

test.run();
