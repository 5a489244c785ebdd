// Every conflict of a roster, and every way in which the world may move between a preview and its commit.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { newId } from '#core/platform/ids.ts';
import { buildClass, buildStudent, buildUser, type ClassRow } from '../../harness/factories.ts';
import { useApp } from '../../harness/http.ts';
import { buildTenant, type Tenant } from '../../harness/world.ts';
import { type Person, type Roster, rosterSet } from './sets.ts';
import { RosterAdmin, reported, rowOf } from './walk.ts';

const app = useApp(test, { rules: true });
const { owner } = app.database;
let tenant: Tenant;
let stranger: Tenant;
let [first, second]: ClassRow[] = [];
const admin = new RosterAdmin(app, () => tenant.people.ADMIN);

test.before(async () => {
  stranger = await buildTenant(app);
});
test.before.each(async () => {
  tenant = await buildTenant(app);
  const { organizationId, school } = tenant;
  first = await buildClass(owner, { organizationId, schoolId: school.id, grade: 3 });
  second = await buildClass(owner, { organizationId, schoolId: school.id, grade: 3 });
});

const classes = [
  { id: 'A', title: 'الأول' },
  { id: 'B', title: 'الثاني' },
];
const address = () => `${newId()}@school.example`;
const inA = (people: readonly Person[]): Roster => ({
  classes,
  people,
  enrolled: people.map(({ id: person, role = 'student' }) => ({ course: 'A', person, role })),
});

async function connect(roster: Roster): Promise<string> {
  const { body } = await admin.upload(rosterSet(roster));
  await admin.map({ A: first?.id ?? 0, B: second?.id ?? 0 });
  return body.id;
}

const previewOf = async (roster: Roster) => admin.preview(await connect(roster));

async function imported(roster: Roster): Promise<string> {
  const id = await connect(roster);
  const { status, body } = await admin.commit((await admin.preview(id)).previewId);
  assert.is(status, 200, JSON.stringify(body));
  return id;
}

const again = async (id: string, roster: Roster) => {
  await admin.upload(rosterSet(roster));
  return admin.preview(id);
};

const userOf = async (subject: string) => {
  const { organizationId } = tenant;
  const link = await owner('external_identity').where({ organizationId, provider: 'oneroster', subject }).first();
  return link && owner('app_user').where({ organizationId, id: link.userId }).first();
};

const here = (persona: 'TEACHER' | 'STUDENT' | 'PRINCIPAL', email: string, status = 'active') =>
  buildUser(owner, persona, { organizationId: tenant.organizationId, email, status });

const resolved = async (previewId: string, rowId: string, resolution: string) =>
  (await admin.resolve(previewId, rowId, resolution)).status;

test('an address of another persona: a student comes without it, a teacher cannot', async () => {
  const [one, other] = [address(), address()];
  await here('TEACHER', one);
  await here('PRINCIPAL', other);
  const preview = await previewOf(
    inA([
      { id: 's1', email: one },
      { id: 't1', role: 'teacher', email: other },
    ]),
  );
  const [student, teacher] = [rowOf(preview, 's1'), rowOf(preview, 't1')];
  assert.equal([student.reasonCode, teacher.reasonCode], Array(2).fill('email_belongs_to_other_persona'));
  assert.is(await resolved(preview.previewId, teacher.rowId, 'accept_lms'), 422);
  assert.is(await resolved(preview.previewId, teacher.rowId, 'keep_amal'), 422);
  assert.is(await resolved(preview.previewId, teacher.rowId, 'skip_row'), 200);
  assert.is(await resolved(preview.previewId, student.rowId, 'accept_lms'), 200);
  assert.equal((await admin.commit(preview.previewId)).body, {
    ...{ created: 2, updated: 0, skipped: 2, conflicts_remaining: 0 },
  });
  assert.is((await userOf('s1')).email, null);
  assert.is(await userOf('t1'), undefined);
});

test('a person who teaches and learns is a conflict', async () => {
  const preview = await previewOf({
    classes,
    people: [{ id: 'p', role: 'teacher', email: address() }],
    enrolled: [{ course: 'A', person: 'p', role: 'student' }],
  });
  assert.is(rowOf(preview, 'p').reasonCode, 'email_belongs_to_other_persona');
});

test('an address twice in the roster, or of an account that is closed, is ambiguous', async () => {
  const [twice, closed] = [address(), address()];
  await here('STUDENT', closed, 'inactive');
  const preview = await previewOf(
    inA([
      { id: 's1', email: twice },
      { id: 's2', email: twice.toUpperCase() },
      { id: 's3', email: closed },
    ]),
  );
  assert.equal(
    ['s1', 's2', 's3'].map((id) => rowOf(preview, id).reasonCode),
    Array(3).fill('ambiguous_email'),
  );
});

test('an identity and an address that name two accounts are ambiguous', async () => {
  const [mine, others] = [address(), address()];
  const id = await imported(inA([{ id: 't1', role: 'teacher', email: mine }]));
  await here('TEACHER', others);
  const preview = await again(id, inA([{ id: 't1', role: 'teacher', email: others }]));
  assert.is(rowOf(preview, 't1').reasonCode, 'ambiguous_email');
});

test('an address of another organization shows nothing of it', async () => {
  const { email } = stranger.people.TEACHER;
  const preview = await previewOf(inA([{ id: 't1', role: 'teacher', email: email ?? '' }]));
  const row = rowOf(preview, 't1');
  assert.equal([row.reasonCode, row.local, row.changes], ['email_in_other_organization', null, []]);
});

test('a teacher without address and identity can only be skipped', async () => {
  const preview = await previewOf(inA([{ id: 't1', role: 'teacher' }]));
  const row = rowOf(preview, 't1');
  assert.is(row.reasonCode, 'missing_email_and_id');
  assert.is((await admin.resolveAll(preview.previewId, row.reasonCode, 'accept_lms')).status, 422);
  assert.equal((await admin.resolveAll(preview.previewId, row.reasonCode, 'skip_row')).body, { changed: 1 });
});

test('a student of two classes: one is accepted, and the other row is skipped', async () => {
  const preview = await previewOf({
    classes,
    people: [{ id: 's1' }],
    enrolled: [
      { course: 'A', person: 's1' },
      { course: 'B', person: 's1' },
    ],
  });
  const [a, b] = [rowOf(preview, 's1@A'), rowOf(preview, 's1@B')];
  assert.equal([a.reasonCode, b.reasonCode], ['two_classes', 'two_classes']);
  assert.is(await resolved(preview.previewId, b.rowId, 'accept_lms'), 200);
  assert.is(rowOf(await admin.read(preview.previewId), 's1@A').resolution, 'skip_row');
  assert.is((await admin.commit(preview.previewId)).status, 200);
  const { id } = await userOf('s1');
  const open = await owner('enrollment').where({ studentId: id }).whereNull('enrolledTo');
  assert.equal(
    open.map(({ classId }) => classId),
    [second?.id],
  );
});

test('a student whom a person has moved here, and whom the roster moves elsewhere, is a conflict', async () => {
  const id = await imported(inA([{ id: 's1' }]));
  const third = await buildClass(owner, {
    organizationId: tenant.organizationId,
    schoolId: tenant.school.id,
    grade: 3,
  });
  const student = await userOf('s1');
  await owner('enrollment').where({ studentId: student.id }).update({ classId: third.id });
  const moved = { classes, people: [{ id: 's1' }], enrolled: [{ course: 'B', person: 's1' }] };
  const preview = await again(id, moved);
  const row = rowOf(preview, 's1@B');
  assert.is(row.reasonCode, 'local_newer');
  assert.is(await resolved(preview.previewId, row.rowId, 'keep_amal'), 200);
  assert.is((await admin.commit(preview.previewId)).status, 200);
  assert.is(rowOf(await admin.preview(id), 's1@B').reasonCode, 'kept_local');
});

test('a grade of the student, or else of the course, that is not that of the class', async () => {
  const preview = await previewOf({
    classes: [
      { id: 'A', title: 'الأول', grade: '02' },
      { id: 'B', title: 'الثاني' },
    ],
    people: [{ id: 's1' }, { id: 's2', grades: '03' }],
    enrolled: [
      { course: 'A', person: 's1' },
      { course: 'A', person: 's2' },
    ],
  });
  assert.equal(
    ['s1@A', 's2@A'].map((one) => rowOf(preview, one).reasonCode),
    ['class_grade_mismatch', 'new_enrollment'],
  );
});

test('the last teacher of a class does not leave unasked', async () => {
  const t1 = { id: 't1', role: 'teacher', email: address() };
  const id = await imported(inA([t1, { id: 's1' }]));
  const preview = await again(id, inA([{ id: 's1' }]));
  assert.is(rowOf(preview, 't1@A').reasonCode, 'would_orphan_last_teacher');
  const followed = await again(id, inA([{ id: 't2', role: 'teacher', email: address() }, { id: 's1' }]));
  assert.is(rowOf(followed, 't1@A').reasonCode, 'ended');
  assert.is((await admin.commit(followed.previewId)).status, 200);
  const taught = await owner('class_teacher').where({ classId: first?.id });
  assert.equal(
    taught.map(({ role, teacherUserId }) => [role, teacherUserId]),
    [['PRIMARY', (await userOf('t2')).id]],
  );
});

test('five of twenty-four are many: more than a fifth, and five; four of them are not', async () => {
  const people = Array.from({ length: 24 }, (_, at) => ({ id: `s${String(at).padStart(2, '0')}` }));
  const id = await imported(inA(people));
  const four = await again(id, inA(people.slice(4)));
  assert.equal(four.summary, { create: 0, update: 4, conflict: 0, skip: 40 });
  const five = await again(id, inA(people.slice(5)));
  assert.equal(five.summary, { create: 0, update: 0, conflict: 5, skip: 38 });
  assert.ok(reported(five).includes('enrollment s00@A: conflict/mass_removal'));
  assert.equal((await admin.resolveAll(five.previewId, 'mass_removal', 'accept_lms')).body, { changed: 5 });
  assert.equal((await admin.commit(five.previewId)).body, {
    ...{ created: 0, updated: 5, skipped: 38, conflicts_remaining: 0 },
  });
});

const drifts: readonly (readonly [string, string, () => Promise<unknown>])[] = [
  ['the name', 's1', async () => change('s1', { fullNameAr: 'اسم هنا' })],
  ['the address', 's1', async () => change('s1', { email: address() })],
  ['the status', 's1', async () => change('s1', { status: 'inactive' })],
  ['the persona', 's1', async () => change('s1', { primaryPersona: 'TEACHER' })],
  ['the grade of the class', 's2@A', () => owner('class').where({ id: first?.id }).update({ grade: 2 })],
  [
    'the class, which is archived',
    's2@A',
    () => owner('class').where({ id: first?.id }).update({ archivedAt: new Date() }),
  ],
  [
    'the class of the student',
    's1@B',
    async () => {
      const { id } = await userOf('s1');
      await owner('enrollment').where({ studentId: id, enrolledTo: null }).update({ enrolledTo: '2099-01-01' });
    },
  ],
  ['an address that has an owner now', 's2', () => here('STUDENT', 'late@school.example')],
  [
    'an identity that has an owner now',
    's2',
    async () => {
      const { id: userId } = await buildStudent(owner, first);
      const { organizationId } = tenant;
      await owner('external_identity').insert({
        ...{ organizationId, userId, provider: 'oneroster', subject: 's2', createdAt: new Date() },
      });
    },
  ],
];

/** Of a teacher who would come, and of one who would go: the class has another row of the teacher by then. */
const drifting: readonly (readonly [string, 'attach' | 'detach', string])[] = [
  ['a teacher who would come teaches the class already', 'attach', 't2@A'],
  ['a teacher who would go has gone already', 'detach', 't1@A'],
];

for (const [name, act, row] of drifting) {
  test(`${name}: nothing of the preview is written`, async () => {
    const [t1, t2, t3] = ['t1', 't2', 't3'].map((id) => ({ id, role: 'teacher', email: address() }));
    if (!t1 || !t2 || !t3) throw new RangeError('teachers are missing');
    const taught = (...ids: readonly string[]): Roster => ({
      classes,
      people: [t1, t2, t3],
      enrolled: ids.map((person) => ({ course: 'A', person, role: 'teacher' })),
    });
    const id = await imported({
      classes,
      people: [t1, t2, t3],
      enrolled: [
        { course: 'A', person: 't1', role: 'teacher' },
        { course: 'A', person: 't3', role: 'teacher' },
        { course: 'B', person: 't2', role: 'teacher' },
      ],
    });
    const preview = await again(id, taught('t2', 't3'));
    assert.is(preview.summary.conflict, 1, 'who leaves the other class as its last one');
    await admin.resolveAll(preview.previewId, 'would_orphan_last_teacher', 'accept_lms');
    const teacherUserId = (await userOf(row.slice(0, 2))).id;
    const path = `/api/classes/${first?.id}/teachers`;
    const done =
      act === 'attach'
        ? await app.post(path, { teacherUserId }, admin.token)
        : await app.delete(`${path}/${teacherUserId}`, admin.token);
    assert.ok(done.status < 300);
    const before = await owner('class_teacher')
      .where({ organizationId: tenant.organizationId })
      .orderBy('teacherUserId');
    const { status, body } = await admin.commit(preview.previewId);
    assert.equal([status, body.details], [409, [{ field: `rows.${rowOf(preview, row).rowId}`, issue: 'drifted' }]]);
    assert.equal(
      await owner('class_teacher').where({ organizationId: tenant.organizationId }).orderBy('teacherUserId'),
      before,
    );
  });
}

async function change(subject: string, values: object): Promise<void> {
  const { id } = await userOf(subject);
  await owner('app_user').where({ id }).update(values);
}

for (const [name, row, drift] of drifts) {
  test(`${name} moved since the preview: nothing of it is written`, async () => {
    await owner('sign_in_name').where({ email: 'late@school.example' }).delete();
    const id = await imported(inA([{ id: 's1', email: address() }]));
    const preview = await again(id, {
      classes,
      people: [
        { id: 's1', given: 'هيا' },
        { id: 's2', email: 'late@school.example' },
      ],
      enrolled: [
        { course: 'B', person: 's1' },
        { course: 'A', person: 's2' },
      ],
    });
    assert.is(preview.summary.conflict, 0);
    await drift();
    const before = await owner('app_user').count('* as count').first();
    const { status, body } = await admin.commit(preview.previewId);
    assert.is(status, 409, JSON.stringify(body));
    const details = body.details as { field: string; issue: string }[];
    const field = `rows.${rowOf(preview, row).rowId}`;
    assert.ok(
      details.some((one) => one.field === field && one.issue === 'drifted'),
      JSON.stringify([row, details, reported(preview)]),
    );
    assert.equal(await owner('app_user').count('* as count').first(), before);
  });
}

test('an expired preview and an ended connection are refused, in that order; a committed one answers for ever', async () => {
  const id = await connect(inA([{ id: 's1' }]));
  const { previewId } = await admin.preview(id);
  const other = await admin.preview(id);
  const { body: answer } = await admin.commit(previewId);
  await app.delete(`/api/lms/connections/${id}`, admin.token);
  assert.equal((await admin.commit(previewId)).body, answer);
  const issue = async () => ((await admin.commit(other.previewId)).body.details as { issue: string }[])[0]?.issue;
  assert.is(await issue(), 'connection_not_active');
  await owner('lms_preview').where({ id: other.previewId }).update({ expiresAt: app.clock.now() });
  assert.is(await issue(), 'expired');
  assert.is((await admin.resolveAll(previewId, 'unchanged', 'skip_row')).status, 409);
});

test('two children of one name are two children, whatever else they share', async () => {
  const people = Array.from({ length: 30 }, (_, at) => ({ id: `twin-${at}`, given: 'محمد', family: 'العلي' }));
  await buildStudent(owner, first, { fullNameAr: 'محمد العلي' });
  const id = await imported(inA(people));
  const { organizationId } = tenant;
  const named = await owner('app_user').where({ organizationId, fullNameAr: 'محمد العلي' });
  assert.is(named.length, 31);
  const renamed = await again(id, inA(people.map((one, at) => (at % 2 ? one : { ...one, given: 'أحمد' }))));
  await admin.commit(renamed.previewId);
  const links = await owner('external_identity').where({ organizationId, provider: 'oneroster' });
  assert.is(new Set(links.map(({ userId }) => userId)).size, 30);
});

test('no roster makes an administrator, and a preview writes no one', async () => {
  const before = await owner('app_user').where({ organizationId: tenant.organizationId }).count('* as count').first();
  const preview = await previewOf({
    classes,
    people: [
      { id: 'a', role: 'administrator', email: address() },
      { id: 'g', role: 'guardian', email: address() },
    ],
    enrolled: [
      { course: 'A', person: 'a', role: 'administrator' },
      { course: 'A', person: 'nobody', role: 'student' },
      { course: 'A', person: 'a', role: 'student', from: '2026-13-01' },
    ],
  });
  assert.equal(reported(preview), [
    'student a: skip/role_not_imported',
    'enrollment a@A: skip/role_not_imported',
    'enrollment a@A: skip/bad_value',
    'enrollment nobody@A: skip/unresolved_reference',
  ]);
  assert.equal(preview.warnings.at(-1), { code: 'rows_skipped', count: 2 });
  assert.equal(
    await owner('app_user').where({ organizationId: tenant.organizationId }).count('* as count').first(),
    before,
  );
});

test.run();
