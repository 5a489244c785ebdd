// Many at once on one student: workers that book, teachers that take back, readers and replays between them.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { inContext } from '#core/platform/db.ts';
import { type MasteryFact, masterySourceKinds } from '#outcomes/rewards/engine/enums.ts';
import { type PossibleGrowth, recordMastery } from '#outcomes/rewards/ledger/record.ts';
import { eventually } from '../../../harness/eventually.ts';
import { buildUser, signIn, type UserRow } from '../../../harness/factories.ts';
import type { Room } from '../../../support/interventions/classroom.ts';
import { oneNeed } from '../../../support/rti/rti-world.ts';
import { modelSteps } from '../engine/model.ts';
import { useSettled } from '../settled.ts';

const world = useSettled(test);
const { owner } = world.app.database;
type Json = Record<string, unknown>;

let room: Room;
let student: UserRow;
let admin: string;
test.before.each(async () => {
  room = await world.room();
  student = await world.student(room);
  admin = await signIn(world.app, await buildUser(owner, 'ADMIN', { organizationId: room.organizationId }));
});

/** Two sessions have several times what one may bring, the others one event each. */
const growths: readonly PossibleGrowth[] = Array.from({ length: 40 }, (_, at) => ({
  sourceKind: masterySourceKinds[at % masterySourceKinds.length] ?? 'bundle_completion',
  ...{ naturalKey: `a:${at}`, sourceType: 'bundle_assignment', sourceId: 'a', schoolYear: '2025-2026' },
  ...{ subSkillCode: null, domainCode: null, reached: null },
  sessionKey: at < 16 ? 'live:one' : at < 32 ? 'live:two' : `live:${at}`,
  occurredAt: '2026-01-15T08:00:00.000Z',
}));

/** A transaction each, in an order of the worker's own. */
async function book(worker: number): Promise<number> {
  const { organizationId } = room;
  const of = { organizationId, now: world.app.clock.now() };
  let booked = 0;
  for (let at = 0; at < growths.length; at += 1) {
    const growth = growths[(at * 7 + worker * 5) % growths.length] as PossibleGrowth;
    booked += await inContext(world.services.db, { organizationId }, (trx) =>
      recordMastery(trx, world.services, of, [{ studentId: student.id, growths: [growth] }]),
    );
  }
  return booked;
}

async function takeBack(code: string): Promise<number[]> {
  const badge = async () => (await world.rows('student_badge', student)).find((one) => one.code === code);
  await eventually(`${code} is awarded`, async () => (await badge()) !== undefined);
  const path = `/api/teachers/badges/${(await badge())?.id}/rescind`;
  const body = { overrideCode: 'Gam_Award_Invalid_05' };
  const answers = await Promise.all([1, 2].map(() => world.http.post<Json>(path, body, { token: room.token })));
  return answers.map(({ status }) => status).sort();
}

test('workers, rescinds, reads and replays at once: each growth once, a full session exactly full, never a drift', async () => {
  let isBooked = false;
  const drifts: unknown[] = [];
  const watch = async () => {
    const asked = { studentId: student.id, asOf: world.app.clock.now().toISOString() };
    while (!isBooked) {
      const replay = await world.http.post<Json>('/api/admin/gamification/replay', asked, { token: admin });
      const profile = await world.http.get<Json>(`/api/students/${student.id}/gamification/profile`, { token: admin });
      drifts.push([replay.status, replay.body.hasDrift, profile.status]);
    }
  };
  const all = Promise.all(Array.from({ length: 6 }, (_, worker) => book(worker))).finally(() => {
    isBooked = true;
  });
  const [booked, first, second] = await Promise.all([all, takeBack('first_step'), takeBack('five_stars'), watch()]);
  assert.is(
    booked.reduce((sum, count) => sum + count, 0),
    growths.length,
  );
  assert.equal(
    [first, second],
    [
      [200, 409],
      [200, 409],
    ],
  );
  assert.ok(drifts.length > 0);
  assert.equal(new Set(drifts.map(String)), new Set(['200,false,200']), 'at no moment');

  const events = (await world.events(student)) as unknown as readonly MasteryFact[];
  const xp = await world.rows('xp_transaction', student);
  const sum = (rows: readonly Json[]) => rows.reduce((total, { amount }) => total + Number(amount), 0);
  for (const session of ['live:one', 'live:two']) {
    assert.is(sum(xp.filter(({ kind, sessionKey }) => kind === 'credit' && sessionKey === session)), 200);
  }
  const steps = modelSteps(events);
  assert.is(
    sum(xp),
    (steps.at(-1)?.xpBalance ?? 0) - 20,
    'as a second reading of the contract counts them in this order',
  );
  const badges = await world.rows('student_badge', student);
  const reported = badges.map(({ code, triggeringMasteryEventId }) => [triggeringMasteryEventId, code]);
  const expected = steps.flatMap(({ badge }, at) => (badge === null ? [] : [[events[at]?.id, badge]]));
  assert.equal(reported, expected, 'one badge an event at most, each code once');
  assert.equal(
    (await owner('reward_celebration').where({ studentId: student.id }).orderBy('value')).map(({ kind, value }) => [
      ...[kind, value],
    ]),
    steps
      .flatMap(({ celebrations }) => celebrations.map((one) => one.split(' ')))
      .map(([kind, n]) => [kind, Number(n)]),
  );
});

test('one fact given to many workers: one event', async () => {
  const students = [student, await world.student(room), await world.student(room)];
  await world.grow(students, oneNeed);
  world.days(20);
  await world.measure(students, { DEC_WORD: 'CCCCCCCC' });
  const jobs = await world.relay();
  await Promise.all(Array.from({ length: 8 }, () => world.source([...jobs, ...jobs])));
  for (const one of students) {
    assert.equal(
      (await world.minted(one)).map(([kind]) => kind),
      ['skill_status_transition', 'domain_status_escalation'],
    );
    assert.is((await world.rows('student_badge', one)).length, 2);
    assert.is(await world.waiting(one), 0);
  }
});

test.run();
