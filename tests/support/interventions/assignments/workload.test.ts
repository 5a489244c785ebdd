// The weekly workload of a class by its assignments.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { signIn } from '../../../harness/factories.ts';
import { buildBlueprint } from '../../../teaching/lesson-blueprints/rows.ts';
import { confirmed, type Json, monday, type Pupil, usePlans } from '../workflow/draft-bodies.ts';

const test = suite('workload of a class');
const plans = usePlans(test);
const { app } = plans.shell;

let pupil: Pupil;
test.before(() => app.clock.set(monday));
test.before.each(async () => {
  pupil = await plans.pupil();
});

const workload = async ({ classRow, teacher }: Pupil) =>
  app.get<Json>(`/api/classes/${classRow.id}/workload`, { token: await signIn(app, teacher) });

test('a group is counted once, each way of giving a bundle is a group of its own; what is ended takes nothing', async () => {
  const others = [await plans.classmate(pupil), await plans.classmate(pupil)];
  await plans.given(pupil);
  for (const one of others) await plans.given(one);
  const digital = { bundle_id: 'SUP-COMP-01', ...confirmed };
  await plans.given(pupil, { ...digital, deliveryMode: 'digital_self_paced', startOn: '2026-01-20' });
  const blended = await plans.given(others[0] as Pupil, { ...digital, deliveryMode: 'blended' });
  const over = await plans.given(others[1] as Pupil, { bundle_id: 'SUP-PHON-01', ...confirmed });
  await plans.review(pupil, { assignmentId: blended, action: 'pause', reasonCode: 'School_Break' });
  await plans.review(pupil, { assignmentId: over, action: 'stop', reasonCode: 'Need_Changed' });
  const { status, body } = await workload(pupil);
  assert.is(status, 200);
  assert.equal(body, {
    classId: pupil.classRow.id,
    ...{ instructionalMinutesPerWeek: 150, plannedMinutesPerWeek: 270 },
    groups: [
      { bundle_id: 'BND-DECODE-01', deliveryMode: 'teacher_led_small_group', students: 3, minutesPerWeek: 90 },
      { bundle_id: 'SUP-COMP-01', deliveryMode: 'blended', students: 1, minutesPerWeek: 90 },
      { bundle_id: 'SUP-COMP-01', deliveryMode: 'digital_self_paced', students: 1, minutesPerWeek: 90 },
    ],
    ...{ overBy: 120, asOf: monday },
  });
});

test('a session takes as long as those that are prepared for the bundle and the grade', async () => {
  await plans.given(pupil);
  const { owner } = app.database;
  const before = await workload(pupil);
  const { grade } = await owner('class').where({ id: pupil.classRow.id }).first('grade');
  for (const durationMinutes of [20, 25]) await buildBlueprint(owner, { grade, durationMinutes });
  await buildBlueprint(owner, { grade: (grade % 2) + 1, durationMinutes: 45 });
  const minutes = ({ body }: { body: Json }) => (body.groups as { minutesPerWeek: number }[])[0]?.minutesPerWeek;
  assert.equal([minutes(before), minutes(await workload(pupil))], [3 * 30, 3 * 23]);
});

test('a class without assignments, or without students, has no workload', async () => {
  const { body } = await workload(pupil);
  assert.equal(
    [body.plannedMinutesPerWeek, body.groups, body.overBy, body.instructionalMinutesPerWeek],
    [0, [], 0, 150],
  );
  const admin = await plans.admin(pupil);
  const { classRow } = pupil;
  await app.delete(`/api/classes/${classRow.id}/students/${pupil.id}`, { token: admin });
  assert.equal((await workload(pupil)).body.groups, []);
});

test.run();
