// The roll-over of a school (contract 12 §3): what goes where, what is refused, what a second one does.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { buildSchool, buildStudent, signIn } from '../../../harness/factories.ts';
import { useApp } from '../../../harness/http.ts';
import { buildTenant } from '../../../harness/world.ts';
import { type Refusal, type RollOverView, rollingSchool, september } from './school.ts';

const test = suite('roll-over');
const app = useApp(test, { rules: true });
const { owner } = app.database;

test.before.each(() => app.clock.set(september));

test('each class goes on into the next grade with its teachers, grade 4 leaves', async () => {
  const at = await rollingSchool(app);
  const [first, fourth] = [await at.classOf(1, 'أ'), await at.classOf(4, 'ب')];
  const [child, other, leaver] = [await at.student(first), await at.student(first), await at.student(fourth)];
  const [primary, secondary] = [await at.teacher(first), await at.teacher(first, 'SECONDARY')];
  const { status, body } = await at.rollOver();
  assert.is(status, 201);
  const [moved, left] = body.classes;
  assert.equal(body.classes, [
    { fromClassId: first.id, toClassId: moved?.toClassId, isNew: true, name: 'أ', grade: 2, students: 2 },
    { fromClassId: fourth.id, toClassId: null, isNew: false, name: 'ب', grade: 4, students: 1 },
  ]);
  assert.is(left?.toClassId, null);
  assert.equal([body.leaving, body.repeating, body.already], [1, [], 0]);
  for (const student of [child, other]) {
    assert.equal(await at.placeOf(student), { classId: moved?.toClassId, enrolledFrom: '2026-09-01' });
  }
  assert.is(await at.placeOf(leaver), undefined);
  const made = await app.get<{ academicYear: string; teachers: unknown }>(`/api/classes/${moved?.toClassId}`, {
    token: await signIn(app, at.admin),
  });
  assert.is(made.body.academicYear, '2026-2027');
  assert.equal(made.body.teachers, [
    { teacherUserId: primary.id, role: 'PRIMARY' },
    { teacherUserId: secondary.id, role: 'SECONDARY' },
  ]);
});

test('a class that exists already takes the students and keeps its own teachers', async () => {
  const at = await rollingSchool(app);
  const old = await at.classOf(2, 'أ');
  const ready = await at.classOf(3, 'أ', { academicYear: '2026-2027' });
  const child = await at.student(old);
  await at.teacher(old);
  const { body } = await at.rollOver();
  assert.equal(body.classes[0], {
    ...{ fromClassId: old.id, toClassId: ready.id, isNew: false, name: 'أ', grade: 3, students: 1 },
  });
  assert.is((await at.placeOf(child))?.classId, ready.id);
  assert.equal(await owner('class_teacher').where({ classId: ready.id }), []);
});

test('names, skipped classes and repeaters follow the request', async () => {
  const at = await rollingSchool(app);
  const [named, skipped] = [await at.classOf(1, 'أ'), await at.classOf(1, 'ب')];
  const [goes, repeats, stays] = [await at.student(named), await at.student(named), await at.student(skipped)];
  const { body } = await at.rollOver({
    classes: [
      { classId: named.id, name: 'ج' },
      { classId: skipped.id, skip: true },
    ],
    repeatStudentIds: [repeats.id],
  });
  assert.equal(
    body.classes.map(({ fromClassId, name, students }) => [fromClassId, name, students]),
    [[named.id, 'ج', 1]],
  );
  assert.equal(body.repeating, [repeats.id]);
  assert.is((await at.placeOf(goes))?.classId, body.classes[0]?.toClassId);
  assert.is((await at.placeOf(repeats))?.classId, named.id);
  assert.is((await at.placeOf(stays))?.classId, skipped.id);
  assert.is((await at.detail()).betweenClasses, 2);
});

test('a dry run writes nothing and answers the same, of the current year too', async () => {
  const at = await rollingSchool(app);
  const old = await at.classOf(1);
  const child = await at.student(old);
  const before = await owner('class').where({ organizationId: at.organizationId });
  const dry = await at.rollOver({ dryRun: true });
  assert.is(dry.status, 200);
  assert.equal(await owner('class').where({ organizationId: at.organizationId }), before);
  assert.is((await at.placeOf(child))?.classId, old.id);
  assert.is((await at.detail()).lastRollOver, null);
  const { body } = await at.rollOver();
  const withoutIds = ({ classes, ...rest }: RollOverView) => ({
    ...{ ...rest, rollOverId: null },
    classes: classes.map((one) => ({ ...one, toClassId: null })),
  });
  assert.equal(withoutIds(body), withoutIds(dry.body));
  const ahead = await at.rollOver({ fromYear: '2026-2027', dryRun: true });
  assert.is(ahead.status, 200);
  assert.equal(
    ahead.body.classes.map(({ grade, students }) => [grade, students]),
    [[3, 1]],
  );
});

test('only the year before the current one is rolled over', async () => {
  const at = await rollingSchool(app);
  for (const [body, issue] of [
    [{ fromYear: '2026-2027' }, 'not_allowed'],
    [{ fromYear: '2024-2025' }, 'not_allowed'],
    [{ fromYear: '2024-2025', dryRun: true }, 'not_allowed'],
    [{ fromYear: '2027-2028', dryRun: true }, 'not_allowed'],
    [{ fromYear: '2025-2027' }, 'not_allowed'],
  ] as const) {
    const { status, body: refusal } = await at.rollOver<Refusal>(body);
    assert.is(status, 422, JSON.stringify(body));
    assert.equal(refusal.details, [{ field: 'fromYear', issue }]);
  }
  assert.is((await at.rollOver({ fromYear: '1448-1449' })).status, 422);
});

test('refused: two classes into one, a class named twice, classes and students of elsewhere', async () => {
  const at = await rollingSchool(app);
  const [a, b] = [await at.classOf(1, 'أ'), await at.classOf(1, 'ب')];
  const archived = await at.classOf(2, 'د', { archivedAt: new Date() });
  const current = await at.classOf(2, 'ه', { academicYear: '2026-2027' });
  const foreigner = await at.student(current);
  const stranger = await buildTenant(app);
  await at.student(a);
  const refusals: readonly [object, number, string, string][] = [
    [{ classes: [{ classId: a.id, name: 'ب' }] }, 422, 'classes', 'two_into_one'],
    [{ classes: [{ classId: a.id }, { classId: a.id, skip: true }] }, 422, 'classes.1.classId', 'not_unique'],
    [{ classes: [{ classId: archived.id }] }, 422, 'classes.0.classId', 'not_in_roll_over'],
    [{ classes: [{ classId: b.id }, { classId: current.id }] }, 422, 'classes.1.classId', 'not_in_roll_over'],
    [{ repeatStudentIds: [foreigner.id] }, 422, 'repeatStudentIds.0', 'not_in_roll_over'],
  ];
  for (const [body, status, field, issue] of refusals) {
    const answer = await at.rollOver<Refusal>(body);
    assert.is(answer.status, status, JSON.stringify(body));
    assert.equal(answer.body.details, [{ field, issue }]);
  }
  for (const body of [
    { classes: [{ classId: stranger.classRow.id }] },
    { classes: [{ classId: 9_007_199_254_740 }] },
    { repeatStudentIds: [stranger.people.STUDENT.id] },
    { repeatStudentIds: [at.admin.id] },
  ]) {
    assert.is((await at.rollOver(body)).status, 404, JSON.stringify(body));
  }
  assert.equal(await owner('school_roll_over').where({ organizationId: at.organizationId }), []);
  assert.is(
    (
      await at.rollOver({
        classes: [
          { classId: a.id, name: 'ب' },
          { classId: b.id, name: 'أ' },
        ],
      })
    ).status,
    201,
  );
});

test('a second roll-over finds everybody there already and writes nothing', async () => {
  const at = await rollingSchool(app);
  const [first, fourth] = [await at.classOf(1), await at.classOf(4)];
  const students = [await at.student(first), await at.student(first)];
  await at.student(fourth);
  const once = await at.rollOver();
  const again = await at.rollOver();
  assert.is(again.status, 201);
  assert.is(again.body.rollOverId, null);
  assert.equal([again.body.already, again.body.leaving], [2, 0]);
  assert.is(again.body.classes[0]?.toClassId, once.body.classes[0]?.toClassId);
  assert.is((await at.detail()).lastRollOver?.rollOverId, once.body.rollOverId);
  const [row] = await owner('enrollment').where({ studentId: students[0]?.id }).count('* as n');
  assert.is(Number(row?.n), 2);
});

test('two at once move everybody once', async () => {
  const at = await rollingSchool(app);
  const old = await at.classOf(1);
  const students = await Promise.all([1, 2, 3, 4].map(() => at.student(old)));
  const both = await Promise.all([at.rollOver(), at.rollOver()]);
  assert.equal(
    both.map(({ status }) => status),
    [201, 201],
  );
  assert.equal(both.map(({ body }) => body.already).sort(), [0, 4]);
  assert.is(both.filter(({ body }) => body.rollOverId !== null).length, 1);
  const made = await owner('class').where({ organizationId: at.organizationId, academicYear: '2026-2027' });
  assert.is(made.length, 1);
  for (const student of students) {
    assert.is((await at.placeOf(student))?.classId, made[0]?.id);
    assert.is((await owner('enrollment').where({ studentId: student.id })).length, 2);
  }
});

test('beside enrollments into the old classes every student ends in one class', async () => {
  const at = await rollingSchool(app);
  const [old, other] = [await at.classOf(1, 'أ'), await at.classOf(1, 'ب')];
  const students = await Promise.all(Array.from({ length: 12 }, () => at.student(old)));
  const replies = await Promise.all([
    at.rollOver(),
    ...students.slice(0, 6).map((student) => at.enroll(other, [student])),
    at.rollOver(),
  ]);
  assert.equal([...new Set(replies.map(({ status }) => status))], [201]);
  const open = await owner('enrollment').where({ organizationId: at.organizationId, enrolledTo: null });
  assert.is(open.length, 12);
  await at.rollOver();
  for (const student of students) {
    const place = await at.placeOf(student);
    const { academicYear } = await owner('class').where({ id: place?.classId }).first('academicYear');
    assert.is(academicYear, '2026-2027');
  }
  const targets = await owner('class').where({ organizationId: at.organizationId, academicYear: '2026-2027' });
  assert.is(targets.length, 2);
});

test('the year turns at midnight of the school, not of the server', async () => {
  const at = await rollingSchool(app, { timeZone: 'Asia/Riyadh' });
  const west = await buildSchool(owner, { organizationId: at.organizationId, timeZone: 'America/Sao_Paulo' });
  await at.classOf(1);
  // 00:30 on 1 August in Riyadh, 18:30 on 31 July in São Paulo.
  app.clock.set('2026-07-31T21:30:00.000Z');
  const token = await signIn(app, at.admin);
  const roll = (schoolId: string, fromYear: string) =>
    app.post<Refusal>(`/api/schools/${schoolId}/roll-over`, { fromYear }, { token });
  assert.is((await at.rollOver()).status, 201);
  assert.is((await roll(west.id, '2025-2026')).status, 422);
  assert.is((await roll(west.id, '2024-2025')).status, 201);
  const [row] = await owner('enrollment').where({ organizationId: at.organizationId }).orderBy('id', 'desc');
  assert.is(row, undefined);
});

test('the roll-over raises the events of moves and of leavings', async () => {
  const at = await rollingSchool(app);
  const [first, fourth] = [await at.classOf(1), await at.classOf(4)];
  const [child, leaver] = [await at.student(first), await at.student(fourth)];
  await at.rollOver();
  const topicsOf = async (studentId: number) =>
    (await owner('outbox').whereRaw("(payload ->> 'studentId')::bigint = ?", [studentId]).orderBy('id')).map(
      ({ topic }) => topic,
    );
  assert.equal(await topicsOf(child.id), ['student.enrollment_changed', 'student.grade_changed']);
  assert.equal(await topicsOf(leaver.id), ['student.enrollment_changed']);
});

test('a demo and another organization are refused', async () => {
  const demo = await buildTenant(app, { isDemo: true });
  const other = await buildTenant(app);
  await buildStudent(owner, demo.classRow);
  const path = (id: string) => `/api/schools/${id}/roll-over`;
  const body = { fromYear: '2025-2026', dryRun: true };
  const refused = await app.post<Refusal>(path(demo.school.id), body, { token: await signIn(app, demo.people.ADMIN) });
  assert.is(refused.body.code, 'DEMO_READ_ONLY');
  const foreign = await app.post(path(demo.school.id), body, { token: await signIn(app, other.people.ADMIN) });
  assert.is(foreign.status, 404);
  const teacher = await app.post(path(other.school.id), body, { token: await signIn(app, other.people.TEACHER) });
  assert.is(teacher.status, 403);
});

test.run();
