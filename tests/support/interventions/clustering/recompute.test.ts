// The groups of a class over HTTP: results, new generations, changes and expiry.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { signIn } from '../../../harness/factories.ts';
import { decodingNeed, firstPart, halting, type Room, soundsNeed, useClassroom } from '../classroom.ts';
import { decodingKey } from '../cluster-keys.ts';

const classroom = useClassroom(test);
const { app, http } = classroom;
const { owner } = app.database;

interface Body {
  readonly generationId: string;
  readonly created?: boolean;
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly minimumSize: number;
  readonly clusters: readonly {
    readonly clusterKey: string;
    readonly memberStudentIds: readonly number[];
    readonly classwide: boolean;
    readonly activatable: boolean;
    readonly notActivatableReason: string | null;
  }[];
  readonly changes: object | null;
  readonly individualReview: readonly object[];
  readonly moreDataNeeded: readonly object[];
}

const recompute = ({ classRow, token }: Room) =>
  http.post<Body>(`/api/cluster/recompute/${classRow.id}`, {}, { token });
const current = ({ classRow, token }: Room) => http.get<Body>(`/api/cluster/classes/${classRow.id}/current`, { token });

async function studentsOf(room: Room, count: number) {
  const made = [];
  for (let at = 0; at < count; at += 1) made.push(await classroom.student(room));
  return made;
}
const idsOf = (students: readonly { readonly id: number }[]) => students.map(({ id }) => id);

test('groups, exclusions and who is in neither; the same again is the same generation, byte for byte', async () => {
  const room = await classroom.room();
  const decoding = await studentsOf(room, 3);
  const [halted, unmeasured, well] = await studentsOf(room, 3);
  assert.ok(halted && unmeasured && well);
  await classroom.measure([...decoding, halted], decodingNeed);
  await classroom.measure([well], firstPart());
  await classroom.measure([halted], halting);
  const { status, body } = await recompute(room);
  assert.is(status, 200, JSON.stringify(body));
  assert.equal(body.clusters, [
    {
      clusterKey: decodingKey,
      bundle_id: 'BND-DECODE-01',
      anchor_skill_group: 'DEC_BASIC',
      scaffold_tier: 'Level_3',
      compatible_delivery_mode: 'teacher_led_small_group',
      sufficient_data: true,
      memberStudentIds: idsOf(decoding),
      teachingGroups: [idsOf(decoding)],
      classwide: false,
      activatable: true,
      notActivatableReason: null,
    },
  ]);
  assert.equal(body.individualReview, []);
  assert.equal(body.moreDataNeeded, [
    { studentId: halted.id, reasonCode: 'do_not_decide_yet', nextRecommendedDataAction: 'administer_more_items' },
    { studentId: unmeasured.id, reasonCode: 'data_incomplete', nextRecommendedDataAction: 'run_diagnostic' },
  ]);
  assert.equal([body.created, body.changes, body.minimumSize], [true, null, 2]);
  assert.is(Date.parse(body.expiresAt) - Date.parse(body.createdAt), 60 * 86_400_000);

  const again = await recompute(room);
  const { created, ...same } = again.body;
  const { created: first, ...before } = body;
  assert.equal([first, created], [true, false]);
  assert.is(JSON.stringify(same), JSON.stringify(before));
  assert.is(JSON.stringify((await current(room)).body), JSON.stringify(before));
  assert.is((await owner('cluster_generation').where({ classId: room.classRow.id })).length, 1);
});

test('what changed since the generation before: into another group, out to more data, dropped, gone', async () => {
  const room = await classroom.room();
  const students = await studentsOf(room, 7);
  const [mover, halted, leaver, ...rest] = students;
  assert.ok(mover && halted && leaver);
  const sounds = rest.slice(2);
  await classroom.measure([mover, halted, leaver, ...rest.slice(0, 2)], decodingNeed);
  await classroom.measure(sounds, { ...decodingNeed, ...soundsNeed });
  const first = await recompute(room);
  assert.equal(
    first.body.clusters.map(({ memberStudentIds }) => memberStudentIds.length),
    [5, 2],
  );
  app.clock.advance(600_000);
  const soundsKey = first.body.clusters[1]?.clusterKey ?? '';
  await classroom.measure([mover], soundsNeed);
  await classroom.measure([halted], halting);
  await owner('enrollment').where({ studentId: leaver.id }).update({ enrolledTo: '2026-01-16' });
  const { body } = await recompute(room);
  assert.is(body.created, true);
  assert.equal(body.changes, {
    entered: [{ studentId: mover.id, clusterKey: soundsKey }],
    left: [
      { studentId: mover.id, clusterKey: decodingKey, reasonCode: 'other_cluster' },
      { studentId: halted.id, clusterKey: decodingKey, reasonCode: 'moreDataNeeded' },
      { studentId: leaver.id, clusterKey: decodingKey, reasonCode: 'left_class' },
    ],
  });
  const [kept] = rest;
  await classroom.measure([kept as never], halting);
  const last = await recompute(room);
  const [, second] = rest;
  assert.equal(last.body.changes, {
    entered: [],
    left: [
      { studentId: kept?.id, clusterKey: decodingKey, reasonCode: 'moreDataNeeded' },
      { studentId: second?.id, clusterKey: decodingKey, reasonCode: 'dropped' },
    ],
  });
});

test('the school’s number goes before the organization’s', async () => {
  const room = await classroom.room();
  const students = await studentsOf(room, 3);
  await classroom.measure(students, decodingNeed);
  const sizes = async () => {
    const { body } = await recompute(room);
    return [body.minimumSize, body.clusters.length];
  };
  assert.equal(await sizes(), [2, 1]);
  await owner('organization').where({ id: room.organizationId }).update({ minClusterSize: 4 });
  assert.equal(await sizes(), [4, 0]);
  await owner('school').where({ id: room.classRow.schoolId }).update({ minClusterSize: 3 });
  assert.equal(await sizes(), [3, 1]);
});

test('an empty class, and a class of one student', async () => {
  const room = await classroom.room();
  const { body } = await recompute(room);
  assert.equal([body.clusters, body.individualReview, body.moreDataNeeded], [[], [], []]);
  const [only] = await studentsOf(room, 1);
  assert.ok(only);
  await classroom.measure([only], decodingNeed);
  const one = await recompute(room);
  assert.equal([one.body.clusters, one.body.moreDataNeeded, one.body.created], [[], [], false]);
});

test('an account that is not active is in no group', async () => {
  const room = await classroom.room();
  const students = await studentsOf(room, 3);
  await classroom.measure(students, decodingNeed);
  await owner('app_user').where({ id: students[0]?.id }).update({ status: 'inactive' });
  const { body } = await recompute(room);
  assert.equal(body.clusters[0]?.memberStudentIds, idsOf(students.slice(1)));
});

test('from the instant at which it expires a generation is never current, and the next one is new', async () => {
  const room = await classroom.room();
  const students = await studentsOf(room, 2);
  await classroom.measure(students, decodingNeed);
  assert.is((await current(room)).status, 404);
  const first = await recompute(room);
  const expiry = Date.parse(first.body.expiresAt);
  const tokenOf = async () => ({ ...room, token: await freshToken(room) });
  app.clock.set(new Date(expiry - 1));
  assert.is((await current(await tokenOf())).body.generationId, first.body.generationId);
  app.clock.set(new Date(expiry));
  assert.is((await current(await tokenOf())).status, 404);
  const next = await recompute(await tokenOf());
  assert.equal([next.body.created, next.body.changes], [true, null]);
  assert.is.not(next.body.generationId, first.body.generationId);
});

test('two at once give one row', async () => {
  const room = { ...(await classroom.room()) };
  const students = await studentsOf(room, 2);
  await classroom.measure(students, decodingNeed);
  const replies = await Promise.all([recompute(room), recompute(room), recompute(room)]);
  assert.equal(
    replies.map(({ status }) => status),
    [200, 200, 200],
  );
  assert.is(new Set(replies.map(({ body }) => body.generationId)).size, 1);
  assert.is(replies.filter(({ body }) => body.created).length, 1);
  assert.is((await owner('cluster_generation').where({ classId: room.classRow.id })).length, 1);
});

test('no rules in force: 503, and nothing is written', async () => {
  const room = await classroom.room();
  const before = await owner('cluster_generation').select('id');
  app.clock.set('2023-06-01T08:00:00.000Z');
  const reply = await recompute({ ...room, token: await freshToken(room) });
  assert.is(reply.status, 503);
  assert.is((await owner('cluster_generation').select('id')).length, before.length);
});

async function freshToken({ teacher }: Room): Promise<string> {
  return signIn(app, teacher);
}

test.run();
