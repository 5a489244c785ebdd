// timeout: 180s
// Invariants of every class over HTTP (INV-1 to 6 and 8), over generated classes of measured students, one of 60 among them; a
// class of 60 takes as many statements as a class of one.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { parseClusterKey } from '#support/interventions/engine/clustering/key.ts';
import type { UserRow } from '../../../harness/factories.ts';
import { countRoundTrips } from '../../../harness/statements/round-trips.ts';
import {
  decodingNeed,
  firstPart,
  halting,
  type Letters,
  languageNeed,
  type Room,
  soundsNeed,
  useClassroom,
} from '../classroom.ts';
import { numberStream } from './classes.ts';
import { type GenerationBody, groupCalls } from './groups-over-http.ts';

const classroom = useClassroom(test);
const { app } = classroom;
const { owner } = app.database;
const { recompute, bulk, studentsOf, written, assignmentsOf } = groupCalls(classroom);
const settling = /^insert into rate_limit as w /;
const trips = countRoundTrips(test, app.database.appUrl, settling);

/** Possible results of students; the first is none. */
const showings: readonly (readonly Letters[])[] = [
  [],
  [decodingNeed],
  [languageNeed],
  [firstPart()],
  [{ ...decodingNeed, ...soundsNeed }],
  [firstPart({ LK_SOUND: 'UUCCCC' })],
  [{ ...decodingNeed, ...halting }],
];

/** A class whose students have results drawn from the seed. */
async function drawnClass(seed: number, size: number) {
  const room = await classroom.room();
  const students = await studentsOf(room, size);
  const next = numberStream(seed * 7_919);
  const shown = new Map<number, UserRow[]>();
  for (const student of students) {
    const place = Math.floor(next() * showings.length);
    shown.set(place, [...(shown.get(place) ?? []), student]);
  }
  for (const [place, list] of shown) {
    for (const letters of showings[place] ?? []) await classroom.measure(list, letters);
  }
  return { room, ids: students.map(({ id }) => id), next };
}

type Drawn = Awaited<ReturnType<typeof drawnClass>>;
const sizes = [0, 1, 2, 7, 12, 60];
const drawn: Drawn[] = [];
test.before(async () => {
  for (const [seed, size] of sizes.entries()) drawn.push(await drawnClass(seed + 1, size));
});

const membersIn = ({ clusters }: GenerationBody) => clusters.flatMap(({ memberStudentIds }) => memberStudentIds);

test('INV-1, INV-4, INV-5: each student in one list at most, keys that contain their fields, no group too small', async () => {
  for (const { room, ids } of drawn) {
    const { body } = await recompute(room);
    const placed = [
      ...membersIn(body),
      ...body.individualReview.map(({ studentId }) => studentId),
      ...body.moreDataNeeded.map(({ studentId }) => studentId),
    ];
    assert.is(new Set(placed).size, placed.length);
    assert.ok(placed.every((id) => ids.includes(id)));
    for (const cluster of body.clusters) {
      const fields = parseClusterKey(cluster.clusterKey);
      assert.ok(fields && Object.entries(fields).every(([name, value]) => cluster[name as 'bundle_id'] === value));
      assert.ok(cluster.memberStudentIds.length >= 2);
    }
  }
  const largest = await recompute((drawn.at(-1) as Drawn).room);
  assert.ok(
    largest.body.clusters.length >= 4 && largest.body.moreDataNeeded.length > 0,
    'the classes are of all kinds',
  );
});

test('INV-5: raising the least size only removes groups', async () => {
  for (const { room } of drawn) {
    let before = (await recompute(room)).body;
    for (const minClusterSize of [3, 4, 5]) {
      await owner('school').where({ id: room.classRow.schoolId }).update({ minClusterSize });
      const { body } = await recompute(room);
      const kept = before.clusters.filter(({ memberStudentIds }) => memberStudentIds.length >= minClusterSize);
      assert.equal(body.clusters, kept);
      assert.equal(body.moreDataNeeded, before.moreDataNeeded);
      before = body;
    }
    await owner('school').where({ id: room.classRow.schoolId }).update({ minClusterSize: null });
  }
});

test('INV-2, INV-3: the same again is the same generation, whatever the order of rows', async () => {
  for (const { room } of drawn) {
    const { created: _first, ...before } = (await recompute(room)).body;
    await owner.raw('update enrollment set enrolled_from = enrolled_from where class_id = ? and student_id % 2 = 0', [
      room.classRow.id,
    ]);
    const { created, ...again } = (await recompute(room)).body;
    assert.is(created, false);
    assert.is(JSON.stringify(again), JSON.stringify(before));
  }
});

/** Some of a group, all of it, or with a student outside it. */
function confirmed({ next, ids }: Drawn, members: readonly number[]): number[] {
  const roll = next();
  if (roll < 0.4) return [...members];
  if (roll < 0.7) return members.slice(1);
  return [...new Set([...members, ids[Math.floor(next() * ids.length)] ?? 0])].slice(0, 60);
}

test('INV-6, INV-8: whatever is confirmed, all is given or nothing, and nothing to who is excluded', async () => {
  const answers: Record<number, number> = {};
  for (const one of drawn) {
    const { body } = await recompute(one.room);
    const excluded = new Set([...body.individualReview, ...body.moreDataNeeded].map(({ studentId }) => studentId));
    for (const { clusterKey, memberStudentIds } of [...body.clusters, ...body.clusters]) {
      const asked = confirmed(one, memberStudentIds);
      if (asked.length === 0) continue;
      const before = await written();
      const { status } = await bulk(one.room, asked, { clusterKey });
      answers[status] = (answers[status] ?? 0) + 1;
      if (status !== 201) assert.equal(await written(), before);
      else assert.equal(new Set(asked), new Set(memberStudentIds));
    }
    const rows = await assignmentsOf(one.ids);
    assert.equal(
      rows.filter(({ studentId }) => excluded.has(studentId)),
      [],
    );
    assert.is(new Set(rows.map(({ studentId, bundleId }) => `${studentId} ${bundleId}`)).size, rows.length);
  }
  for (const status of [201, 409, 422]) assert.ok((answers[status] ?? 0) > 0, JSON.stringify(answers));
});

test('a class of 60 is asked for in as many statements as a class of one', async () => {
  const costs: number[] = [];
  for (const room of [await measuredRoom(1), await measuredRoom(20), await measuredRoom(60)]) {
    await recompute(room);
    trips.restart();
    await recompute(room);
    costs.push(trips.since().statements.length);
  }
  assert.is(new Set(costs).size, 1, JSON.stringify(costs));
});

async function measuredRoom(size: number): Promise<Room> {
  const room = await classroom.room();
  await classroom.measure(await studentsOf(room, size), decodingNeed);
  return room;
}

test.run();
