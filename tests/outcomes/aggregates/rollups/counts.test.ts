// Counts of classes kept by the worker agree with the students' reads, whichever way they were computed.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { inContext } from '#core/platform/db.ts';
import { acquireNamedLock } from '#core/platform/locks.ts';
import { closeRequests } from '#core/platform/requests/requests.ts';
import { enroll } from '#identity/people/classes/enrollment.ts';
import { SchoolClass } from '#identity/people/index.ts';
import { beginRollupDay, rebuildOrganization } from '#outcomes/aggregates/rollups/rebuild.ts';
import { refreshOrganization } from '#outcomes/aggregates/rollups/refresh.ts';
import { requestAllClasses, requestsAfter, rollupRequests } from '#outcomes/aggregates/rollups/requests.ts';
import { buildClass, buildSchool, buildStudent, buildUser, signIn, type UserRow } from '../../../harness/factories.ts';
import { decodingNeed, firstPart, halting, type Room } from '../../../support/interventions/classroom.ts';
import { useCountedSchools } from './counted-schools.ts';

const schools = useCountedSchools(test);
const { app, services, http, measure, student, catchUp, counted } = schools;
const { owner } = app.database;
const minuteMs = 60_000;

interface DomainStatus {
  readonly halted: boolean;
  readonly tiles: readonly { readonly tileCode: string; readonly status: string }[];
}

const ordered = ['Meets', 'Approaching', 'Below', 'Severe'];
const fresh = async () => schools.room();

async function readStatus({ token }: Room, { id }: UserRow): Promise<DomainStatus> {
  const { status, body } = await http.get<DomainStatus>(`/api/sse/students/${id}/domain-status`, { token });
  assert.is(status, 200, JSON.stringify(body));
  return body;
}

test('a class counts what the reads of its students return, and undecided students as more data', async () => {
  const room = await fresh();
  const { organizationId, classRow } = room;
  const [good, weak, halted, never] = [
    await student(room),
    await student(room),
    await student(room),
    await student(room),
  ];
  await measure([good], firstPart());
  await measure([weak], decodingNeed);
  await measure([halted], { ...firstPart(), ...halting });
  await catchUp(organizationId);
  const { classes, tiles } = await counted(organizationId);
  const [row] = classes;
  assert.equal([classes.length, row?.students, row?.classId], [1, 4, classRow.id]);
  const statuses = await Promise.all([good, weak, halted, never].map((one) => readStatus(room, one)));
  assert.is(statuses[2]?.halted, true);
  for (const { tileCode, meets, approaching, below, severe, moreData, students } of tiles) {
    const found = statuses.map(({ halted: isHalted, tiles: own }) =>
      isHalted ? 'none' : (own.find((tile) => tile.tileCode === tileCode)?.status ?? 'none'),
    );
    const expected = ordered.map((band) => found.filter((one) => one === band).length);
    assert.equal([meets, approaching, below, severe], expected, tileCode);
    assert.is(moreData, students - expected.reduce((sum, count) => sum + count, 0), tileCode);
    assert.is(students, 4);
  }
  assert.ok(tiles.some(({ severe, below }) => severe + below === 1));
  assert.equal(row?.measured, { BOY: 0, MOY: 3, EOY: 0 });
  assert.equal([row?.sufficient, row?.insufficient, row?.contextual], [2, 2, 0]);
  assert.is(row?.asOf, app.clock.now().toISOString());
  assert.ok(Number(row?.ruleVersions['ssr/ssr']) >= 1);
});

test('a tile without sub-skills in the grade counts no students', async () => {
  const room = await schools.room({ grade: 4 });
  await student(room);
  await rebuildOrganization(services, room.organizationId);
  const { tiles } = await counted(room.organizationId);
  const students = Object.fromEntries(tiles.map((tile) => [tile.tileCode, tile.students]));
  assert.equal([students.FOUNDATIONS, students.WRITING, tiles.length], [0, 1, 6]);
});

test('moves of one day end in the class of the evening, and no student is counted twice', async () => {
  const room = await fresh();
  const { organizationId, classRow } = room;
  const others = await Promise.all(
    ['2B', '2C'].map((name) => buildClass(owner, { organizationId, schoolId: classRow.schoolId, name, grade: 2 })),
  );
  const one = await student(room);
  await rebuildOrganization(services, organizationId);
  for (const { id } of [...others, classRow, ...others]) {
    await inContext(services.db, { organizationId }, async (trx) => {
      const target = await SchoolClass.query(trx).findById(id).throwIfNotFound();
      await enroll(trx, target, [one.id], app.clock.now());
    });
  }
  await catchUp(organizationId);
  const { classes } = await counted(organizationId);
  assert.equal(
    classes.map(({ classId, students }) => [classId, students]),
    [[others[1]?.id, 1]],
  );
});

test('a class that is requested while it is counted is counted once more', async () => {
  const room = await fresh();
  const { organizationId, classRow } = room;
  const one = await student(room);
  await inContext(services.db, { organizationId }, (trx) => requestAllClasses(trx, organizationId, app.clock.now()));
  const open = await inContext(services.db, { organizationId }, (trx) =>
    requestsAfter(trx, organizationId, { after: 0, limit: 10 }),
  );
  await measure([one], firstPart());
  await schools.relay();
  await inContext(services.db, { organizationId }, (trx) => closeRequests(trx, rollupRequests, organizationId, open));
  assert.equal(await schools.waiting(organizationId), [classRow.id]);
});

test('of two workers one counts, and the other leaves it to the sweep', async () => {
  const room = await fresh();
  const { organizationId } = room;
  await student(room);
  await inContext(services.db, { organizationId }, (trx) => requestAllClasses(trx, organizationId, app.clock.now()));
  await inContext(services.db, { organizationId }, async (trx) => {
    await acquireNamedLock(trx, 'aggregates', organizationId);
    await refreshOrganization(services, { organizationId });
    assert.is((await schools.waiting(organizationId)).length, 1);
  });
  await Promise.all([1, 2, 3].map(() => refreshOrganization(services, { organizationId })));
  assert.equal([await schools.waiting(organizationId), (await counted(organizationId)).classes.length], [[], 1]);
});

test('a class that cannot be counted holds up no other, and is left alone after five failures', async () => {
  const room = await fresh();
  const { organizationId, classRow } = room;
  const sound = await buildClass(owner, { organizationId, schoolId: classRow.schoolId, name: '2B', grade: 2 });
  const bad = await student(room);
  await buildStudent(owner, sound);
  await measure([bad], firstPart());
  await owner.raw('alter table sse_run disable trigger user');
  await owner('sse_run')
    .where({ studentId: bad.id })
    .update({ tiles: JSON.stringify(null) });
  await inContext(services.db, { organizationId }, (trx) => requestAllClasses(trx, organizationId, app.clock.now()));
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const failure: unknown = await refreshOrganization(services, { organizationId }).catch((error: unknown) => error);
    assert.ok(failure instanceof Error);
  }
  await refreshOrganization(services, { organizationId });
  assert.equal(
    (await counted(organizationId)).classes.map(({ classId }) => classId),
    [sound.id],
  );
  assert.equal(await schools.waiting(organizationId), [classRow.id]);
});

test('a day begins with what was known last, and the one before it is kept for its time', async () => {
  const room = await fresh();
  const { organizationId } = room;
  await student(room);
  await rebuildOrganization(services, organizationId);
  const before = await counted(organizationId);
  app.clock.advance(24 * 60 * minuteMs);
  const date = app.clock.now().toISOString().slice(0, 10);
  await beginRollupDay(services, { organizationId, date });
  const after = await counted(organizationId);
  assert.equal(
    after.classes.map((row) => ({ ...row, day: before.classes[0]?.day })),
    before.classes,
  );
  const ended = await owner('org_daily_rollup').where({ organizationId }).whereNotNull('keptUntil');
  assert.is(ended.length, before.tiles.length);
  await beginRollupDay(services, { organizationId, date: '2020-01-01' });
  assert.is((await counted(organizationId)).classes[0]?.day, date);
});

test('a school is counted by its own clocks, and anew where they change', async () => {
  const organizationId = (await fresh()).organizationId;
  const admin = await buildUser(owner, 'ADMIN', { organizationId });
  const school = await buildSchool(owner, { organizationId, timeZone: 'Pacific/Auckland' });
  const classRow = await buildClass(owner, { organizationId, schoolId: school.id, grade: 2 });
  const one = await buildStudent(owner, classRow);
  // The first of April in Auckland, the last of March in Riyadh.
  app.clock.set('2026-03-31T12:30:00.000Z');
  await measure([one], firstPart());
  await catchUp(organizationId);
  const measuredNow = async () => (await counted(organizationId)).classes[0]?.measured;
  assert.equal(await measuredNow(), { BOY: 0, MOY: 0, EOY: 1 });
  const token = await signIn(app, admin);
  const { status } = await http.patch(`/api/schools/${school.id}`, { timeZone: null }, { token });
  assert.is(status, 200);
  await catchUp(organizationId);
  assert.equal(await measuredNow(), { BOY: 0, MOY: 1, EOY: 0 });
});

test.run();
