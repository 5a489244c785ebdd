// timeout: 180s
// Voids and growth (60 §1): voided verdicts are compared with nothing, a correction mints nothing by itself, and what was
// booked stays with a mark in the audit.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { buildUser, signIn, type UserRow } from '../../../harness/factories.ts';
import type { Room } from '../../../support/interventions/classroom.ts';
import { useSettled } from '../settled.ts';

const world = useSettled(test);
const { app, http } = world;
const { owner } = app.database;

const kinds = async (student: UserRow) => (await world.minted(student)).map(([kind]) => kind);

async function pupil() {
  const room = await world.room();
  const student = await world.student(room);
  const read = async (words: number) => {
    const id = await world.read(room, student, words);
    await world.settle();
    return id;
  };
  return { room, student, read };
}

async function post(room: Room, path: string, body: object): Promise<number> {
  const reply = await http.post<{ voidId: number }>(path, body, { token: await signIn(app, room.teacher) });
  assert.ok(reply.status < 300, JSON.stringify(reply.body));
  await world.settle();
  return reply.body.voidId;
}
const takeBack = (room: Room, path: string) => post(room, `${path}/void`, { reasonCode: 'wrong_entry' });

test.before.each(() => app.clock.set('2026-01-15T08:00:00.000Z'));

test('a verdict that was voided is no earlier verdict', async () => {
  const { room, student, read } = await pupil();
  const first = await read(10);
  await takeBack(room, `/api/orf/assessments/${first}`);
  world.days(29);
  await read(25);
  assert.equal(await kinds(student), [], 'the first verdict that counts');
});

test('an event of evidence that is voided stays, and the audit says so until it is restored', async () => {
  const { room, student, read } = await pupil();
  await read(10);
  world.days(29);
  const better = await read(25);
  const minted = await world.minted(student);
  assert.ok(minted.some(([kind]) => kind === 'band_progression'));
  const voidId = await takeBack(room, `/api/orf/assessments/${better}`);
  const admin = await buildUser(owner, 'ADMIN', { organizationId: room.organizationId });
  const marks = async () => {
    const { body } = await http.get<{ masteryEvents: { sessionKey: string; evidenceVoided: boolean }[] }>(
      `/api/admin/gamification/audit?studentId=${student.id}`,
      { token: await signIn(app, admin) },
    );
    return body.masteryEvents
      .filter(({ sessionKey }) => sessionKey === `orf:${better}`)
      .map((row) => row.evidenceVoided);
  };
  assert.equal(new Set(await marks()), new Set([true]));
  assert.equal(await world.minted(student), minted);
  await post(room, `/api/evidence-voids/${voidId}/restore`, {});
  assert.equal(new Set(await marks()), new Set([false]));
  assert.equal(await world.minted(student), minted, 'a restoring mints nothing');
});

test('a trend that rises because a probe is voided mints nothing', async () => {
  const { room, student } = await pupil();
  const series = [
    ...[['2025-12-01', 14, 1] as const, ['2025-12-02', 12, 2] as const, ['2025-12-03', 15, 3] as const],
    ...[['2025-12-20', 30, 4] as const, ['2025-12-29', 34, 5] as const],
  ];
  for (const [day, words, passage] of series) {
    await world.probe(room, student, day, words, `ORF-G2-0${passage}`);
  }
  const slip = await world.probe(room, student, '2026-01-04', 1, 'ORF-G2-06');
  await world.settle();
  world.days(29);
  await world.probe(room, student, '2026-02-10', 38, 'ORF-G2-01');
  await world.settle();
  const before = await kinds(student);
  assert.not.ok(before.includes('cbm_trend_above_goal'), 'one of the last three is below the line');
  const admin = await buildUser(owner, 'ADMIN', { organizationId: room.organizationId });
  const reply = await http.post(
    `/api/cbm/probes/${slip}/void`,
    { reasonCode: 'wrong_entry' },
    { token: await signIn(app, admin) },
  );
  assert.is(reply.status, 201, JSON.stringify(reply.body));
  await world.settle();
  const [newest] = await owner('cbm_trend').where({ studentId: student.id }).orderBy('id', 'desc').limit(1);
  assert.equal([newest.trendType, newest.byCorrection], ['trend_above_goal', true]);
  assert.equal(await kinds(student), before);
});

test.run();
