// Control of a live lesson over HTTP: created, given a playlist, started, moved on, ended; and who may not do so.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { endOverdue } from '#teaching/live-lessons/ending/jobs.ts';
import { buildClass, buildTeacher, signIn } from '../../harness/factories.ts';
import { useApp } from '../../harness/http.ts';
import { buildBlueprint } from '../lesson-blueprints/rows.ts';
import { buildLesson } from '../lessons/rows.ts';
import { type Body, buildClassroom, type Classroom, liveCalls, refusal, taught } from './clients.ts';
import { buildLive, draftLive } from './rows.ts';

const app = useApp(test, { rules: true });
const { owner } = app.database;
let classroom: Classroom;
let blueprintId: string;

test.before(async () => {
  classroom = await buildClassroom(app);
  blueprintId = await buildBlueprint(owner);
});

const create = (body: object, token = classroom.teacher) => app.post<Body>('/api/sync/sessions', body, { token });
const prepared = (state: 'draft' | 'accepted') =>
  buildLesson(owner, {
    ...{
      organizationId: classroom.tenant.organizationId,
      classId: classroom.classRow.id,
      createdBy: 1,
      studentIds: [],
      state,
    },
  });
const seqs = async (id: string): Promise<[number, string][]> =>
  (await owner('live_event').where({ liveSessionId: id }).orderBy('seq')).map(({ seq, type }) => [seq, type]);

test('LVS-01 to LVS-05: created, started, paused, resumed, ended; every step increments the version and raises one event', async () => {
  const made = await create({ classId: classroom.classRow.id });
  assert.is(made.status, 201);
  const { liveSessionId: id, joinCode, createdAt, ...rest } = made.body;
  assert.match(joinCode, /^\d{6}$/);
  assert.is(createdAt, app.clock.now().toISOString());
  assert.equal(rest, {
    classId: classroom.classRow.id,
    state: 'draft',
    bundle_id: null,
    stepNo: null,
    controlVersion: 0,
  });
  const live = liveCalls(app, { id });
  assert.is(refusal(await live.post('/start', {}, classroom.teacher)), '409 empty_playlist');
  const listed = await live.put(
    '/playlist',
    { blueprintId, itemRefs: ['item-2', 'item-1', 'item-3'] },
    classroom.teacher,
  );
  assert.equal([listed.status, listed.body.controlVersion, listed.body.items[0].itemRef], [200, 1, 'item-2']);
  const started = await live.post('/start', {}, classroom.teacher);
  assert.equal([started.status, started.body.state, started.body.controlVersion], [200, 'live', 2]);
  assert.is(refusal(await live.post('/start', {}, classroom.teacher)), '409 invalid_transition');
  const steps: [string, object, string | null, string][] = [
    ['next', {}, 'item-1', 'live'],
    ['goto', { itemRef: 'item-3' }, 'item-3', 'live'],
    ['lock', {}, 'item-3', 'live'],
    ['pause', {}, 'item-3', 'paused'],
    ['resume', { expectedVersion: 6 }, 'item-3', 'live'],
    ['previous', {}, 'item-1', 'live'],
    ['end', {}, null, 'ended'],
  ];
  for (const [at, [action, fields, currentItemRef, state]] of steps.entries()) {
    const { status, body } = await live.control(classroom.teacher, action, fields);
    assert.is(status, 200, `${action}: ${JSON.stringify(body)}`);
    assert.equal(body, { state, controlVersion: 3 + at, currentItemRef, responsesLocked: at >= 2 });
  }
  const types = ['state', 'item', 'item', 'item', 'lock', 'state', 'state', 'item', 'state'].map((t) => `${t}_changed`);
  assert.equal(
    await seqs(id),
    types.map((type, at) => [at + 1, type]),
  );
  assert.is((await owner('live_join_code').where({ liveSessionId: id })).length, 0, 'the code is free again');
});

test('refused in order: fields that the action does not allow, an old version, the state, the item', async () => {
  const live = liveCalls(app, await taught(app, classroom));
  assert.is(refusal(await live.control(classroom.teacher, 'goto')), '422 is required');
  assert.is(refusal(await live.control(classroom.teacher, 'next', { itemRef: 'item-2' })), '422 not_for_action');
  assert.is((await live.control(classroom.teacher, 'stop')).status, 422);
  assert.is(refusal(await live.control(classroom.teacher, 'resume', { expectedVersion: 7 })), '409 version_conflict');
  assert.is(refusal(await live.control(classroom.teacher, 'resume')), '409 invalid_transition');
  assert.is(refusal(await live.control(classroom.teacher, 'cancel')), '409 invalid_transition');
  assert.is(refusal(await live.control(classroom.teacher, 'previous')), '409 no_such_item');
  assert.is(refusal(await live.control(classroom.teacher, 'goto', { itemRef: 'item-9' })), '409 no_such_item');
});

test('LVS-02: one lesson per class is taught at a time, also when two are started concurrently', async () => {
  const first = await draftLive(owner, classroom.classRow);
  const second = await buildLive(owner, classroom.classRow);
  const replies = await Promise.all(
    [first, second].map((one) => liveCalls(app, one).post('/start', {}, classroom.teacher)),
  );
  assert.equal(replies.map(refusal).sort(), ['200 ', '409 class_busy']);
  const [waiting, running] = replies[0]?.status === 200 ? [second, first] : [first, second];
  assert.is(refusal(await liveCalls(app, waiting).post('/start', {}, classroom.teacher)), '409 class_busy');
  await liveCalls(app, running).control(classroom.teacher, 'pause');
  assert.is(refusal(await liveCalls(app, waiting).post('/start', {}, classroom.teacher)), '409 class_busy');
  await liveCalls(app, running).control(classroom.teacher, 'end');
  assert.is((await liveCalls(app, waiting).post('/start', {}, classroom.teacher)).status, 200);
});

test('of many concurrent actions with one version one succeeds, and the event numbers have no gap', async () => {
  const built = await taught(app, classroom);
  const live = liveCalls(app, built);
  const replies = await Promise.all(
    [1, 2, 3, 4, 5].map(() => live.control(classroom.teacher, 'next', { expectedVersion: 0 })),
  );
  assert.equal(replies.map(refusal).sort(), ['200 ', ...Array(4).fill('409 version_conflict')]);
  await Promise.all([1, 2, 3, 4, 5].map((no) => live.control(classroom.coTeacher, no % 2 ? 'lock' : 'unlock')));
  const numbers = (await seqs(built.id)).map(([seq]) => seq);
  assert.equal(
    numbers,
    numbers.map((_, at) => at + 1),
  );
});

test('LVS-07: an ended or cancelled lesson accepts nothing', async () => {
  for (const last of ['cancel', 'end']) {
    const built = last === 'end' ? await taught(app, classroom) : await draftLive(owner, classroom.classRow);
    const live = liveCalls(app, built);
    assert.is((await live.control(classroom.teacher, last)).status, 200);
    const refused = [
      await live.post('/start', {}, classroom.teacher),
      await live.control(classroom.teacher, 'end'),
      await live.control(classroom.teacher, 'cancel'),
      await live.put('/playlist', { blueprintId, itemRefs: ['item-1'] }, classroom.teacher),
      await live.post('/groups', { groups: [] }, classroom.teacher),
      await live.say(classroom.teacher, 'segment_started'),
    ];
    assert.equal(refused.map(refusal), Array(6).fill('409 invalid_transition'));
  }
});

test('a playlist has items of one blueprint: unknown and repeated items, a foreign lesson, no blueprint', async () => {
  const live = liveCalls(app, await draftLive(owner, classroom.classRow));
  const put = async (body: object) => refusal(await live.put('/playlist', body, classroom.teacher));
  assert.is(await put({ blueprintId, itemRefs: ['item-1', 'item-7'] }), '422 unknown_item');
  assert.is(await put({ blueprintId, itemRefs: ['item-1', 'item-1'] }), '422 repeated');
  assert.is(await put({ itemRefs: ['item-1'] }), '422 is required');
  assert.is(await put({ blueprintId, itemRefs: [] }), '422 must NOT have fewer than 1 items');
  assert.is(await put({ blueprintId: 'c'.repeat(24), itemRefs: ['item-1'] }), '404 NOT_FOUND');
  const keys = (await live.get('/playlist', classroom.tenant.people.PRINCIPAL.token)).body;
  assert.equal([keys.controlVersion, keys.items.length, keys.items[0].correctOptionIndex], [0, 6, 0]);
});

test('an answered item stays in the playlist; the current one may be removed', async () => {
  const [pupil] = classroom.pupils;
  const built = await taught(app, classroom, classroom.pupils);
  const live = liveCalls(app, built);
  const answer = { liveSessionId: built.id, organizationId: built.organizationId, schoolYear: '2025-2026' };
  await owner('live_response').insert({
    ...{
      ...answer,
      studentId: pupil?.id,
      itemRef: 'item-3',
      subSkillCode: 'DEC_WORD',
      taskType: 'mcq_text',
      source: 'current',
    },
    ...{ clientResponseId: 'x', selectedOptionIndex: 0, correct: true, answeredAt: app.clock.now() },
  });
  const put = (itemRefs: string[]) => live.put('/playlist', { blueprintId, itemRefs }, classroom.teacher);
  assert.is(refusal(await put(['item-1', 'item-2'])), '409 item_answered');
  assert.is((await put(['item-3', 'item-2'])).status, 200);
  assert.is((await live.get('', classroom.teacher)).body.currentItemRef, 'item-2', 'the next remaining item');
});

test('created for a lesson: its items in the order of its segments, its bundle and step', async () => {
  const sessionId = await prepared('accepted');
  const { status, body } = await create({ classId: classroom.classRow.id, sessionId });
  assert.equal([status, body.bundle_id, body.stepNo], [201, 'BND-DECODE-01', 1], JSON.stringify(body));
  const live = liveCalls(app, { id: body.liveSessionId });
  assert.is((await live.get('/playlist', classroom.teacher)).body.items.length, 6);
  assert.is((await live.put('/playlist', { itemRefs: ['item-5'] }, classroom.teacher)).status, 200);
  const unfit = await prepared('draft');
  assert.is(refusal(await create({ classId: classroom.classRow.id, sessionId: unfit })), '409 invalid_transition');
  assert.is((await create({ classId: classroom.classRow.id, sessionId: 'c'.repeat(24) })).status, 404);
  const otherClass = await buildClass(owner, { organizationId: classroom.tenant.organizationId, grade: 2 });
  const taughtToo = await signIn(app, await buildTeacher(owner, otherClass));
  const elsewhere = await create({ classId: otherClass.id, sessionId }, taughtToo);
  assert.is(refusal(elsewhere), '422 other_class');
});

test('a teacher who leaves the class has no access; another teacher continues; administrators and principals only read', async () => {
  const { people } = classroom.tenant;
  const built = await taught(app, classroom);
  const live = liveCalls(app, built);
  assert.is((await live.control(classroom.coTeacher, 'next')).status, 200);
  const link = { classId: classroom.classRow.id, teacherUserId: people.TEACHER.id };
  const row = await owner('class_teacher').where(link).first('organizationId', 'classId', 'teacherUserId', 'role');
  await owner('class_teacher').where(link).delete();
  assert.is(refusal(await live.control(classroom.teacher, 'next')), '403 PERMISSION_DENIED');
  assert.is((await live.poll(classroom.teacher)).status, 403);
  assert.is((await live.control(classroom.coTeacher, 'pause')).status, 200);
  await owner('class_teacher').insert(row);
  for (const { token } of [people.ADMIN, people.PRINCIPAL]) {
    assert.is((await live.get('', token)).status, 200);
    assert.is((await live.get('/events', token)).status, 200);
    assert.is((await live.control(token, 'resume')).status, 403);
    assert.is((await live.poll(token)).status, 403);
  }
  assert.is((await live.get('', people['TEACHER elsewhere'].token)).status, 403);
});

test('LVS-05 and LVS-06: ended four hours after the start, cancelled twelve after the creation, not before; a failure affects no other', async () => {
  const classes = await Promise.all(
    [1, 2, 3].map(() => buildClass(owner, { organizationId: classroom.tenant.organizationId })),
  );
  const [broken, running, waiting] = await Promise.all(
    classes.map((classRow, at) =>
      buildLive(owner, classRow, { state: at < 2 ? 'live' : 'draft', createdAt: app.clock.now() }),
    ),
  );
  const stateOf = async (one: { id: string } | undefined) =>
    (await owner('live_session').where({ id: one?.id }).first('state')).state;
  const hour = 3_600_000;
  app.clock.advance(4 * hour - 1);
  await endOverdue(app.services);
  assert.is(await stateOf(running), 'live');
  app.clock.advance(1);
  const before = await owner('live_playlist').where({ liveSessionId: broken?.id });
  assert.is(before.length, 1);
  await owner.raw(`create function break_one() returns trigger language plpgsql as $$ begin
    if new.id = '${broken?.id}' then raise exception 'broken on purpose'; end if; return new; end $$;
    create trigger break_one before update on live_session for each row execute function break_one()`);
  const failed: unknown = await endOverdue(app.services).catch((error: unknown) => error);
  assert.match(String(failed), 'broken on purpose');
  assert.equal([await stateOf(broken), await stateOf(running)], ['live', 'ended']);
  await owner.raw('drop trigger break_one on live_session; drop function break_one');
  await endOverdue(app.services);
  assert.equal([await stateOf(broken), await stateOf(waiting)], ['ended', 'draft']);
  app.clock.advance(8 * hour - 1);
  await endOverdue(app.services);
  assert.is(await stateOf(waiting), 'draft');
  app.clock.advance(1);
  await endOverdue(app.services);
  assert.is(await stateOf(waiting), 'cancelled');
});

test.run();
