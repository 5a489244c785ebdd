// Joining a live lesson, groups, and signals of devices.
import { randomUUID } from 'node:crypto';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { inContext } from '#core/platform/db.ts';
import { reserveJoinCode } from '#teaching/live-lessons/rows/codes.ts';
import { signIn } from '../../harness/factories.ts';
import { useApp } from '../../harness/http.ts';
import { type Body, buildClassroom, type Classroom, liveCalls, type Pupil, refusal, taught } from './clients.ts';
import { type BuiltLive, buildLive, draftLive, unusedCode } from './rows.ts';

const app = useApp(test, { rules: true });
const { owner } = app.database;
const minute = 60_000;
let classroom: Classroom;
let foreign: Classroom;
let [first, second, third] = [] as unknown as [Pupil, Pupil, Pupil];

test.before(async () => {
  classroom = await buildClassroom(app);
  foreign = await buildClassroom(app, 1);
  [first, second, third] = classroom.pupils as [Pupil, Pupil, Pupil];
});

const join = (token: string, joinCode: string) => app.post<Body>('/api/sync/sessions/join', { joinCode }, { token });
/** Signs in again, because tokens expire after 15 minutes. */
const again = async (pupil: Pupil): Promise<Pupil> => ({ ...pupil, token: await signIn(app, pupil) });
const eventsOf = async ({ id }: Pick<BuiltLive, 'id'>): Promise<string[]> =>
  (await owner('live_event').where({ liveSessionId: id }).orderBy('seq')).map(
    ({ seq, type, studentId }) => `${seq} ${type}${studentId === null ? '' : ` ${studentId}`}`,
  );

test('a code joins the lesson of the own class; joining again changes nothing', async () => {
  const built = await draftLive(owner, classroom.classRow);
  const once = await join(first.token, built.joinCode);
  assert.equal([once.status, once.body], [200, { liveSessionId: built.id, state: 'draft', cursor: '1' }]);
  assert.equal((await join(first.token, built.joinCode)).body, once.body);
  const both = await Promise.all([join(second.token, built.joinCode), join(second.token, built.joinCode)]);
  assert.equal(
    both.map(({ status, body }) => [status, body.cursor]),
    Array(2).fill([200, '2']),
  );
  assert.equal(await eventsOf(built), [`1 participant_joined ${first.id}`, `2 participant_joined ${second.id}`]);
  const { participants } = (await liveCalls(app, built).get('', classroom.teacher)).body;
  const at = app.clock.now().toISOString();
  assert.equal(
    participants,
    [first, second].map(({ id }) => ({ studentId: id, joinedAt: at, lastSeenAt: at })),
  );
});

test('another class of the organization is refused; another organization and an expired code find nothing', async () => {
  const built = await draftLive(owner, classroom.classRow);
  assert.is((await join(classroom.tenant.people['STUDENT elsewhere'].token, built.joinCode)).status, 403);
  assert.is(refusal(await join(foreign.pupils[0]?.token ?? '', built.joinCode)), '404 NOT_FOUND');
  assert.is((await join(classroom.teacher, built.joinCode)).status, 403);
  assert.is((await join(first.token, built.joinCode)).status, 200);
  await liveCalls(app, built).control(classroom.teacher, 'cancel');
  assert.is(refusal(await join(first.token, built.joinCode)), '404 NOT_FOUND');
});

test('an active code is not issued again in any organization', async () => {
  const { joinCode } = await draftLive(owner, foreign.classRow);
  const { id, organizationId } = await buildLive(owner, classroom.classRow);
  const drawn = [joinCode, joinCode, '777777'];
  const taken = await inContext(app.database.app, { organizationId }, (trx) =>
    reserveJoinCode(trx, { organizationId, id }, () => drawn.shift() ?? ''),
  );
  assert.is(taken, '777777');
});

test('groups: all are replaced together; members are unique and of the class, leaders are members', async () => {
  const built = await taught(app, classroom, classroom.pupils);
  const live = liveCalls(app, built);
  const set = (groups: object[]) => live.post('/groups', { groups }, classroom.teacher);
  const [a, b, c] = [first.id, second.id, third.id];
  const made = await set([{ memberStudentIds: [b, a], leaderStudentId: b }, { memberStudentIds: [c] }]);
  assert.is(made.status, 200, JSON.stringify(made.body));
  const [one, two] = made.body.groups;
  assert.equal(
    [one, two].map(({ groupNo, memberStudentIds, leaderStudentId }) => [groupNo, memberStudentIds, leaderStudentId]),
    [
      [1, [a, b].sort((x, y) => x - y), b],
      [2, [c], null],
    ],
  );
  assert.equal((await live.get('/groups', classroom.tenant.people.ADMIN.token)).body, made.body);
  const stranger = classroom.tenant.people['STUDENT elsewhere'].id;
  assert.is(refusal(await set([{ memberStudentIds: [a, b, a] }])), '422 repeated');
  assert.is(refusal(await set([{ memberStudentIds: [a], leaderStudentId: b }])), '422 not_a_member');
  assert.is((await set([{ memberStudentIds: [stranger] }])).status, 403);
  assert.is((await set([{ memberStudentIds: [foreign.pupils[0]?.id] }])).status, 404);
  assert.is((await set([{ memberStudentIds: [] }])).status, 422);
  const leads = await live.patch(`/groups/${two.groupId}/leader`, { studentId: c }, classroom.teacher);
  assert.equal([leads.status, leads.body.leaderStudentId], [200, c]);
  const other = await live.patch(`/groups/${two.groupId}/leader`, { studentId: a }, classroom.teacher);
  assert.is(refusal(other), '422 not_a_member');
  assert.equal((await live.poll(second.token)).body.group, { groupNo: 1, isLeader: true });
  assert.equal((await live.poll(third.token)).body.group, { groupNo: 2, isLeader: true });
  assert.equal((await live.poll(classroom.teacher)).body.group, null);
  assert.is((await set([])).status, 200);
  assert.equal((await live.poll(second.token)).body.group, null);
  const response = await live.patch(`/groups/${one.groupId}/leader`, { studentId: a }, classroom.teacher);
  assert.is(response.status, 404, 'the previous group does not exist');
  assert.equal(
    await eventsOf(built),
    [1, 2, 3].map((seq) => `${seq} group_changed`),
  );
});

test('signals: each once, a heartbeat updates presence without an event, and signals of another role are refused', async () => {
  const built = await taught(app, classroom, [first, second]);
  const live = liveCalls(app, built);
  const id = randomUUID();
  const signal = { events: [{ clientEventId: id, type: 'hand_raised' }] };
  app.clock.advance(minute);
  assert.equal((await live.post('/events', signal, first.token)).body, { accepted: 1, duplicates: 0 });
  assert.equal((await live.post('/events', signal, first.token)).body, { accepted: 0, duplicates: 1 });
  const upper = { events: [{ clientEventId: id.toUpperCase(), type: 'left' }] };
  assert.equal((await live.post('/events', upper, second.token)).body, { accepted: 0, duplicates: 1 });
  const [one, two] = [randomUUID(), randomUUID()];
  const batch = { events: [one, two, one].map((clientEventId) => ({ clientEventId, type: 'heartbeat' })) };
  const reply = await live.post('/events', batch, second.token);
  assert.equal([reply.status, reply.body], [202, { accepted: 1, duplicates: 2 }], 'the first one counts');
  assert.equal(await eventsOf(built), [`1 hand_raised ${first.id}`]);
  const { participants } = (await live.get('', classroom.teacher)).body;
  const seen = participants.map(({ lastSeenAt }: { lastSeenAt: string }) => lastSeenAt);
  assert.equal(seen, Array(2).fill(app.clock.now().toISOString()));
  assert.is(refusal(await live.say(first.token, 'segment_started')), '422 not_for_caller');
  assert.is(refusal(await live.say(classroom.teacher, 'heartbeat')), '422 not_for_caller');
  assert.is((await live.say(third.token, 'heartbeat')).status, 403, 'a student who has not joined');
  assert.is((await live.say(classroom.tenant.people['STUDENT elsewhere'].token, 'heartbeat')).status, 403);
  assert.is((await live.post('/events', { events: [] }, first.token)).status, 422);
  const skewed = { events: [{ clientEventId: randomUUID(), type: 'heartbeat', at: '2020-01-01T00:00:00.000Z' }] };
  assert.is((await live.post('/events', skewed, first.token)).status, 422, 'times of devices are not accepted');
});

test('a raised hand is active until the teacher moves on; a flooding device gets responses, and 200 signals are stored', async () => {
  const built = await taught(app, classroom, [first, second]);
  const live = liveCalls(app, built);
  const accepted = async (...types: string[]) => (await live.say(first.token, ...types)).body.accepted;
  assert.is(await accepted('hand_raised', 'hand_raised'), 1);
  assert.is(await accepted('hand_raised'), 0, 'it is raised already');
  assert.is((await live.say(second.token, 'hand_raised')).body.accepted, 1, 'hands are counted per student');
  await live.post('/control', { action: 'next' }, classroom.teacher);
  assert.is(await accepted('hand_raised'), 1, 'another item');
  let kept = 0;
  for (let round = 0; round < 110; round += 1) {
    await live.post('/control', { action: round % 2 ? 'unlock' : 'lock' }, classroom.teacher);
    kept += await accepted(...Array(24).fill('hand_raised'), ...Array(25).fill('heartbeat'));
  }
  assert.is(kept, 198, 'two hands before');
  const rows = owner('live_client_event').where({ liveSessionId: built.id, userId: first.id });
  assert.equal(await rows.count({ n: '*' }), [{ n: 200 }]);
  app.clock.advance(minute);
  assert.is(await accepted('heartbeat', 'left'), 0);
  const { participants } = (await live.get('', classroom.teacher)).body;
  const seen = participants.find(({ studentId }: { studentId: number }) => studentId === first.id);
  assert.is(seen.lastSeenAt, app.clock.now().toISOString(), 'a signal that is not stored updates presence');
});

test('a student may leave and return, with an event for staff each time', async () => {
  const built = await taught(app, classroom, [first]);
  const live = liveCalls(app, built);
  await live.say(first.token, 'left');
  await live.say(first.token, 'heartbeat');
  assert.is((await join(first.token, built.joinCode)).status, 200);
  const types = (await live.get('/events', classroom.teacher)).body.items.map(({ type }: Body) => type);
  assert.equal(types, ['participant_left', 'participant_joined']);
});

test('events are paged with their data; concurrent ones have numbers without a gap', async () => {
  const built = await taught(app, classroom, classroom.pupils);
  const live = liveCalls(app, built);
  await Promise.all([
    ...[...classroom.pupils, ...classroom.pupils].map(({ token }) => live.say(token, 'hand_raised', 'hand_raised')),
    ...classroom.pupils.map(({ token }) => live.say(token, 'left', 'hand_raised')),
    ...Array.from({ length: 6 }, () => live.say(classroom.teacher, 'segment_started', 'segment_finished')),
  ]);
  await live.say(classroom.teacher, 'segment_started', 'segment_finished');
  const page = await live.get('/events?limit=12', classroom.teacher);
  const rest = await live.get(`/events?limit=12&cursor=${page.body.nextCursor}`, classroom.teacher);
  const all: Body[] = [...page.body.items, ...rest.body.items];
  assert.equal(
    all.map(({ seq }) => seq),
    Array.from({ length: 20 }, (_, at) => at + 1),
  );
  assert.equal([all[18].type, all[18].data, rest.body.nextCursor], ['segment_started', {}, null]);
  const ofStudents = all.filter(({ data }) => classroom.pupils.some(({ id }) => id === data.studentId));
  assert.equal(ofStudents.map(({ type }) => type).sort(), [
    'hand_raised',
    'hand_raised',
    'hand_raised',
    ...Array(3).fill('participant_left'),
  ]);
  assert.is((await live.get('/events?cursor=x', classroom.teacher)).status, 422);
});

test('ten wrong codes lock a student out for 15 minutes, also with the right code; a malformed code does not count', async () => {
  third = await again(third);
  const other = await again(second);
  const built = await draftLive(owner, classroom.classRow);
  for (const malformed of ['12345', '1234567', '12345a', '']) {
    for (let n = 0; n < 4; n++) assert.is((await join(third.token, malformed)).status, 422);
  }
  for (let n = 0; n < 9; n++) assert.is((await join(third.token, unusedCode)).status, 404);
  assert.is((await join(third.token, built.joinCode)).status, 200, 'a success clears the failures');
  const ten = await Promise.all(Array.from({ length: 10 }, () => join(third.token, unusedCode)));
  assert.equal(
    ten.map(({ status }) => status),
    Array(10).fill(404),
  );
  const limited = await join(third.token, built.joinCode);
  assert.equal([limited.status, limited.body.code, limited.body.retryAfter], [429, 'RATE_LIMITED', 900]);
  assert.is(limited.headers.get('retry-after'), '900');
  assert.is((await join(other.token, built.joinCode)).status, 200, 'other students are not locked out');
  const recorded = await owner('security_event').where({ userId: third.id, kind: 'code_limit' });
  assert.is(recorded.length, 1);
  app.clock.advance(15 * minute - 1);
  assert.is((await join(third.token, built.joinCode)).status, 429);
  app.clock.advance(1);
  third = await again(third);
  assert.is((await join(third.token, built.joinCode)).status, 200);
});

test('a code is read with the digits of any script, without blanks and hyphens', async () => {
  const built = await draftLive(owner, classroom.classRow);
  const pupil = await again(first);
  const zeros = [0x660, 0x6f0, 0x966, 0xff10];
  const mixed = [...built.joinCode].map((digit, at) =>
    String.fromCodePoint((zeros[at % zeros.length] ?? 0) + Number(digit)),
  );
  for (const typed of [
    mixed.join(''),
    mixed.join(' '),
    `\u200e${mixed.slice(0, 3).join('')}-${mixed.slice(3).join('')}`,
  ]) {
    assert.is((await join(pupil.token, typed)).status, 200, typed);
  }
  for (const typed of ['', '---', '٩٥٤٢٦', '٩٥٤٢٦٧٨', '95426½'])
    assert.is((await join(pupil.token, typed)).status, 422, typed);
});

test.run();
