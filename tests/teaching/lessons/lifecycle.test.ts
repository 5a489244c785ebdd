// A lesson from the draft to its delivery (BSN-01 to BSN-08) over HTTP.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { buildClass, buildStudent, buildSuperAdmin, buildTeacher, signIn } from '../../harness/factories.ts';
import { type Json, reported } from '../../support/interventions/workflow/draft-bodies.ts';
import { buildBlueprint } from '../lesson-blueprints/rows.ts';
import { answers, useLesson } from './lesson.ts';

const test = suite('a blueprint session');
const lesson = useLesson(test);

const absent = 'tz4a98xxat96iws9zmbrgj3a';
const stateOf = async (id: string) => (await lesson().get(`/api/sessions/${id}`)).body.state;

test('BSN-01: the checks in order, and nothing is written after a refusal', async () => {
  const { create, one, plans, rows } = lesson();
  const { app } = plans.shell;
  const before = await rows('teaching_session');
  const stranger = await buildTeacher(
    app.database.owner,
    await buildClass(
      app.database.owner,
      one.classRow ? { organizationId: one.organizationId, schoolId: one.classRow.schoolId } : {},
    ),
  );
  const elsewhere = await buildClass(app.database.owner, {
    organizationId: one.organizationId,
    schoolId: one.classRow.schoolId,
    grade: 2,
  });
  const outside = await buildStudent(app.database.owner, elsewhere);
  const foreign = await buildStudent(app.database.owner);
  const other = await buildBlueprint(app.database.owner, { grade: 3 });
  const old = await buildBlueprint(app.database.owner, { blueprintCode: 'TRY-OLD' });
  await buildBlueprint(app.database.owner, { blueprintCode: 'TRY-OLD' }, { version: 2 });
  assert.equal(reported(await create({ blueprintId: absent })), [404, 'NOT_FOUND']);
  assert.equal(reported(await create({ recipientStudentIds: [foreign.id] })), [404, 'NOT_FOUND']);
  assert.equal(reported(await create({}, await signIn(app, stranger))), [403, 'PERMISSION_DENIED']);
  assert.equal(reported(await create({ recipientStudentIds: [one.id, outside.id], blueprintId: old })), [
    ...[422, 'VALIDATION_ERROR', 'recipientStudentIds.1 not_in_class'],
  ]);
  assert.equal(reported(await create({ blueprintId: other })), [422, 'VALIDATION_ERROR', 'classId grade_mismatch']);
  assert.equal(reported(await create({ deliveryMode: 'digital_self_paced' })), [
    ...[422, 'VALIDATION_ERROR', 'deliveryMode mode_not_offered'],
  ]);
  assert.equal(reported(await create({ blueprintId: old })), [409, 'CONFLICT', 'blueprintId superseded']);
  assert.is((await create({ recipientStudentIds: [one.id, one.id] })).status, 422);
  assert.equal(await rows('teaching_session'), before);
});

test('RCP-01 to RCP-99: a recipient of every kind, and the response has exactly its fields', async () => {
  const { create, one, idle, halted, unmeasured, rows, plans } = lesson();
  const reply = await create({
    ...{ recipientStudentIds: [one.id, idle.id, halted.id, unmeasured.id], scheduledOn: '2026-01-14' },
  });
  assert.is(reply.status, 201, JSON.stringify(reply.body));
  const { sessionId, blueprintId, segments, items, ...view } = reply.body;
  assert.equal(
    [typeof sessionId, typeof blueprintId, (segments as Json[]).length, (items as Json[]).length],
    [...['string', 'string', 2, 6]],
  );
  assert.equal(view, {
    ...{ classId: one.classRow.id, blueprintVersion: 1, bundle_id: 'BND-DECODE-01', stepNo: 1 },
    ...{ sessionRole: 'EXPLICIT_TEACHING', deliveryMode: 'blended', scaffoldTier: null, state: 'draft' },
    scheduledOn: '2026-01-14',
    recipients: [
      { studentId: one.id, state: 'included', reasonCode: null, overrideCode: null },
      { studentId: idle.id, state: 'excluded', reasonCode: 'no_open_assignment', overrideCode: null },
      { studentId: halted.id, state: 'excluded', reasonCode: 'do_not_decide_yet', overrideCode: null },
      { studentId: unmeasured.id, state: 'excluded', reasonCode: 'data_incomplete', overrideCode: null },
    ],
    ...{ pdfJobs: [], distributedAt: null, deliveredOn: null, cancelReasonCode: null },
    ...{ createdBy: one.teacher.id, createdAt: '2026-01-12T08:00:00.000Z' },
  });
  const own = (await rows('session_recipient')).filter((row) => row.sessionId === sessionId);
  assert.equal(own.map(({ ruleId }) => ruleId).sort(), ['RCP-01A', 'RCP-01B', 'RCP-03', 'RCP-99']);
  const { app } = plans.shell;
  const token = await signIn(app, await buildSuperAdmin(app.database.owner));
  const why = await app.get<Json>(`/api/admin/explain/recipient:${sessionId}.${halted.id}`, { token });
  const { matchesStored, result, decisions } = why.body;
  assert.equal(
    [why.status, matchesStored, result],
    [200, true, { state: 'excluded', reasonCode: 'do_not_decide_yet', overrideCode: null }],
  );
  assert.equal(
    (decisions as Json[]).map(({ ruleId }) => ruleId),
    ['RCP-01A'],
  );
  assert.is((await app.get(`/api/admin/explain/recipient:${sessionId}.999999999`, { token })).status, 404);
});

test('two concurrent teachers: one acceptance, and none of two changes is lost', async () => {
  const { session, post, edit, get } = lesson();
  const id = await session();
  const edits = await Promise.all([edit(id, { scheduledOn: '2026-01-15' }), edit(id, { removeItemRefs: ['item-3'] })]);
  assert.equal(
    edits.map(({ status }) => status),
    [200, 200],
  );
  const { body } = await get(`/api/sessions/${id}`);
  assert.equal([body.scheduledOn, (body.items as Json[]).length], ['2026-01-15', 5]);
  const both = await Promise.all([post(`/api/sessions/${id}/accept`), post(`/api/sessions/${id}/accept`)]);
  assert.equal(both.map(({ status }) => status).sort(), [200, 409]);
});

test('include: never for a hard exclusion, with a reason for a soft one; an included student is unchanged, others are refused', async () => {
  const { session, post, one, idle, halted, plans } = lesson();
  const { owner } = plans.shell.app.database;
  const id = await session([], { recipientStudentIds: [one.id, halted.id] });
  const include = (studentId: unknown, body: Json = {}) =>
    post(`/api/sessions/${id}/recipients/${studentId}/include`, body);
  const elsewhere = await buildStudent(
    owner,
    await buildClass(owner, { organizationId: one.organizationId, schoolId: one.classRow.schoolId }),
  );
  const code = { overrideCode: 'Ses_Recipient_Inclusion_09' };
  assert.equal(reported(await include(999_999_999)), [404, 'NOT_FOUND']);
  assert.equal(reported(await include(elsewhere.id, code)), [422, 'VALIDATION_ERROR', 'studentId not_in_class']);
  assert.equal(reported(await include(halted.id, code)), [422, 'EXCLUDED_MEMBER', 'studentId do_not_decide_yet']);
  assert.equal(reported(await include(idle.id)), [422, 'VALIDATION_ERROR', 'overrideCode override_required']);
  assert.equal(reported(await include(idle.id, { overrideCode: 'Gam_Award_Invalid_05' })), [
    ...[422, 'VALIDATION_ERROR', 'overrideCode wrong_scope'],
  ]);
  assert.equal(reported(await include(idle.id, { overrideCode: 'Nothing' })), [
    ...[422, 'VALIDATION_ERROR', 'overrideCode unknown_code'],
  ]);
  const { status, body } = await include(idle.id, code);
  assert.is(status, 200);
  assert.equal(
    (body.recipients as Json[]).find(({ studentId }) => studentId === idle.id),
    {
      ...{ studentId: idle.id, state: 'included', reasonCode: 'no_open_assignment', ...code },
    },
  );
  assert.equal(await include(idle.id), await include(idle.id));
  await post(`/api/sessions/${id}/cancel`, { reasonCode: 'Staff_Absent' });
  assert.equal(reported(await include(idle.id)), [409, 'CONFLICT', 'state invalid_transition']);
});

test('BSN-02, BSN-04: a draft accepts every change, an accepted lesson only another date', async () => {
  const { session, edit, post } = lesson();
  const id = await session();
  assert.equal(reported(await edit(id, {})).slice(0, 2), [422, 'VALIDATION_ERROR']);
  assert.equal(reported(await edit(id, { removeItemRefs: ['item-9'] })), [
    422,
    'VALIDATION_ERROR',
    'removeItemRefs.0 unknown_item',
  ]);
  assert.equal(reported(await edit(id, { segmentOrder: [2] })), [
    422,
    'VALIDATION_ERROR',
    'segmentOrder not_a_permutation',
  ]);
  assert.equal(reported(await edit(id, { segmentOrder: [1, 3] })), [
    422,
    'VALIDATION_ERROR',
    'segmentOrder not_a_permutation',
  ]);
  assert.equal(reported(await edit(id, { deliveryMode: 'digital_self_paced' })), [
    ...[422, 'VALIDATION_ERROR', 'deliveryMode mode_not_offered'],
  ]);
  const { status, body } = await edit(id, {
    ...{ removeItemRefs: ['item-2', 'item-6'], segmentOrder: [2, 1], scheduledOn: '2026-01-13' },
    deliveryMode: 'teacher_led_small_group',
  });
  assert.is(status, 200, JSON.stringify(body));
  assert.equal(
    (body.segments as Json[]).map(({ segmentNo, kind, itemRefs }) => [segmentNo, kind, itemRefs]),
    [
      [1, 'check', ['item-1', 'item-3', 'item-4', 'item-5']],
      [2, 'opening', []],
    ],
  );
  assert.equal(
    (body.items as Json[]).map(({ itemRef }) => itemRef),
    ['item-1', 'item-3', 'item-4', 'item-5'],
  );
  assert.equal(reported(await edit(id, { removeItemRefs: ['item-2'] })), [
    422,
    'VALIDATION_ERROR',
    'removeItemRefs.0 unknown_item',
  ]);
  assert.is((await edit(id, { segmentOrder: [2, 1] })).status, 200);
  assert.equal(reported(await edit(id, { delivery: { deliveredOn: '2026-01-12', presentStudentIds: [] } })), [
    ...[409, 'CONFLICT', 'state invalid_transition'],
  ]);
  await post(`/api/sessions/${id}/accept`);
  assert.is((await edit(id, { scheduledOn: '2026-01-20' })).body.scheduledOn, '2026-01-20');
  assert.equal(reported(await edit(id, { scheduledOn: '2026-01-21', segmentOrder: [2, 1] })), [
    ...[409, 'CONFLICT', 'state invalid_transition'],
  ]);
});

test('BSN-03: a lesson without recipients cannot be accepted; halted students and those who left the class are excluded', async () => {
  const { session, post, get, one, plans, idle } = lesson();
  const { owner } = plans.shell.app.database;
  const withoutRecipients = await session([], { recipientStudentIds: [idle.id] });
  assert.equal(reported(await post(`/api/sessions/${withoutRecipients}/accept`)), [
    409,
    'CONFLICT',
    'recipients no_recipients',
  ]);
  assert.is(await stateOf(withoutRecipients), 'draft');
  const turning = await plans.classmate(one);
  const leaving = await plans.classmate(one);
  await plans.given(turning);
  await plans.given(leaving);
  const id = await session([], { recipientStudentIds: [one.id, turning.id, leaving.id] });
  await plans.measure(turning, { LK_FORM: 'CCC' }, 9);
  await owner('enrollment').where({ studentId: leaving.id }).update({ enrolledTo: '2026-01-12' });
  const { status, body } = await post(`/api/sessions/${id}/accept`);
  assert.is(status, 200);
  assert.equal(
    (body.recipients as Json[]).map(({ studentId, state, reasonCode }) => [studentId, state, reasonCode]),
    [
      [one.id, 'included', null],
      [turning.id, 'excluded', 'do_not_decide_yet'],
      [leaving.id, 'excluded', 'not_in_class'],
    ],
  );
  assert.equal(reported(await post(`/api/sessions/${id}/accept`)), [409, 'CONFLICT', 'state invalid_transition']);
  assert.is((await get(`/api/sessions/${id}`)).body.state, 'accepted');
});

test('BSN-05, BSN-07: only online delivery modes can be distributed; a closed lesson accepts no call', async () => {
  const { session, post, edit } = lesson();
  const led = await session(['accept'], { deliveryMode: 'teacher_led_small_group' });
  assert.equal(reported(await post(`/api/sessions/${led}/distribute-online`)), [
    409,
    'CONFLICT',
    'deliveryMode mode_not_online',
  ]);
  const draft = await session();
  assert.equal(reported(await post(`/api/sessions/${draft}/distribute-online`)), [
    409,
    'CONFLICT',
    'state invalid_transition',
  ]);
  const id = await session(['accept']);
  assert.equal((await post(`/api/sessions/${id}/distribute-online`)).body, { sessionId: id, distributed: 2 });
  assert.equal(reported(await edit(id, { scheduledOn: '2026-01-13' })), [409, 'CONFLICT', 'state invalid_transition']);
  assert.equal(reported(await post(`/api/sessions/${id}/cancel`, { reasonCode: 'Student_Left' })), [
    ...[422, 'VALIDATION_ERROR', 'reasonCode wrong_scope'],
  ]);
  const { body } = await post(`/api/sessions/${id}/cancel`, { reasonCode: 'Class_Cancelled' });
  assert.equal([body.state, body.cancelReasonCode], ['cancelled', 'Class_Cancelled']);
  for (const call of ['accept', 'distribute-online']) {
    assert.equal(
      reported(await post(`/api/sessions/${id}/${call}`)),
      [409, 'CONFLICT', 'state invalid_transition'],
      call,
    );
  }
  assert.equal(reported(await post(`/api/sessions/${id}/cancel`, { reasonCode: 'Class_Cancelled' })), [
    ...[409, 'CONFLICT', 'state invalid_transition'],
  ]);
});

test('BSN-06: a delivery counts for the assignments of present students with their answers, and is recorded once', async () => {
  const { session, edit, answer, one, two, rows, plans, get, idle } = lesson();
  const id = await session(['accept', 'distribute-online']);
  assert.equal((await answer(one, id, answers(5, 1))).body, { accepted: 6, duplicates: 0 });
  await answer(two, id, answers(1));
  const delivery = (deliveredOn: string, presentStudentIds: unknown[]) =>
    edit(id, { delivery: { deliveredOn, presentStudentIds } });
  assert.equal(
    reported(
      await edit(id, { delivery: { deliveredOn: '2026-01-12', presentStudentIds: [] }, scheduledOn: '2026-01-13' }),
    ),
    [...[422, 'VALIDATION_ERROR', 'delivery stands_alone']],
  );
  for (const day of ['2026-01-13', '2025-11-02']) {
    assert.equal(
      reported(await delivery(day, [one.id])),
      [422, 'VALIDATION_ERROR', 'delivery.deliveredOn out_of_range'],
      day,
    );
  }
  assert.equal(reported(await delivery('2026-01-12', [one.id, idle.id])), [
    ...[422, 'VALIDATION_ERROR', 'delivery.presentStudentIds.1 not_included'],
  ]);
  const replies = await Promise.all([delivery('2026-01-12', [one.id]), delivery('2026-01-12', [one.id, two.id])]);
  assert.equal(replies.map(({ status }) => status).sort(), [200, 409]);
  const there = replies[0]?.status === 200 ? [one.id] : [one.id, two.id];
  const given = (await rows('bundle_delivery')).filter(({ sourceId }) => sourceId === id);
  assert.equal(given.map(({ studentId }) => studentId).sort(), there);
  const own = given.filter(({ studentId }) => studentId === one.id).flatMap(({ responses }) => responses as Json[]);
  assert.equal(
    own.map(({ correct }) => correct),
    [true, true, true, true, true, false],
  );
  const missed = (await rows('bundle_absence')).filter(({ sourceId }) => sourceId === id);
  assert.is(given.length + missed.length, 2);
  const { body } = await get(`/api/sessions/${id}`);
  assert.equal([body.state, body.deliveredOn], ['delivered', '2026-01-12']);
  const tracker = await plans.shell.app.get<{ assignments: Json[] }>(`/api/students/${one.id}/fidelity-tracker`, {
    token: await plans.admin(one),
  });
  assert.equal(
    tracker.body.assignments.map(({ plannedMinutes, taughtMinutes }) => [plannedMinutes, taughtMinutes]),
    [[20, null]],
  );
});

test('the audit trail of a lesson is paged, newest first', async () => {
  const { session, edit, post, get, one, idle } = lesson();
  const id = await session([], { recipientStudentIds: [one.id] });
  await edit(id, { removeItemRefs: ['item-1'] });
  await edit(id, { segmentOrder: [1, 2] });
  await post(`/api/sessions/${id}/recipients/${idle.id}/include`, { overrideCode: 'Ses_Recipient_Inclusion_09' });
  await post(`/api/sessions/${id}/accept`);
  await post(`/api/sessions/${id}/distribute-online`);
  await post(`/api/sessions/${id}/cancel`, { reasonCode: 'Duplicate_Session' });
  const first = await get(`/api/sessions/${id}/audit?limit=2`);
  const rest = await get(`/api/sessions/${id}/audit?cursor=${first.body.nextCursor}`);
  const past = [...(first.body.items as Json[]), ...(rest.body.items as Json[])];
  assert.equal(
    past.map(({ action, changedFields }) => [action, changedFields]),
    [
      ['cancelled', ['state', 'cancelReasonCode']],
      ['distributed', ['state', 'distributedAt']],
      ['accepted', ['state']],
      ['recipient_included', ['recipients']],
      ['edited', ['segments', 'items']],
      ['created', []],
    ],
  );
  assert.equal([...new Set(past.map(({ actorUserId }) => actorUserId))], [one.teacher.id]);
});

test('recommended: students at a step in one group with the best blueprint; halted students are left out', async () => {
  const { get, blueprint, one, two, plans } = lesson();
  const turning = await plans.classmate(one);
  await plans.given(turning);
  await plans.measure(turning, { LK_FORM: 'CCC' }, 9);
  await blueprint({ grade: 3, scaffoldTier: 'Level_3' });
  const blueprintId = await blueprint({ scaffoldTier: 'Level_3' });
  const { body, status } = await get(`/api/sessions/catalog/recommended?classId=${one.classRow.id}`);
  assert.is(status, 200, JSON.stringify(body));
  assert.equal(body, {
    items: [
      {
        ...{ blueprintId, bundle_id: 'BND-DECODE-01', stepNo: 1, sessionRole: 'EXPLICIT_TEACHING' },
        ...{ deliveryMode: 'teacher_led_small_group', scaffoldTier: 'Level_3', anchor_skill_group: 'DEC_BASIC' },
        ...{ recipientStudentIds: [one.id, two.id], reasonCode: 'current_step' },
      },
    ],
    nextCursor: null,
  });
  assert.is((await get('/api/sessions/catalog/recommended')).status, 422);
  assert.is((await get('/api/sessions/catalog/recommended?classId=999999999')).status, 404);
});

test.run();
