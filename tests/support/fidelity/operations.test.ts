// Responses about one assignment and one student (contract 51 §5.2); a count is stored only when it differs.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inContext } from '#core/platform/db.ts';
import { daysAfter } from '#core/platform/pure/dates/days.ts';
import { buildPrincipal, signIn } from '../../harness/factories.ts';
import { type Json, monday, type Pupil } from '../interventions/workflow/draft-bodies.ts';
import { numbers, sunday, useCounted } from './counted.ts';

const test = suite('what was delivered, as it is answered');
const { plans, deliver, get, check, recompute, weekly, snapshots, changes, at } = useCounted(test);
const { app } = plans.shell;
const { owner } = app.database;

const start = daysAfter(sunday, -28);
let pupil: Pupil;
let id: string;
test.before(() => app.clock.set(monday));
test.before.each(async () => {
  pupil = await plans.pupil();
  id = await plans.given(pupil, { startOn: start });
});

test('check: counted now, nothing written', async () => {
  await weekly(pupil, start, [3, 2, 4, 1]);
  assert.equal(await check(pupil, id), {
    ...{ bundleAssignmentId: id, studentId: pupil.id, planned: 12, delivered: 10, credited: 10, rate: 0.8333 },
    ...{ offered: 10, absent: 0, threshold: 0.8, gate: 'pass', trackStatus: 'on_track', completeWeeks: 4 },
    ...{ asOf: '2026-01-12', ruleVersion: 'fidelity/gate@1' },
  });
  assert.equal([await snapshots(pupil), await changes(pupil)], [[], []]);
});

test('an assignment that was never counted has no record', async () => {
  const reply = await get(pupil, `/api/fidelity/${id}`);
  assert.equal([reply.status, reply.body.code], [404, 'NOT_FOUND']);
});

test('recompute stores the count, week by week; an equal one is raised and not stored', async () => {
  await weekly(pupil, start, [3, 5, 0, 1]);
  const first = await recompute(pupil, id);
  assert.is(first.status, 200);
  const { snapshotId, computedAt, weeks, ...counted } = first.body;
  assert.equal(counted, await check(pupil, id));
  assert.ok(Number(snapshotId) > 0);
  assert.is(computedAt, app.clock.now().toISOString());
  // Five count as four, since one may be made up.
  assert.equal(weeks, [
    { weekStart: '2025-12-14', planned: 3, delivered: 3, credited: 3, paused: false },
    { weekStart: '2025-12-21', planned: 3, delivered: 5, credited: 4, paused: false },
    { weekStart: '2025-12-28', planned: 3, delivered: 0, credited: 0, paused: false },
    { weekStart: '2026-01-04', planned: 3, delivered: 1, credited: 1, paused: false },
  ]);
  assert.equal((await get(pupil, `/api/fidelity/${id}`)).body, first.body);
  at('2026-01-13');
  assert.equal((await recompute(pupil, id)).body, first.body, 'another day is no other count');
  assert.is((await snapshots(pupil)).length, 1);
  assert.equal(
    await changes(pupil),
    [1, 2].map(() => ({ studentId: pupil.id, assignmentId: id, gate: 'fail' })),
  );
  await deliver(pupil, { deliveredOn: '2026-01-05' });
  const third = await recompute(pupil, id);
  assert.equal([numbers(third.body), third.body.asOf], [[12, 9, 0.75, 'fail'], '2026-01-13']);
  assert.is((await snapshots(pupil)).length, 2);
  assert.equal((await get(pupil, `/api/fidelity/${id}`)).body, third.body);
});

test('an ended assignment is counted as of the day on which it ended', async () => {
  await weekly(pupil, start, [3, 3, 3, 3]);
  await plans.review(pupil, { assignmentId: id, action: 'stop', reasonCode: 'Not_Suitable' });
  at('2026-03-01');
  const { body } = await recompute(pupil, id);
  assert.equal([...numbers(body), body.trackStatus, body.completeWeeks], [12, 12, 1, 'pass', 'not_applicable', 4]);
});

test('recompute updates the track status, and reports an entry once', async () => {
  at('2026-01-04');
  const other = await plans.pupil();
  const plan = await plans.given(other);
  at('2026-02-01');
  assert.is((await plans.row(other, plan)).trackStatus, 'awaiting_first_session');
  await recompute(other, plan);
  assert.is((await recompute(other, plan)).body.trackStatus, 'off_track');
  assert.is((await plans.row(other, plan)).trackStatus, 'off_track');
});

test('a light action in class has no gate', async () => {
  await plans.change(pupil, id, { state: 'superseded', endedOn: '2026-01-12', trackStatus: 'not_applicable' });
  const light = await inContext(owner, { organizationId: pupil.organizationId }, async (trx) => {
    const [row] = await trx('bundle_assignment').where({ id });
    const json = (value: unknown) => JSON.stringify(value);
    const copy = {
      ...row,
      id: `${String(id).slice(0, 22)}zz`,
      bundleId: 'LSA-MONITOR-01',
      state: 'active',
      endedOn: null,
    };
    await trx('bundle_assignment').insert({
      ...{ ...copy, objectType: 'LIGHT_SUPPORT_ACTION', steps: json(row.steps), pauses: json(row.pauses) },
      ...{ facts: json(row.facts), recommendation: json(row.recommendation), ruleVersions: json(row.ruleVersions) },
    });
    return copy.id;
  });
  const found = await check(pupil, light);
  assert.equal(numbers(found), [12, 0, 0, 'not_applicable']);
  assert.is((await recompute(pupil, light)).status, 200);
});

test('tracker: all that was given, newest first, and pooled since the tier began', async () => {
  const { organizationId } = pupil;
  await inContext(owner, { organizationId }, async (trx) => {
    await trx('enrollment').where({ studentId: pupil.id }).update({ enrolledFrom: '2025-12-21' });
  });
  await weekly(pupil, start, [3, 3, 3, 0]);
  await plans.review(pupil, { assignmentId: id, action: 'stop', reasonCode: 'Need_Changed' });
  app.clock.advance(60_000);
  const second = await plans.given(pupil, { startOn: '2026-01-04' });
  const { status, body } = await get(pupil, `/api/students/${pupil.id}/fidelity-tracker`);
  assert.is(status, 200);
  const { assignments, ...student } = body as Json & { readonly assignments: Json[] };
  // For the first assignment the three weeks since the enrollment, for the second the last one.
  assert.equal(student, {
    ...{ studentId: pupil.id, tier: 1, tierSince: '2025-12-21' },
    pooled: { planned: 12, credited: 6, rate: 0.5, gate: 'fail' },
  });
  assert.equal(assignments, [
    {
      ...{ assignmentId: second, bundle_id: 'BND-DECODE-01', state: 'active', trackStatus: 'awaiting_first_session' },
      ...{ planned: 3, delivered: 0, credited: 0, offered: 0, absent: 0, rate: 0, gate: 'fail' },
      ...{ lastDeliveredOn: null, weeksWithoutDelivery: 1 },
      ...{ plannedMinutes: null, taughtMinutes: null },
    },
    {
      ...{ assignmentId: id, bundle_id: 'BND-DECODE-01', state: 'stopped', trackStatus: 'not_applicable' },
      ...{ planned: 12, delivered: 9, credited: 9, offered: 9, absent: 0, rate: 0.75, gate: 'fail' },
      ...{ lastDeliveredOn: '2025-12-30', weeksWithoutDelivery: 0 },
      ...{ plannedMinutes: null, taughtMinutes: null },
    },
  ]);
});

test('G-01: who was never measured has nothing', async () => {
  const other = await plans.classmate(pupil, null);
  const { body } = await get(pupil, `/api/students/${other.id}/fidelity-tracker`);
  assert.equal(body.assignments, []);
  assert.equal(body.pooled, { planned: 0, credited: 0, rate: null, gate: 'not_applicable' });
});

test('a principal reads and does not let count; nothing is written by a refusal', async () => {
  const principal = await buildPrincipal(owner, { id: pupil.classRow.schoolId, organizationId: pupil.organizationId });
  const token = await signIn(app, principal);
  assert.is((await get(pupil, `/api/fidelity/${id}/check`, token)).status, 200);
  const reply = await recompute(pupil, id, token);
  assert.equal([reply.status, reply.body.code], [403, 'PERMISSION_DENIED']);
  const extra = await app.post(`/api/fidelity/${id}/recompute`, { reason: 'x' }, { token: pupil.token });
  assert.is(extra.status, 422);
  assert.equal([await snapshots(pupil), await changes(pupil)], [[], []]);
});

test.run();
