// The growth ledgers have one entry point for growth and one for rescinds, and no other writer.
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { inContext } from '#core/platform/db.ts';
import { type PossibleGrowth, recordMastery } from '#outcomes/rewards/ledger/record.ts';
import { takeBackBadge } from '#outcomes/rewards/ledger/rescind.ts';
import type { BadgeRow } from '#outcomes/rewards/ledger/rows.ts';
import { readSources } from '../../../../scripts/check/imports/sources.ts';
import type { UserRow } from '../../../harness/factories.ts';
import { useGrown } from '../grown.ts';

const world = useGrown(test);
const { owner } = world.app.database;

const tables = ['mastery_event', 'xp_transaction', 'student_badge', 'student_badge_rescind', 'reward_celebration'];
const models = ['MasteryEvent', 'XpTransaction', 'StudentBadge', 'StudentBadgeRescind', 'RewardCelebration'];
const root = path.resolve(import.meta.dirname, '../../../..');

const filesWith = (pattern: RegExp): string[] =>
  [...readSources(root)].filter(([, text]) => pattern.test(text)).map(([file]) => file);

test('no other file of the service adds a row to a ledger of growth', () => {
  const [anyTable, anyModel] = [tables.join('|'), models.join('|')];
  const declared = new RegExp(`(?:tableName = |modelOf<[^>]*>\\(\\s*)'(?:${anyTable})'`);
  assert.equal(filesWith(declared), ['src/outcomes/rewards/ledger/models.ts']);
  const writes = new RegExp(
    `(?:insert into|update|delete from) (?:${anyTable})\\b|(?:['"](?:${anyTable})['"]\\)|\\b(?:${anyModel})\\.query\\()[^;]*?\\.(?:insert|delete)\\(`,
  );
  assert.equal(filesWith(writes), ['src/outcomes/rewards/ledger/insert.ts']);
});

const growth = (naturalKey: string): PossibleGrowth => ({
  ...{ sourceKind: 'bundle_step_goal_met', naturalKey, sourceType: 'bundle_assignment', sourceId: 'a' },
  ...{ schoolYear: '2025-2026', subSkillCode: null, domainCode: null, reached: null, sessionKey: 'live:x' },
  occurredAt: world.app.clock.now().toISOString(),
});

const record = ({ organizationId, id: studentId }: UserRow, ...keys: readonly string[]) =>
  inContext(world.services.db, { organizationId: String(organizationId) }, (trx) =>
    recordMastery(trx, world.services, { organizationId: String(organizationId), now: world.app.clock.now() }, [
      { studentId, growths: keys.map(growth) },
    ]),
  );

const sum = async (student: UserRow) =>
  (await world.rows('xp_transaction', student)).reduce((total, { amount }) => total + Number(amount), 0);

test('many workers that record the same growth at once book it once; what fails halfway leaves nothing', async () => {
  const student = await world.student(await world.room());
  const keys = Array.from({ length: 12 }, (_, at) => `a:${at}`);
  const recorded = await Promise.all(
    Array.from({ length: 6 }, (_, at) => record(student, ...keys.slice(at), ...keys.slice(0, at))),
  );
  assert.is(
    recorded.reduce((total, count) => total + count, 0),
    keys.length,
  );
  const events = await world.events(student);
  assert.equal(events.map(({ naturalKey }) => naturalKey).sort(), [...keys].sort());
  assert.is((await world.rows('student_badge', student)).length, 3, 'first_step, bridge_builder, five_stars');
  assert.is(await sum(student), 12 * 15 + 3 * 10);
  assert.equal(
    (await world.rows('reward_celebration', student)).map(({ kind, value }) => [kind, value]),
    [['avatar_tier', 2]],
  );
  await owner.raw(`create function refuse_xp() returns trigger language plpgsql as $$ begin raise exception 'broken'; end $$;
    create trigger refuse_xp before insert on xp_transaction for each row execute function refuse_xp()`);
  const error = await record(student, 'b:1').then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  await owner.raw('drop trigger refuse_xp on xp_transaction');
  assert.ok(error);
  assert.equal((await world.events(student)).length, keys.length);
});

test('a session is full at its cap, and a badge that is taken back twice at once gives back once what was booked', async () => {
  const room = await world.room();
  const student = await world.student(room);
  await record(student, ...Array.from({ length: 14 }, (_, at) => `c:${at}`));
  const credits = (await world.rows('xp_transaction', student)).filter(({ kind }) => kind === 'credit');
  assert.equal(
    [credits.length, credits.at(-1)?.amount, credits.at(-1)?.cappedFrom],
    [14, 5, 15],
    'thirteen times 15 is 195',
  );
  await record(student, 'c:14');
  assert.is((await world.events(student)).length, 15);
  assert.is((await world.rows('xp_transaction', student)).filter(({ kind }) => kind === 'credit').length, 14);
  const before = await sum(student);
  const [badge] = (await world.rows('student_badge', student)) as unknown as BadgeRow[];
  assert.ok(badge);
  const takeBack = () =>
    inContext(world.services.db, { organizationId: room.organizationId }, (trx) =>
      takeBackBadge(trx, badge, {
        ...{ overrideCode: 'Gam_Award_Invalid_05', rescindedBy: room.teacher.id, now: world.app.clock.now() },
      }),
    );
  const answers = await Promise.all([takeBack(), takeBack()]);
  assert.equal(answers.map((answer) => answer?.reversalDelta ?? null).sort(), [-10, null]);
  assert.is(await sum(student), before - 10);
  await record(student, 'c:15');
  const codes = (await world.rows('student_badge', student)).map(({ code }) => code);
  assert.is(codes.filter((code) => code === badge.code).length, 1, 'awarded once ever');
});

test('the database itself keeps what was written', async () => {
  for (const table of ['mastery_event', 'xp_transaction', 'student_badge', 'student_badge_rescind']) {
    const refusal = await owner.raw(`delete from ${table}`).then(() => 'accepted', String);
    assert.match(refusal, 'append-only', table);
  }
});

test.run();
