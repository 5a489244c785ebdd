// A school's calendar that is changed in the middle of a streak, over HTTP: what was stored stays and is reported again as it was;
// later ticks are counted with the new one. Days are counted by hand: 18 January 2026 is a Sunday.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { inContext } from '#core/platform/db.ts';
import { type PossibleGrowth, recordMastery } from '#outcomes/rewards/ledger/record.ts';
import { replayLedgers } from '#outcomes/rewards/replay/replay-ledgers.ts';
import { buildUser, signIn, type UserRow } from '../../../harness/factories.ts';
import type { Room } from '../../../support/interventions/classroom.ts';
import { useGrown } from '../grown.ts';

const world = useGrown(test);
type Json = Record<string, unknown>;

let room: Room;
let student: UserRow;
let adminRow: UserRow;
test.before.each(async () => {
  world.app.clock.set('2026-01-18T08:00:00.000Z');
  room = await world.room();
  student = await world.student(room);
  adminRow = await buildUser(world.app.database.owner, 'ADMIN', { organizationId: room.organizationId });
});

const token = () => signIn(world.app, adminRow);
async function calendar(change: Json): Promise<void> {
  const path = `/api/organizations/${room.organizationId}`;
  const { status, body } = await world.app.patch(path, change, { token: await token() });
  assert.is(status, 200, JSON.stringify(body));
}

async function growOn(date: string, time = '08:00'): Promise<void> {
  world.app.clock.set(`${date}T${time}:00.000Z`);
  const { organizationId } = room;
  const now = world.app.clock.now();
  const growth: PossibleGrowth = {
    ...{
      sourceKind: 'bundle_step_goal_met',
      naturalKey: `a:${now.getTime()}`,
      sourceType: 'bundle_assignment',
      sourceId: 'a',
    },
    ...{ schoolYear: '2025-2026', subSkillCode: null, domainCode: null, reached: null },
    ...{ sessionKey: `live:${date}`, occurredAt: now.toISOString() },
  };
  await inContext(world.services.db, { organizationId }, (trx) =>
    recordMastery(trx, world.services, { organizationId, now }, [{ studentId: student.id, growths: [growth] }]),
  );
}

const streak = async () =>
  (await world.app.get<Json>(`/api/students/${student.id}/gamification/profile`, { token: await token() })).body.streak;
const missed = async () => (await world.events(student)).map(({ missedSchoolDays }) => missedSchoolDays);
const tables = ['mastery_event', 'xp_transaction', 'student_badge', 'reward_celebration'];
const stored = () => Promise.all(tables.map((table) => world.rows(table, student)));
async function noDrift(): Promise<void> {
  const body = { studentId: student.id, asOf: world.app.clock.now().toISOString() };
  const reply = await world.app.post<Json>('/api/admin/gamification/replay', body, { token: await token() });
  assert.equal([reply.status, reply.body.hasDrift], [200, false]);
  const { students, drifted } = await replayLedgers(world.services, room.organizationId);
  assert.equal([students, drifted], [1, 0]);
}

test('holidays that come and go, and another weekend', async () => {
  await growOn('2026-01-18');
  // Nine school days between, less two.
  await calendar({ holidays: ['2026-01-19', '2026-01-20'] });
  await growOn('2026-02-01');
  const run = { current: 2, longest: 2, lastTickDate: '2026-02-01' };
  assert.equal([await missed(), await streak()], [[0, 7], run]);

  const before = await stored();
  await calendar({ holidays: [] });
  assert.equal([await streak(), await stored()], [run, before], 'the run has stood for nine days, and still stands');
  await noDrift();

  // Monday to Saturday: 2 to 7 and 9, 10 February. With Friday and Saturday free there were seven.
  await calendar({ weekend: [7] });
  await growOn('2026-02-11');
  const broken = { current: 1, longest: 2, lastTickDate: '2026-02-11' };
  assert.equal([await missed(), await streak()], [[0, 7, 8], broken]);
  await noDrift();

  await calendar({ weekend: [5, 6] });
  assert.equal([await missed(), await streak()], [[0, 7, 8], broken]);
  await noDrift();
});

test('a holiday in the future keeps a run that is read then, and the tick after it', async () => {
  await growOn('2026-01-18');
  await calendar({ holidays: ['2026-01-25', '2026-01-26', '2026-01-27'] });
  world.app.clock.set('2026-01-31T20:59:59.000Z');
  // 19 to 22, 28 and 29; the 30th and 31st are free.
  assert.equal(await streak(), { current: 1, longest: 1, lastTickDate: '2026-01-18' });
  await growOn('2026-02-01');
  assert.equal(await missed(), [0, 6]);
  assert.equal(await streak(), { current: 2, longest: 2, lastTickDate: '2026-02-01' });
});

test('a time zone to the west: a day that has ticked does not tick again, and nothing stored moves', async () => {
  await growOn('2026-01-18', '22:30');
  const ticked = { current: 1, longest: 1, lastTickDate: '2026-01-19' };
  assert.equal(await streak(), ticked, 'half past one in Riyadh');
  await calendar({ timeZone: 'America/New_York' });
  for (const time of ['22:45', '23:00']) await growOn('2026-01-18', time);
  await growOn('2026-01-19', '12:00');
  const dates = (await world.events(student)).map(({ localDate }) => localDate);
  assert.equal([dates, await streak()], [['2026-01-19', '2026-01-18', '2026-01-18', '2026-01-19'], ticked]);
  await noDrift();
  await growOn('2026-01-20', '12:00');
  assert.equal(await streak(), { current: 2, longest: 2, lastTickDate: '2026-01-20' });
  await noDrift();
});

test.run();
