// 60 §1: leaderboards of a class, a teacher and a school, for adults: who sees which, what is counted, in which order, and
// that nothing in them gives any person a place.
import type { Static } from 'typebox';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Leaderboard } from '#outcomes/rewards/reads/schemas.ts';
import {
  buildClass,
  buildPrincipal,
  buildSchool,
  buildStudent,
  buildTeacher,
  type ClassRow,
  type SchoolRow,
  signIn,
  type UserRow,
} from '../../../harness/factories.ts';
import { useApp } from '../../../harness/http.ts';
import { sentStatements } from '../../../harness/statements/sent-statements.ts';
import { buildWorld, type World } from '../../../harness/world.ts';
import { buildGrowth } from '../rows.ts';

const test = suite('leaderboards');
const app = useApp(test, { rules: true });
const { owner } = app.database;
const framing = { topLabelAr: 'خطوات كثيرة في هذه الفترة', bottomLabelAr: 'خطوات في الطريق' };
let world: World;
/** Of one teacher: a class in each of two schools. */
let [school, other]: SchoolRow[] = [];
let [first, second, foreign]: ClassRow[] = [];
let teacher: UserRow;
let [a, b, c, d]: UserRow[] = [];

const on = (...days: string[]) => days.map((day) => ({ on: `2026-01-${day}` }));

test.before(async () => {
  world = await buildWorld(app);
  const { organizationId } = world.own;
  school = await buildSchool(owner, { organizationId });
  other = await buildSchool(owner, { organizationId });
  first = await buildClass(owner, { organizationId, schoolId: school.id });
  second = await buildClass(owner, { organizationId, schoolId: other.id });
  foreign = await buildClass(owner, { organizationId, schoolId: school.id });
  teacher = await buildTeacher(owner, first);
  const teaches = { organizationId, teacherUserId: teacher.id, role: 'SECONDARY' };
  await owner('class_teacher').insert({ ...teaches, classId: second.id });
  a = await buildStudent(owner, first);
  b = await buildStudent(owner, first);
  c = await buildStudent(owner, second);
  d = await buildStudent(owner, foreign);
  // The window of fourteen days that ends on 15 January begins on the 2nd.
  for (const row of on('01', '02', '15')) await buildGrowth(owner, a, row);
  await buildGrowth(owner, b, { on: '2026-01-10', kind: 'band_progression' });
  await buildGrowth(owner, b, { on: '2026-01-16' });
  for (const row of on('05', '06', '07')) await buildGrowth(owner, c, row);
});

type Answer = Static<typeof Leaderboard> & { readonly code?: string };
type Path = `class/${number}` | `teacher/${number}` | `school/${string}`;
const get = async (path: Path, as: UserRow, query = '') =>
  app.get<Answer>(`/api/leaderboards/${path}${query}`, { token: await signIn(app, as) });
const entry = (student: UserRow | undefined, events: number, bands = 0) => ({
  ...{ studentId: student?.id, masteryEventCount: events, bandProgressionCount: bands },
  sourceKindBreakdown: {
    ...(events > bands && { subskill_state_up: events - bands }),
    ...(bands > 0 && { band_progression: bands }),
  },
});

test('class: every enrolled student, by mastery events, then band progressions, then id', async () => {
  const quiet = await buildStudent(owner, first);
  const { status, body } = await get(`class/${first?.id ?? 0}`, teacher);
  assert.is(status, 200);
  assert.equal(body, {
    ...{ scope: 'class', view: 'by_mastery_events', windowDays: 14, framing },
    entries: [entry(a, 2), entry(b, 1, 1), entry(quiet, 0)],
  });
  const byBand = await get(`class/${first?.id ?? 0}`, teacher, '?view=by_band_progression&windowDays=15');
  assert.equal(byBand.body, {
    ...{ scope: 'class', view: 'by_band_progression', windowDays: 15, framing },
    entries: [entry(b, 1, 1), entry(a, 3), entry(quiet, 0)],
  });
});

test('teacher: all classes together, and totals by class; school: its own classes alone', async () => {
  const { body } = await get(`teacher/${teacher.id}`, teacher);
  assert.equal(body.classTotals, [
    { classId: first?.id, masteryEventCount: 3, bandProgressionCount: 1 },
    { classId: second?.id, masteryEventCount: 3, bandProgressionCount: 0 },
  ]);
  assert.equal(body.entries.slice(0, 3), [entry(c, 3), entry(a, 2), entry(b, 1, 1)]);
  const whole = await get(`school/${school?.id ?? ''}`, world.own.people.ADMIN);
  const ids = whole.body.entries.map(({ studentId }) => studentId);
  assert.ok(ids.includes(d?.id ?? 0) && !ids.includes(c?.id ?? 0));
  assert.equal([whole.body.scope, 'classTotals' in whole.body], ['school', false]);
});

test('events of a student in earlier classes count', async () => {
  const moved = await buildStudent(owner, second);
  await buildGrowth(owner, moved, { on: '2026-01-14' });
  const { organizationId, id: studentId } = moved;
  await owner('enrollment').where({ organizationId, studentId }).update({ enrolledTo: '2026-01-14' });
  await owner('enrollment').insert({ organizationId, studentId, classId: foreign?.id, enrolledFrom: '2026-01-14' });
  const { body } = await get(`class/${foreign?.id ?? 0}`, world.own.people.ADMIN);
  assert.equal(body.entries, [entry(moved, 1), entry(d, 0)]);
});

test('a principal sees the classes of own schools; of a teacher without any, nothing is there', async () => {
  const head = await buildPrincipal(owner, school as SchoolRow);
  const { body } = await get(`teacher/${teacher.id}`, head);
  assert.equal(
    body.classTotals?.map(({ classId }) => classId),
    [first?.id],
  );
  for (const path of [
    `teacher/${world.own.people.TEACHER.id}`,
    `class/${second?.id ?? 0}`,
    `school/${other?.id ?? ''}`,
    `teacher/${head.id}`,
    `teacher/${world.other.people.TEACHER.id}`,
    `school/${world.other.school.id}`,
  ] as Path[]) {
    const reply = await get(path, head);
    assert.equal([reply.status, reply.body.code], [404, 'NOT_FOUND'], path);
  }
});

test('another teacher: 404 for a class and a teacher; a school is refused before anything is looked up', async () => {
  const stranger = world.own.people.TEACHER;
  assert.is((await get(`class/${first?.id ?? 0}`, stranger)).status, 404);
  assert.is((await get(`teacher/${teacher.id}`, stranger)).status, 404);
  assert.is((await get(`school/${school?.id ?? ''}`, teacher)).status, 403);
  assert.is((await get(`school/${world.other.school.id}`, teacher)).status, 403);
  for (const persona of ['STUDENT', 'PARENT', 'MANAGER'] as const) {
    const person = world.own.people[persona];
    for (const path of [`class/${first?.id ?? 0}`, `teacher/1`, `school/${world.other.school.id}`] as Path[]) {
      assert.is((await get(path, person)).status, 403, `${persona} ${path}`);
    }
  }
});

test('a window of 0 or 91 days, an unknown view or word: 422', async () => {
  for (const query of ['?windowDays=0', '?windowDays=91', '?windowDays=1.5', '?view=by_xp', '?limit=5']) {
    assert.is((await get(`class/${first?.id ?? 0}`, teacher, query)).status, 422, query);
  }
});

test('statements do not grow with students, and reads at once give one answer', async () => {
  const path: Path = `class/${first?.id ?? 0}`;
  const token = await signIn(app, teacher);
  const read = () => app.get(`/api/leaderboards/${path}`, { token });
  const before = await sentStatements(app.database.app, read);
  await Promise.all(Array.from({ length: 5 }, () => buildStudent(owner, first)));
  const after = await sentStatements(app.database.app, read);
  assert.equal(after, before);
  const replies = await Promise.all(Array.from({ length: 8 }, read));
  assert.is(new Set(replies.map(({ body }) => JSON.stringify(body))).size, 1);
});

test('no ranks: the response has no rank, share, XP or name', async () => {
  const { body } = await get(`school/${school?.id ?? ''}`, world.own.people.ADMIN);
  const names = new Set(JSON.stringify(body).match(/"[A-Za-z_]+"(?=:)/g));
  assert.not.match([...names].join(), /rank|place|position|percent|xp|score|name|top\b|best|worst/i);
});

test.run();
