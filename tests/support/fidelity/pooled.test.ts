// Deliveries of students against their planned sessions, over all assignments since the tier began, with a number of statements
// that does not depend on the number of students.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inContext } from '#core/platform/db.ts';
import { daysAfter } from '#core/platform/pure/dates/days.ts';
import { pooledOf } from '#support/fidelity/index.ts';
import { sentStatements } from '../../harness/statements/sent-statements.ts';
import { confirmed, monday, type Pupil } from '../interventions/workflow/draft-bodies.ts';
import { numbers, sunday, useCounted } from './counted.ts';

const test = suite('pooled delivery');
const { plans, deliver, weekly, at } = useCounted(test);
const { app, services } = plans.shell;
const { owner } = app.database;

const start = daysAfter(sunday, -28);
let pupil: Pupil;
test.before(() => app.clock.set(monday));
test.before.each(async () => {
  pupil = await plans.pupil();
});

const pooled = (students: readonly (readonly [Pupil, string | null])[]) =>
  inContext(services.db, { organizationId: pupil.organizationId }, (trx) =>
    pooledOf(trx, services, {
      organizationId: pupil.organizationId,
      students: students.map(([{ id }, tierSince]) => ({ studentId: id, tierSince })),
      now: app.clock.now(),
    }),
  );

async function summary(tierSince: string | null, one = pupil): Promise<readonly unknown[]> {
  const found = (await pooled([[one, tierSince]])).get(one.id);
  assert.ok(found);
  return [...numbers({ ...found }), found.deliveredWeeks];
}

const enrolledOn = (one: Pupil, enrolledFrom: string) =>
  inContext(owner, { organizationId: one.organizationId }, async (trx) => {
    await trx('enrollment').where({ studentId: one.id }).update({ enrolledFrom });
  });

test('without an assignment nothing is counted', async () => {
  assert.equal(await summary(null), [0, 0, null, 'not_applicable', 0]);
});

test('weeks from the week of the move on; without a move from that of the first enrollment', async () => {
  await plans.given(pupil, { startOn: start });
  await weekly(pupil, start, [0, 3, 3, 2]);
  await enrolledOn(pupil, '2025-09-01');
  assert.equal(await summary(null), [12, 8, 0.6667, 'fail', 3]);
  // A Wednesday of the second week.
  assert.equal(await summary('2025-12-24'), [9, 8, 0.8889, 'pass', 3]);
  await enrolledOn(pupil, '2025-12-24');
  assert.equal(await summary(null), [9, 8, 0.8889, 'pass', 3]);
  assert.equal(await summary('2026-01-11'), [0, 0, null, 'not_applicable', 0]);
});

test('assignments are added up, ended ones too; those without a gate are left out', async () => {
  await enrolledOn(pupil, '2025-09-01');
  const first = await plans.given(pupil, { startOn: start });
  const support = { bundle_id: 'SUP-DECODE-01', startOn: start, ...confirmed };
  await plans.given(pupil, support);
  await weekly(pupil, start, [3, 3, 3, 3]);
  const row = await plans.row(pupil, first);
  assert.equal(await summary(null), [24, 12, 0.5, 'fail', 4]);
  for (let week = 0; week < 4; week += 1) {
    for (let day = 0; day < 2; day += 1) {
      await deliver(pupil, { bundle_id: 'SUP-DECODE-01', deliveredOn: daysAfter(start, week * 7 + day) });
    }
  }
  assert.equal(await summary(null), [24, 20, 0.8333, 'pass', 4]);
  await plans.review(pupil, { assignmentId: row.id, action: 'stop', reasonCode: 'Need_Changed' });
  assert.equal(await summary(null), [24, 20, 0.8333, 'pass', 4]);
  await owner.raw("select set_config('session_replication_role', 'replica', false)");
  await plans.change(pupil, first, { objectType: 'LIGHT_SUPPORT_ACTION' });
  await owner.raw("select set_config('session_replication_role', 'origin', false)");
  assert.equal(await summary(null), [12, 8, 0.6667, 'fail', 4]);
});

test('the newest twelve weeks in which something was planned', async () => {
  at('2025-10-06');
  pupil = await plans.pupil();
  await enrolledOn(pupil, '2025-09-01');
  const id = await plans.given(pupil, { startOn: '2025-10-05' });
  await plans.change(pupil, id, { plannedWeeks: 20 });
  await weekly(pupil, '2025-10-05', [0, 3, 0, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3]);
  // It had ended with the last step, after 32 sessions.
  const open = { state: 'active', endedOn: null, completionResult: null, currentStepNo: 1 };
  await plans.change(pupil, id, open);
  at('2026-01-04');
  assert.equal(
    (await summary(null)).slice(0, 4),
    [36, 32, 0.8889, 'pass'],
    'thirteen weeks are over, the first is left out',
  );
  at('2026-01-11');
  assert.equal((await summary(null)).slice(0, 4), [36, 29, 0.8056, 'pass']);
});

test('of one student and of five the same number of statements', async () => {
  const others: Pupil[] = [];
  for (let count = 0; count < 4; count += 1) others.push(await plans.classmate(pupil));
  for (const one of [pupil, ...others]) await plans.given(one, { startOn: start });
  const counted = (students: readonly Pupil[]) =>
    sentStatements(app.database.app, async () => {
      assert.is((await pooled(students.map((one) => [one, null]))).size, students.length);
    });
  await counted([pupil]);
  assert.is((await counted([pupil])).length, (await counted([pupil, ...others])).length);
});

test.run();
