// Polls of a live lesson by teachers and students.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { newId } from '#core/platform/ids.ts';
import { useApp } from '../../harness/http.ts';
import { countRoundTrips } from '../../harness/statements/round-trips.ts';
import { type Body, buildClassroom, type Classroom, liveCalls, type Pupil, refusal, taught } from './clients.ts';
import { sixItems } from './rows.ts';

const app = useApp(test, { rules: true });
const { owner } = app.database;
let classroom: Classroom;
let [first, second] = [] as unknown as [Pupil, Pupil];

test.before(async () => {
  classroom = await buildClassroom(app, 3);
  [first, second] = classroom.pupils as [Pupil, Pupil];
});

const [one] = sixItems;

test('without a cursor: the current state and no events; no key, no sub-skill, no data of others', async () => {
  const live = liveCalls(app, await taught(app, classroom, [first]));
  await live.control(classroom.teacher, 'lock');
  const { status, body } = await live.poll(first.token);
  assert.is(status, 200);
  assert.equal(body, {
    cursor: '1',
    state: 'live',
    controlVersion: 1,
    currentItem: {
      ...{ itemRef: 'item-1', promptAr: one?.promptAr, speechAr: null, passageAr: null },
      ...{ options: one?.options, optionSpeechAr: null },
    },
    responsesLocked: true,
    group: null,
    ismItem: null,
    events: [],
    nextPollAfterMs: 2000,
  });
});

test('with a cursor: the events since; students receive five types without data', async () => {
  const live = liveCalls(app, await taught(app, classroom, classroom.pupils));
  await live.control(classroom.teacher, 'next');
  await live.say(first.token, 'hand_raised');
  await live.post('/groups', { groups: [{ memberStudentIds: [first.id, second.id] }] }, classroom.teacher);
  const eventsAfter = async (token: string, cursor: string) => {
    const { body } = await live.poll(token, cursor);
    return [body.cursor, body.events.map(({ seq, type, data }: Body) => [seq, type, data])];
  };
  const itemRef = 'item-2';
  assert.equal(await eventsAfter(classroom.teacher, '0'), [
    '3',
    [
      [1, 'item_changed', { itemRef }],
      [2, 'hand_raised', { studentId: first.id }],
      [3, 'group_changed', {}],
    ],
  ]);
  assert.equal(await eventsAfter(second.token, '0'), [
    '3',
    [
      [1, 'item_changed', {}],
      [3, 'group_changed', {}],
    ],
  ]);
  assert.equal(await eventsAfter(second.token, '2'), ['3', [[3, 'group_changed', {}]]]);
  assert.equal(await eventsAfter(second.token, '3'), ['3', []]);
});

test('events about one student are visible to that student only', async () => {
  const built = await taught(app, classroom, classroom.pupils);
  const live = liveCalls(app, built);
  const place = { organizationId: built.organizationId, liveSessionId: built.id };
  await owner('live_own_run').insert({
    ...{ ...place, id: newId(), studentId: first.id, playlistNo: 1, itemRefs: '["item-4"]', state: 'running' },
    ...{ startedBy: 1, startedAt: app.clock.now() },
  });
  const event = { ...place, schoolYear: '2025-2026', seq: 1, type: 'ism_changed', studentId: first.id };
  await owner('live_event').insert({ ...event, data: '{}', at: app.clock.now() });
  const [mine, others] = [(await live.poll(first.token, '0')).body, (await live.poll(second.token, '0')).body];
  assert.equal([mine.ismItem.itemRef, mine.events.length, mine.events[0].type], ['item-4', 1, 'ism_changed']);
  assert.equal([others.ismItem, others.events, others.cursor], [null, [], '1']);
});

test('an unknown cursor and unknown parameters are refused', async () => {
  const live = liveCalls(app, await taught(app, classroom, [first]));
  for (const cursor of ['1', '-1', '01', 'x', '9'.repeat(16), '1.5', '%20']) {
    assert.is((await live.poll(first.token, cursor)).status, 422, cursor);
  }
  assert.is((await live.get('/poll?limit=5', first.token)).status, 422);
  assert.is((await live.poll(first.token, '0')).status, 200);
});

test('missed events are returned a hundred at a time', async () => {
  const built = await taught(app, classroom, [first]);
  const live = liveCalls(app, built);
  const events = Array.from({ length: 700 }, (_, at) => ({
    ...{ organizationId: built.organizationId, schoolYear: '2025-2026', liveSessionId: built.id, seq: at + 1 },
    ...{ type: at % 2 ? 'item_changed' : 'hand_raised', data: '{}', at: app.clock.now() },
  }));
  await owner('live_event').insert(events);
  const seqs: number[] = [];
  let cursor = '0';
  for (let asked = 0; asked < 5; asked++) {
    const { body } = await live.poll(first.token, cursor);
    seqs.push(...body.events.map(({ seq }: Body) => seq));
    cursor = body.cursor;
  }
  assert.equal(
    seqs,
    Array.from({ length: 350 }, (_, at) => 2 * at + 2),
  );
  assert.is(cursor, '700');
  const { body } = await live.poll(classroom.teacher, '0');
  assert.equal([body.events.length, body.cursor], [100, '100']);
});

test('the order of checks: token, permission, existence, reach, query; a revoked session ends immediately', async () => {
  const built = await taught(app, classroom, [first]);
  const live = liveCalls(app, built);
  const { people } = classroom.tenant;
  assert.is(refusal(await live.poll('')), '401 TOKEN_INVALID');
  assert.is(refusal(await live.poll(people.PARENT.token, 'x')), '403 PERMISSION_DENIED');
  const absent = liveCalls(app, { id: 'c'.repeat(24) });
  assert.is(refusal(await absent.poll(first.token, 'x')), '404 NOT_FOUND');
  assert.is(refusal(await liveCalls(app, { id: 'C%00' }).poll(first.token)), '404 NOT_FOUND');
  assert.is(refusal(await live.poll(second.token, 'x')), '403 PERMISSION_DENIED', 'the student has not joined');
  const foreign = await buildClassroom(app, 1);
  assert.is(refusal(await live.poll(foreign.teacher, 'x')), '404 NOT_FOUND');
  assert.is(refusal(await live.poll(first.token, 'x')), '422 is not one of ours');
  const session = { userId: first.id };
  await owner('auth_session').where(session).update({ revokedAt: app.clock.now(), revokedReason: 'logout' });
  assert.is(refusal(await live.poll(first.token)), '401 SESSION_REVOKED');
  await owner('auth_session').where(session).update({ revokedAt: null, revokedReason: null });
  const enrolled = { studentId: first.id };
  await owner('enrollment').where(enrolled).update({ enrolledTo: '2026-01-14' });
  assert.is((await live.poll(first.token)).status, 403, 'the student has left the class');
  await owner('enrollment').where(enrolled).update({ enrolledTo: null });
  assert.is((await live.poll(first.token)).status, 200);
});

test('after the end polls still return the lesson', async () => {
  const live = liveCalls(app, await taught(app, classroom, [first]));
  await live.control(classroom.teacher, 'end');
  const { body } = await live.poll(first.token, '0');
  assert.equal([body.state, body.currentItem, body.events.at(-1).type], ['ended', null, 'state_changed']);
});

const trips = countRoundTrips(test, app.database.appUrl, /^insert into rate_limit as w /);

test('forty concurrent polls cause few statements, and two when nothing has happened', async () => {
  const built = await taught(app, classroom, classroom.pupils);
  const live = liveCalls(app, built);
  const tokens = Array.from({ length: 40 }, (_, at) => classroom.pupils[at % 3]?.token ?? '');
  await Promise.all(tokens.map((token) => live.poll(token)));
  trips.restart();
  await live.poll(first.token);
  const alone = trips.since();
  assert.ok(alone.count <= 2, JSON.stringify(alone));
  trips.restart();
  const replies = await Promise.all(tokens.map((token) => live.poll(token)));
  assert.ok(replies.every(({ status }) => status === 200));
  const together = trips.since();
  assert.ok(together.statements.length <= 30, `${together.statements.length} statements for forty`);
});

test.run();
