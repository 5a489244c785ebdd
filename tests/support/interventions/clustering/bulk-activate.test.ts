// Bulk activation of a group: the checks in their order with their refusals, which write nothing (INV-6); assignments equal
// those of single activations (INV-9).
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { buildClass, buildTeacher, signIn } from '../../../harness/factories.ts';
import { decodingNeed, halting, soundsNeed, useClassroom } from '../classroom.ts';
import { decodingKey } from '../cluster-keys.ts';
import { groupCalls } from './groups-over-http.ts';

const classroom = useClassroom(test);
const { app } = classroom;
const { owner } = app.database;
const { group, bulk, activate, recompute, studentsOf, assignmentsOf, written } = groupCalls(classroom);

type Reply = Awaited<ReturnType<typeof bulk>>;

/** `409 CLUSTER_STALE clusterKey:unknown_cluster`. */
const summary = ({ status, body: { code, details = [] } }: Reply): string =>
  [status, code, ...details.map(({ field, issue }) => `${field}:${issue}`)].filter(Boolean).join(' ');

/** INV-6: a refused call writes nothing. */
async function refused(call: () => Promise<Reply>, expected: string): Promise<void> {
  const before = await written();
  const reply = await call();
  assert.is(summary(reply), expected);
  assert.equal(await written(), before, expected);
}

const members = 'confirmedMemberStudentIds';

test('an assignment for each member, with the member’s own tier, one event each', async () => {
  const one = await group(3);
  const eventsBefore = await owner('outbox').where({ topic: 'assignment.activated' });
  const { status, body } = await bulk(one, [...one.ids].reverse(), { startOn: '2026-01-11' });
  assert.is(status, 201, JSON.stringify(body));
  const rows = await assignmentsOf(one.ids);
  assert.equal(body, {
    classId: one.classRow.id,
    generationId: one.generationId,
    clusterKey: decodingKey,
    bundle_id: 'BND-DECODE-01',
    assignments: rows.map(({ studentId, id }) => ({ studentId, assignmentId: id, created: true })),
  });
  for (const row of rows) {
    assert.equal(
      [row.state, row.scaffoldTier, row.deliveryMode, row.startOn, row.overrideCode, row.activatedBy],
      ['active', 'Level_3', 'teacher_led_small_group', '2026-01-11', null, one.teacher.id],
    );
    assert.equal([row.sourceType, row.clusterKey, row.generationId], ['cluster', decodingKey, one.generationId]);
  }
  const events = await owner('outbox').where({ topic: 'assignment.activated' });
  assert.is(events.length - eventsBefore.length, 3);
  await refused(() => bulk(one, one.ids), '409 CONFLICT clusterKey:all_open');
  const { body: after } = await recompute(one);
  assert.equal(
    after.clusters.map(({ activatable, notActivatableReason }) => [activatable, notActivatableReason]),
    [[false, 'all_open']],
  );
});

test('a member with the bundle open is reported as not created, and keeps the one assignment', async () => {
  const one = await group(3);
  const [first = 0] = one.ids;
  assert.is((await activate(one, first, { bundle_id: 'BND-DECODE-01' })).status, 201);
  const { status, body } = await bulk(one, one.ids);
  assert.is(status, 201, JSON.stringify(body));
  assert.equal(
    body.assignments.map(({ created }) => created),
    [false, true, true],
  );
  assert.is((await assignmentsOf(one.ids)).length, 3);
});

test('1, 2: what is wrong with the body, before any id is looked at', async () => {
  const one = await group(2);
  const unknown = [9_000_000];
  const invalid = [
    [{ clusterKey: 'bundle_id=x' }, 'clusterKey'],
    [{ clusterKey: `${decodingKey} ` }, 'clusterKey'],
    [{ clusterKey: decodingKey.replace('true', 'maybe') }, 'clusterKey'],
    [{ clusterKey: decodingKey.replace('DEC_BASIC', 'D'.repeat(300)) }, 'clusterKey'],
    [{ confirmedMemberStudentIds: [] }, members],
    [{ confirmedMemberStudentIds: [1, 1] }, members],
    [{ confirmedMemberStudentIds: Array.from({ length: 61 }, (_, at) => at + 1) }, members],
    [{ startOn: '2025-11-05' }, 'startOn'],
    [{ startOn: '2026-02-13' }, 'startOn'],
    [{ generation: 'x' }, 'generation'],
  ] as const;
  for (const [more, field] of invalid) {
    const before = await written();
    const { status, body } = await bulk(one, unknown, { ...more, memberAdjustments: [{}] });
    assert.equal([status, body.code], [422, 'VALIDATION_ERROR'], JSON.stringify(more));
    assert.ok(body.details?.[0]?.field.startsWith(field), JSON.stringify(body.details));
    assert.equal(await written(), before);
  }
  await refused(() => bulk(one, unknown, { memberAdjustments: [{}] }), '422 MEMBER_ADJUSTMENTS_NOT_SUPPORTED');
  for (const startOn of ['2025-11-06', '2026-02-12']) {
    await refused(() => bulk(one, unknown, { startOn }), '404 NOT_FOUND');
  }
});

test('3: class and students in the organization, then in reach', async () => {
  const one = await group(2);
  const [other, foreign] = [await group(2), await group(2)];
  const { organizationId } = one;
  const elsewhere = await buildClass(owner, { grade: 2, organizationId, schoolId: one.classRow.schoolId });
  const [outside] = await studentsOf({ ...one, classRow: elsewhere }, 1);
  const [between] = await studentsOf(one, 1);
  assert.ok(outside && between);
  await owner('enrollment').where({ studentId: between.id }).update({ enrolledTo: '2026-01-10' });
  const denied = '403 PERMISSION_DENIED';
  await refused(() => bulk(one, other.ids), '404 NOT_FOUND');
  await refused(() => bulk(one, [...one.ids, outside.id, ...foreign.ids]), '404 NOT_FOUND');
  await refused(() => bulk(one, one.ids, { classId: foreign.classRow.id }), '404 NOT_FOUND');
  await refused(() => bulk(one, [outside.id], { classId: 9_000_000 }), '404 NOT_FOUND');
  await refused(() => bulk(one, [...one.ids, outside.id]), denied);
  await refused(() => bulk(one, one.ids, { classId: elsewhere.id }), denied);
  await refused(() => bulk(one, [between.id, ...one.ids]), denied);
  await refused(() => bulk(one, [one.teacher.id]), '404 NOT_FOUND');
  const stranger = { token: await signIn(app, await buildTeacher(owner, elsewhere)) };
  await refused(() => bulk(stranger, one.ids), denied);
  const second = { token: await signIn(app, await buildTeacher(owner, one.classRow, 'SECONDARY')) };
  assert.is((await bulk(second, one.ids)).status, 201);
});

test('4: a student who is halted or was never measured is named, each with the reason', async () => {
  const one = await group(4);
  const [, second, , fourth] = one.students;
  const [unmeasured] = await studentsOf(one, 1);
  assert.ok(second && fourth && unmeasured);
  await classroom.measure([second, fourth], halting);
  const reasons = [`${members}.1:do_not_decide_yet`, `${members}.3:do_not_decide_yet`, `${members}.4:data_incomplete`];
  const listed = [...one.ids, unmeasured.id];
  await refused(() => bulk(one, listed, { generationId: 'old' }), ['422 EXCLUDED_MEMBER', ...reasons].join(' '));
});

test('5 to 7: all that makes a group another one than the teacher saw, in the order of the contract', async () => {
  const room = await classroom.room();
  const students = await studentsOf(room, 4);
  const ids = students.map(({ id }) => id);
  await classroom.measure(students, decodingNeed);
  const stale = (...issues: string[]) => ['409 CLUSTER_STALE', ...issues].join(' ');
  const [added, removed] = [`${members}:membership_added`, `${members}:membership_removed`];
  await refused(() => bulk(room, ids, { generationId: 'x' }), stale('clusterKey:no_current_generation'));
  const first = await recompute(room);
  const other = decodingKey.replace('Level_3', 'Level_1');
  await refused(() => bulk(room, ids, { clusterKey: other }), stale('clusterKey:unknown_cluster'));
  await refused(
    () => bulk(room, ids, { clusterKey: other, generationId: 'x' }),
    stale('generationId:generation_superseded', 'clusterKey:unknown_cluster'),
  );
  const blended = decodingKey.replace('teacher_led_small_group', 'blended');
  await refused(() => bulk(room, ids, { clusterKey: blended }), stale('clusterKey:unknown_cluster'));
  await refused(() => bulk(room, ids.slice(1)), stale(added));
  const [newcomer] = await studentsOf(room, 1);
  assert.ok(newcomer);
  await classroom.measure([newcomer], decodingNeed);
  await refused(() => bulk(room, [...ids, newcomer.id]), stale(added));
  await recompute(room);
  const all = [...ids, newcomer.id];
  await refused(
    () => bulk(room, all, { generationId: first.body.generationId }),
    stale('generationId:generation_superseded'),
  );
  await classroom.measure([newcomer], soundsNeed);
  await refused(() => bulk(room, all), stale(removed));
  await refused(() => bulk(room, ids.slice(1)), stale(added, removed));
  await recompute(room);
  assert.is((await bulk(room, ids)).status, 201);
});

test('5, 6: another version of a rule, and another way to give the bundle', async () => {
  const one = await group(2);
  const asIfBefore = async (change: string, ...values: string[]) => {
    await owner.raw('alter table cluster_generation disable trigger user');
    await owner.raw(`update cluster_generation set ${change} where id = ?`, [...values, one.generationId]);
    await owner.raw('alter table cluster_generation enable trigger user');
  };
  await asIfBefore(`rule_versions = rule_versions || '{"cluster/key-tier": 9}'`);
  await refused(() => bulk(one, one.ids), '409 CLUSTER_STALE clusterKey:rule_version_changed');
  await asIfBefore(`rule_versions = rule_versions || '{"cluster/key-tier": 1}'`);
  const blended = decodingKey.replace('teacher_led_small_group', 'blended');
  await asIfBefore('groups = replace(groups::text, ?, ?)::jsonb', decodingKey, blended);
  const changed = ['clusterKey:delivery_mode_changed', `${members}:membership_removed`];
  await refused(() => bulk(one, one.ids, { clusterKey: blended }), ['409 CLUSTER_STALE', ...changed].join(' '));
});

test('8: a group without a bundle that can be assigned', async () => {
  const room = await classroom.room();
  const students = await studentsOf(room, 2);
  await classroom.measure(students, { ...decodingNeed, DEC_WORD: 'CCCC' });
  const { body } = await recompute(room);
  const [cluster] = body.clusters;
  assert.equal([cluster?.bundle_id, cluster?.notActivatableReason], ['NIO-CORE-01', 'not_assignable']);
  const ids = students.map(({ id }) => id);
  await refused(() => bulk(room, ids, { clusterKey: cluster?.clusterKey }), '409 CONFLICT clusterKey:not_assignable');
});

test('9: one member at the limit refuses the whole call, and is named', async () => {
  const one = await group(3);
  const [, second = 0] = one.ids;
  for (const bundle_id of ['SUP-PHON-01', 'SUP-COMP-01']) {
    const meant = { bundle_id, confirmOffRecommendation: true, overrideCode: 'Wfl_Bundle_Substitution_03' };
    assert.is((await activate(one, second, meant)).status, 201);
  }
  await recompute(one);
  await refused(() => bulk(one, one.ids), `409 CONFLICT ${members}.1:capacity`);
});

test('INV-9: the row of a single activation equals that of a group, apart from ids, source and times', async () => {
  const one = await group(3);
  const [byHand, ...others] = one.ids;
  assert.ok(byHand);
  const startOn = '2026-01-14';
  assert.is((await activate(one, byHand, { bundle_id: 'BND-DECODE-01', startOn })).status, 201);
  assert.is((await bulk(one, one.ids, { startOn })).status, 201);
  const [first, ...grouped] = await assignmentsOf([byHand, ...others]);
  const apart = [
    'id',
    'studentId',
    'sourceType',
    'clusterKey',
    'generationId',
    'activatedAt',
    'createdAt',
    'updatedAt',
  ];
  const rest = (row: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(row).filter(([column]) => !apart.includes(column)));
  assert.is(grouped.length, 2);
  for (const row of grouped) assert.equal(rest(row), rest(first));
});

test('the same key again gets the same answer, and makes nothing', async () => {
  const one = await group(2);
  const headers = { 'Idempotency-Key': 'once' };
  const first = await bulk(one, one.ids, {}, headers);
  const again = await bulk(one, one.ids, {}, headers);
  assert.equal([first.status, again.status], [201, 201]);
  assert.equal(again.body, first.body);
  assert.is((await assignmentsOf(one.ids)).length, 2);
});

test.run();
