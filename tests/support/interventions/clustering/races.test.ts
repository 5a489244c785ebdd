// timeout: 180s
// A group is activated while others activate it, recompute groups, move a student or add evidence: each member gets at most one
// assignment, and none by an outdated decision (INV-7, INV-8).
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { buildTeacher, buildUser, signIn } from '../../../harness/factories.ts';
import { halting, useClassroom } from '../classroom.ts';
import { type Group, groupCalls } from './groups-over-http.ts';

const classroom = useClassroom(test);
const { app } = classroom;
const { owner } = app.database;
const { group, bulk, activate, recompute, assignmentsOf } = groupCalls(classroom);

/** Rounds of a race with varying outcomes. */
const rounds = 3;
const meant = { confirmOffRecommendation: true, overrideCode: 'Wfl_Bundle_Substitution_03' };

async function assertOneEach({ ids }: Group): Promise<void> {
  const rows = await assignmentsOf(ids);
  assert.equal(
    rows.map(({ studentId }) => studentId),
    ids,
  );
}

test('INV-7: of several calls at once exactly one makes the assignments, the others are 409', async () => {
  for (let round = 0; round < rounds; round += 1) {
    const one = await group(3);
    const second = { token: await signIn(app, await buildTeacher(owner, one.classRow, 'SECONDARY')) };
    const replies = await Promise.all([one, second, one, second, one].map((caller) => bulk(caller, one.ids)));
    assert.equal(replies.map(({ status }) => status).sort(), [201, 409, 409, 409, 409]);
    const issues = replies.flatMap(({ status, body }) =>
      status === 409 ? body.details?.map(({ issue }) => issue) : [],
    );
    assert.equal(new Set(issues), new Set(['all_open']));
    await assertOneEach(one);
  }
});

test('while the groups are found anew: both are answered, from one generation', async () => {
  for (let round = 0; round < rounds; round += 1) {
    const one = await group(3);
    const [given, ...found] = await Promise.all([bulk(one, one.ids), recompute(one), recompute(one), recompute(one)]);
    assert.is(given.status, 201, JSON.stringify(given.body));
    assert.ok(found.every(({ status }) => status === 200));
    assert.is(new Set(found.map(({ body }) => body.generationId)).size, 1);
    await assertOneEach(one);
  }
});

test('while another teacher assigns a member the same bundle: the second call sees it', async () => {
  for (let round = 0; round < rounds; round += 1) {
    const one = await group(3);
    const [first = 0] = one.ids;
    const second = { token: await signIn(app, await buildTeacher(owner, one.classRow, 'SECONDARY')) };
    const [given, alone] = await Promise.all([
      bulk(one, one.ids),
      activate(second, first, { bundle_id: 'BND-DECODE-01' }),
    ]);
    assert.is(given.status, 201, JSON.stringify(given.body));
    const created = given.body.assignments.map((row) => row.created);
    assert.equal([alone.status, ...created], alone.status === 201 ? [201, false, true, true] : [409, true, true, true]);
    await assertOneEach(one);
  }
});

test('while another teacher uses a member’s last slot: no student has three', async () => {
  for (let round = 0; round < rounds; round += 1) {
    const one = await group(2);
    const [first = 0] = one.ids;
    assert.is((await activate(one, first, { bundle_id: 'SUP-PHON-01', ...meant })).status, 201);
    const [given, alone] = await Promise.all([
      bulk(one, one.ids),
      activate(one, first, { bundle_id: 'SUP-COMP-01', ...meant }),
    ]);
    assert.equal([given.status, alone.status].sort(), [201, 409]);
    const open = (await assignmentsOf([first])).length;
    assert.is(open, 2);
    assert.is((await assignmentsOf(one.ids)).length, given.status === 201 ? 3 : 2, 'all or nothing');
  }
});

test('INV-8: while a member is evaluated again and halted: assigned before, or refused, and never after', async () => {
  for (let round = 0; round < rounds; round += 1) {
    const one = await group(2);
    const [, second] = one.students;
    assert.ok(second);
    const [given] = await Promise.all([bulk(one, one.ids), classroom.measure([second], halting)]);
    const summary = [given.status, given.body.code, given.body.details?.[0]?.issue];
    const rows = await assignmentsOf(one.ids);
    if (given.status === 201) await assertOneEach(one);
    else assert.equal([...summary, rows.length], [422, 'EXCLUDED_MEMBER', 'do_not_decide_yet', 0]);
    const [profile] = await owner('profile_assignment').where({ studentId: second.id }).orderBy('id', 'desc').limit(1);
    assert.is(profile.outcome, 'do_not_decide_yet');
    const [row] = rows.filter(({ studentId }) => studentId === second.id);
    assert.is(row?.recommendation.outcome ?? 'recommended', 'recommended', 'decided on what held then');
  }
});

test('while a member leaves the class: assigned before, or the group has changed', async () => {
  for (let round = 0; round < rounds; round += 1) {
    const one = await group(3);
    const [leaver = 0] = one.ids;
    const admin = { token: await signIn(app, await adminOf(one)) };
    const [given, left] = await Promise.all([
      bulk(one, one.ids),
      classroom.http.request('DELETE', `/api/classes/${one.classRow.id}/students/${leaver}`, admin),
    ]);
    assert.ok(left.status < 300, JSON.stringify(left.body));
    const rows = await assignmentsOf(one.ids);
    if (given.status === 201) assert.is(rows.length, 3);
    else assert.equal([[403, 409].includes(given.status), rows.length], [true, 0], JSON.stringify(given.body));
  }
});

const adminOf = ({ organizationId }: Group) => buildUser(owner, 'ADMIN', { organizationId });

test.run();
