// 60 §1: a student's profile as staff, the family and the student read it; a streak that has lapsed, a month beside the one
// before, and what is stated only while language rules are in force.
import type { Static } from 'typebox';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { RewardProfile } from '#outcomes/rewards/reads/schemas.ts';
import { buildStudent, signIn } from '../../../harness/factories.ts';
import { useApp } from '../../../harness/http.ts';
import { installShippedRules } from '../../../harness/rules.ts';
import { sentStatements } from '../../../harness/statements/sent-statements.ts';
import { buildWorld, type PersonName, type World } from '../../../harness/world.ts';
import { buildGrowth, type GrowthRow } from '../rows.ts';

const test = suite('profile of rewards');
const app = useApp(test, { rules: true });
const { owner } = app.database;
let world: World;
let id: number;

const at = (date: string) => app.clock.set(`${date}T09:00:00.000Z`);
test.before(async () => {
  world = await buildWorld(app);
});
test.before.each(async () => {
  at('2026-01-15');
});

/** Days pass between two requests, so each caller signs in anew. */
const tokenOf = (as: PersonName | 'SUPER') => signIn(app, as === 'SUPER' ? world.superAdmin : world.own.people[as]);

type Answer = Static<typeof RewardProfile> & { readonly code?: string };
const get = async (studentId: number | string, as: PersonName | 'SUPER' = 'TEACHER') =>
  app.get<Answer>(`/api/students/${studentId}/gamification/profile`, { token: await tokenOf(as) });

async function grown(rows: readonly GrowthRow[]): Promise<number> {
  const student = await buildStudent(owner, world.own.classRow);
  for (const row of rows) await buildGrowth(owner, student, row);
  return student.id;
}

type Stored = Readonly<Record<'id' | 'key' | 'state', string>>;

async function deactivate(key: string): Promise<void> {
  const token = await tokenOf('SUPER');
  const { body } = await app.get<{ items: Stored[] }>('/api/language-rules', { token });
  const row = body.items.find((one) => one.key === key && one.state === 'active');
  app.clock.advance(1);
  const reply = await app.request('PATCH', `/api/language-rules/${row?.id}/deactivate`, { token, body: {} });
  assert.is(reply.status, 200);
}

test('no event: nothing, and nothing is missing', async () => {
  const { status, body } = await get(world.own.people.STUDENT.id, 'STUDENT');
  assert.is(status, 200);
  assert.equal(body, {
    ...{ studentId: world.own.people.STUDENT.id, xpBalance: 0, avatarTier: 1, badges: [] },
    streak: { current: 0, longest: 0, lastTickDate: null },
    sinceMonthStart: { masteryEventCount: 0, sameSpanBefore: 0 },
  });
});

test('staff, family and student: the same numbers; ids and what was taken back for adults of the school alone', async () => {
  const student = world.own.people.STUDENT;
  for (const row of [
    { on: '2026-01-12', badge: 'first_step' },
    { on: '2026-01-13', badge: 'sound_explorer', missed: 0 },
    { on: '2026-01-14', xp: 0 },
  ]) {
    await buildGrowth(owner, student, row);
  }
  const [first, second] = await owner('student_badge').where({ studentId: student.id }).orderBy('id');
  const taken = { organizationId: student.organizationId, studentId: student.id, schoolYear: first.schoolYear };
  await owner('student_badge_rescind').insert({
    ...{ ...taken, studentBadgeId: first.id, overrideCode: 'Gam_Award_Invalid_05' },
    ...{ rescindedBy: world.own.people.TEACHER.id, recordedAt: '2026-01-14T10:00:00.000Z' },
  });
  await owner('xp_transaction').insert({
    ...{ ...taken, kind: 'rescind', amount: -10, studentBadgeId: first.id, ruleVersion: first.ruleVersion },
    ...{ masteryEventId: first.triggeringMasteryEventId, recordedAt: '2026-01-14T10:00:00.000Z' },
  });
  const numbers = { studentId: student.id, xpBalance: 50, avatarTier: 1 };
  const streak = { current: 3, longest: 3, lastTickDate: '2026-01-14' };
  const sinceMonthStart = { masteryEventCount: 3, sameSpanBefore: 0 };
  const [opened, explored] = [
    { code: 'first_step', nameAr: 'الخطوة الأولى', descriptionAr: 'بداية جميلة في رحلة القراءة.' },
    { code: 'sound_explorer', nameAr: 'استكشاف الأصوات', descriptionAr: 'مهارة صارت أثبت من قبل.' },
  ];
  const [one, other] = [{ awardedAt: '2026-01-12T08:00:00.000Z' }, { awardedAt: '2026-01-13T08:00:00.000Z' }];
  for (const persona of ['TEACHER', 'PRINCIPAL', 'ADMIN', 'SUPER'] as const) {
    const { body } = await get(student.id, persona);
    assert.equal(body, {
      ...{ ...numbers, streak, sinceMonthStart },
      badges: [
        { ...opened, ...one, studentBadgeId: first.id, status: 'rescinded' },
        { ...explored, ...other, studentBadgeId: second.id, status: 'active' },
      ],
    });
  }
  for (const persona of ['STUDENT', 'PARENT'] as const) {
    const { body } = await get(student.id, persona);
    assert.equal(body, { ...numbers, streak, sinceMonthStart, badges: [{ ...explored, ...other }] });
  }
});

test('out of reach returns 404 like a missing student: a classmate, another class, another school; a child of others is 403', async () => {
  const mate = (await buildStudent(owner, world.own.classRow)).id;
  const absent = Number.MAX_SAFE_INTEGER;
  for (const [persona, studentId] of [
    ['STUDENT', mate],
    ['STUDENT', absent],
    ['TEACHER elsewhere', mate],
    ['PRINCIPAL elsewhere', mate],
    ['TEACHER', world.other.people.STUDENT.id],
    ['PARENT', world.other.people.STUDENT.id],
    ['ADMIN', world.own.people.TEACHER.id],
    ['TEACHER', 'abc'],
  ] as const) {
    const { status, body } = await get(studentId, persona);
    assert.equal([status, body.code], [404, 'NOT_FOUND'], `${persona} ${studentId}`);
  }
  for (const persona of ['PARENT', 'PARENT elsewhere', 'MANAGER'] as const) {
    const { status, body } = await get(mate, persona);
    assert.equal([status, body.code], [403, 'PERMISSION_DENIED'], persona);
  }
});

test('a streak is over once more than seven school days have passed; the longest stays', async () => {
  // Between Sunday the 4th and Wednesday the 14th lie seven school days; Saturday the 3rd is none, and ticks.
  id = await grown([{ on: '2026-01-03' }, { on: '2026-01-04' }]);
  at('2026-01-14');
  assert.equal((await get(id)).body.streak, { current: 2, longest: 2, lastTickDate: '2026-01-04' });
  at('2026-01-15');
  assert.equal((await get(id)).body.streak, { current: 0, longest: 2, lastTickDate: '2026-01-04' });
});

test('a calendar changed in the middle of a streak changes no stored run, only how long it is waited for', async () => {
  // Nine school days between, of which two were holidays when the second event was stored.
  id = await grown([{ on: '2026-01-01' }, { on: '2026-01-14', missed: 7 }]);
  at('2026-01-15');
  const run = { current: 2, longest: 2, lastTickDate: '2026-01-14' };
  assert.equal((await get(id)).body.streak, run);
  const { organizationId } = world.own;
  await owner('organization')
    .where({ id: organizationId })
    .update({ holidays: ['2026-01-18', '2026-01-19'] });
  at('2026-01-27');
  assert.equal((await get(id)).body.streak, run, 'two holidays are never missed');
  await owner('organization').where({ id: organizationId }).update({ holidays: [] });
  assert.equal((await get(id)).body.streak, { ...run, current: 0 });
});

test('the month so far stands beside the same days of the month before', async () => {
  const days = ['2026-02-01', '2026-02-27', '2026-02-28', '2026-03-01', '2026-03-30'];
  id = await grown(days.map((on) => ({ on })));
  for (const [date, masteryEventCount, sameSpanBefore] of [
    ['2026-03-01', 1, 1],
    ['2026-03-27', 1, 2],
    // A month of 28 days has no 30th.
    ['2026-03-30', 2, 3],
    ['2026-02-28', 3, 0],
  ] as const) {
    at(date);
    assert.equal((await get(id)).body.sinceMonthStart, { masteryEventCount, sameSpanBefore }, date);
  }
});

test('statements do not grow with events and badges', async () => {
  const few = await grown([{ badge: 'first_step' }]);
  const many = await grown([{ badge: 'first_step' }, ...Array.from({ length: 30 }, () => ({}))]);
  await get(few);
  const one = await sentStatements(app.database.app, () => get(few));
  const thirty = await sentStatements(app.database.app, () => get(many));
  assert.equal(thirty, one);
});

test('without a set in force for the reader 503, for the others their profile', async () => {
  const student = world.own.people.STUDENT;
  await deactivate('student');
  const summary = async (persona: PersonName) => (await get(student.id, persona)).status;
  assert.equal([await summary('STUDENT'), await summary('PARENT'), await summary('TEACHER')], [503, 200, 200]);
  await deactivate('staff');
  const { status, body } = await get(student.id, 'TEACHER');
  assert.equal([status, body.code], [503, 'ENGINE_UNAVAILABLE']);
  assert.equal([await summary('STUDENT'), await summary('PARENT')], [503, 200]);
  await installShippedRules(owner, app.clock.now());
  assert.equal(
    [await summary('TEACHER'), await summary('STUDENT'), await summary('PARENT')],
    [503, 503, 200],
    'after a start',
  );
});

test.run();
