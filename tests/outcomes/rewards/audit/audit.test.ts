// What administrators look into: the ledgers of a student in pages, the replay of them, and the one of every night.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { attestRewards } from '#backoffice/workbench/ledger/rewards.ts';
import { appendAttestation } from '#backoffice/workbench/replays/attestation.ts';
import { inContext } from '#core/platform/db.ts';
import { recordMastery } from '#outcomes/rewards/ledger/record.ts';
import { takeBackBadge } from '#outcomes/rewards/ledger/rescind.ts';
import type { BadgeRow } from '#outcomes/rewards/ledger/rows.ts';
import { buildUser, signIn, type UserRow } from '../../../harness/factories.ts';
import type { Room } from '../../../support/interventions/classroom.ts';
import { useGrown } from '../grown.ts';

const world = useGrown(test);
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

const inRoom = <T>(work: Parameters<typeof inContext<T>>[2]) =>
  inContext(world.services.db, { organizationId: room.organizationId }, work);

/** One met step goal a day, from today on. */
async function grown(count: number): Promise<void> {
  for (let at = 0; at < count; at += 1) {
    const now = world.app.clock.now();
    const own = { organizationId: room.organizationId, now };
    const plan = { sourceType: 'bundle_assignment', sourceId: 'a', sessionKey: `live:${now.getTime()}` } as const;
    const nothing = { subSkillCode: null, domainCode: null, reached: null, schoolYear: '2025-2026' };
    const step = { sourceKind: 'bundle_step_goal_met', naturalKey: `a:${now.getTime()}` } as const;
    const growth = { ...plan, ...nothing, ...step, occurredAt: now.toISOString() };
    await inRoom((trx) => recordMastery(trx, world.services, own, [{ studentId: student.id, growths: [growth] }]));
    world.days(1);
  }
}

const audit = async (query: Json, token = admin) =>
  world.http.get<Json & { masteryEvents: Json[]; nextCursor: string | null }>(
    `/api/admin/gamification/audit?${new URLSearchParams(query as Record<string, string>)}`,
    { token },
  );
const replay = async (asOf: string) => {
  const body = { studentId: student.id, asOf };
  return (await world.http.post<Json>('/api/admin/gamification/replay', body, { token: admin })).body;
};
const noDrift = { drift: { xpBalance: false, badges: false, avatarTier: false }, hasDrift: false };

test('pages hold whole events with all that was booked under them; the span is half open', async () => {
  const first = world.app.clock.now().toISOString();
  await grown(4);
  const end = world.app.clock.now().toISOString();
  admin = await signIn(world.app, await buildUser(owner, 'ADMIN', { organizationId: room.organizationId }));
  const one = await audit({ studentId: student.id, limit: 3 });
  assert.equal([one.status, one.body.from, one.body.to], [200, null, null]);
  const [event] = one.body.masteryEvents;
  assert.equal(event?.sourceEntity, { type: 'bundle_assignment', id: 'a' });
  assert.not('subSkillCode' in (event ?? {}));
  const codes = (one.body.badges as Json[]).map(({ code }) => code);
  assert.equal([one.body.masteryEvents.length, codes], [3, ['first_step', 'bridge_builder']]);
  const kinds = (one.body.xpTransactions as Json[]).map(({ kind, amount }) => [kind, amount]);
  assert.equal(kinds, [
    ['credit', 15],
    ['badge_bonus', 10],
    ['credit', 15],
    ['badge_bonus', 10],
    ['credit', 15],
  ]);
  const two = await audit({ studentId: student.id, limit: 3, cursor: String(one.body.nextCursor) });
  assert.equal([two.body.masteryEvents.length, two.body.nextCursor], [1, null]);
  const [second] = one.body.masteryEvents.slice(1);
  const middle = await audit({ studentId: student.id, from: String(second?.occurredAt), to: end });
  assert.is(middle.body.masteryEvents.length, 3, 'from is inside');
  const before = await audit({ studentId: student.id, from: first, to: String(second?.occurredAt) });
  assert.is(before.body.masteryEvents.length, 1, 'to is outside');
  assert.is((await audit({ studentId: student.id, from: end, to: first })).status, 422);
  assert.is((await audit({ studentId: student.id, cursor: 'x' })).status, 422);
  assert.is((await audit({ studentId: 99_999_999 })).status, 404);
  const stranger = await buildUser(owner, 'ADMIN', { organizationId: (await world.room()).organizationId });
  assert.is((await audit({ studentId: student.id }, await signIn(world.app, stranger))).status, 404);
  assert.is((await audit({ studentId: student.id }, await signIn(world.app, room.teacher))).status, 403);
});

test('a replay derives what was booked at any moment, also after a badge was taken back and the calendar changed', async () => {
  await grown(3);
  const early = world.app.clock.now().toISOString();
  // In the middle of a run of days everything becomes a holiday: what was counted then stays counted.
  await owner('organization').where({ id: room.organizationId }).update({ weekend: '{1,2,3,4,5,6,7}' });
  world.days(30);
  await grown(3);
  const [badge] = (await world.rows('student_badge', student)) as unknown as BadgeRow[];
  const why = { overrideCode: 'Gam_Award_Invalid_05', rescindedBy: room.teacher.id, now: world.app.clock.now() };
  assert.ok(badge && (await inRoom((trx) => takeBackBadge(trx, badge, why))));
  await owner('organization').where({ id: room.organizationId }).update({ weekend: '{5,6}' });
  world.days(1);
  admin = await signIn(world.app, await buildUser(owner, 'ADMIN', { organizationId: room.organizationId }));
  const then = { xpBalance: 3 * 15 + 2 * 10, badgeCodes: ['first_step', 'bridge_builder'], avatarTier: 1 };
  assert.equal(await replay(early), { studentId: student.id, asOf: early, derived: then, stored: then, ...noDrift });
  const badgeCodes = ['bridge_builder', 'five_stars', 'streak_5'];
  const now = { xpBalance: 6 * 15 + 4 * 10 - 10, badgeCodes, avatarTier: 2 };
  const answer = await replay('2999-01-01T00:00:00.000Z');
  const asOf = world.app.clock.now().toISOString();
  assert.equal(answer, { studentId: student.id, asOf, derived: now, stored: now, ...noDrift });
  const streaks = (await world.events(student)).map(({ missedSchoolDays }) => missedSchoolDays);
  assert.equal(streaks.slice(3), [0, 0, 0]);
});

test('every night each ledger is replayed and attested; an altered row raises one alert', async () => {
  await grown(2);
  await attestRewards(world.services, room.organizationId);
  const attested = async () =>
    (await owner('rule_attestation').orderBy('id').select('payload'))
      .map(({ payload }) => JSON.parse(payload).rewards)
      .filter((one) => one?.organizationId === room.organizationId);
  const [night] = await attested();
  assert.equal([night.students, night.events, night.drifted, night.xpWithoutEvent], [1, 2, 0, 0]);
  const alerts = async () =>
    (await owner('platform_alert').where({ organizationId: room.organizationId }).orderBy('code')).map(
      ({ code }) => code,
    );
  assert.equal(await alerts(), []);
  const [lost] = await world.events(student);
  await owner.transaction(async (trx) => {
    await trx.raw("set local session_replication_role = 'replica'");
    await trx('xp_transaction').where({ studentId: student.id, kind: 'badge_bonus' }).delete();
    await trx('mastery_event').where({ id: lost?.id }).delete();
  });
  await attestRewards(world.services, room.organizationId);
  await attestRewards(world.services, room.organizationId);
  assert.equal(await alerts(), ['REPLAY_MISMATCH', 'XP_WITHOUT_EVENT']);
  const [, second] = await attested();
  assert.equal([second.drifted, second.driftedStudentIds], [1, [student.id]]);
  const foreign = inContext(world.services.db, 'SUPER', (trx) =>
    appendAttestation(trx, world.app.clock, () => ({ rewards: { organizationId: 'elsewhere' } })),
  );
  assert.match(await foreign.then(() => 'accepted', String), 'an attestation is of');
});

test.run();
