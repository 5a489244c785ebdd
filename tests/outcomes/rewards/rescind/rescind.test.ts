// 60 §1: a badge is taken back once, by a teacher of the class, with the one code that is meant for it.
import type { Static } from 'typebox';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { RewardProfile } from '#outcomes/rewards/reads/schemas.ts';
import { buildStudent, buildTeacher, signIn, type UserRow } from '../../../harness/factories.ts';
import { useApp } from '../../../harness/http.ts';
import { buildWorld, type World } from '../../../harness/world.ts';
import { buildGrowth } from '../rows.ts';

const test = suite('badges taken back');
const app = useApp(test, { rules: true });
const { owner } = app.database;
const code = 'Gam_Award_Invalid_05';
let world: World;
let student: UserRow;
let id: number;

test.before(async () => {
  world = await buildWorld(app);
});
test.before.each(async () => {
  student = await buildStudent(owner, world.own.classRow);
  const grown = await buildGrowth(owner, student, { badge: 'first_step' });
  id = grown.studentBadgeId ?? 0;
});

interface Answer {
  readonly code?: string;
  readonly details?: readonly { readonly issue: string }[];
}
const rescind = (badgeId: number | string, body: unknown, { token }: { readonly token: string }) =>
  app.post<Answer>(`/api/teachers/badges/${badgeId}/rescind`, body, { token });
const written = async () => {
  const own = { organizationId: student.organizationId, studentId: student.id };
  const [rows, xp] = await Promise.all([
    owner('student_badge_rescind').where(own),
    owner('xp_transaction').where({ ...own, kind: 'rescind' }),
  ]);
  return { rows, xp };
};
const nothing = async () => assert.equal(await written(), { rows: [], xp: [] });

test('once: a row for it, and the booked bonus is reversed; a second call returns 409', async () => {
  const teacher = world.own.people.TEACHER;
  const first = await rescind(id, { overrideCode: code }, teacher);
  const { rows, xp } = await written();
  assert.is(first.status, 200);
  assert.equal(first.body, {
    ...{ studentBadgeId: id, status: 'rescinded' },
    ...{ compensatingXpTransactionId: xp[0].id, reversalDelta: -10 },
  });
  assert.equal([rows.length, rows[0].overrideCode, rows[0].rescindedBy], [1, code, teacher.id]);
  assert.equal([xp.length, xp[0].amount, xp[0].studentBadgeId], [1, -10, id]);
  const again = await rescind(id, { overrideCode: code }, teacher);
  assert.equal([again.status, again.body.code, again.body.details?.[0]?.issue], [409, 'CONFLICT', 'already_rescinded']);
  assert.is((await written()).xp.length, 1);
  const profile = await app.get<Static<typeof RewardProfile>>(`/api/students/${student.id}/gamification/profile`, {
    token: teacher.token,
  });
  assert.equal([profile.body.xpBalance, profile.body.badges[0]?.status], [20, 'rescinded']);
  const entries = await owner('audit_entry').where({ entity: 'student_badge_rescind', actorUserId: teacher.id });
  assert.ok(entries.length >= 1, 'who took it back is recorded');
});

test('many at once: one 200, the others 409, one row', async () => {
  const replies = await Promise.all(
    Array.from({ length: 6 }, () => rescind(id, { overrideCode: code }, world.own.people.TEACHER)),
  );
  assert.equal(replies.map(({ status }) => status).sort(), [200, 409, 409, 409, 409, 409]);
  const { rows, xp } = await written();
  assert.equal([rows.length, xp.length], [1, 1]);
});

test('a second teacher of the class may; one of another class, a principal, an administrator and SUPER may not', async () => {
  for (const person of [
    world.own.people['TEACHER elsewhere'],
    world.own.people.PRINCIPAL,
    world.own.people.ADMIN,
    world.superAdmin,
  ]) {
    // Whatever the body holds.
    const { status, body } = await rescind(id, { nonsense: 1 }, person);
    assert.equal([status, body.code], [403, 'PERMISSION_DENIED'], person.primaryPersona);
  }
  await nothing();
  const second = await buildTeacher(owner, world.own.classRow, 'SECONDARY');
  assert.is((await rescind(id, { overrideCode: code }, { token: await signIn(app, second) })).status, 200);
});

test('unknown, malformed and of another organization: 404, for every body and caller', async () => {
  const foreign = await buildGrowth(owner, world.other.people.STUDENT, { badge: 'first_step' });
  for (const badgeId of [Number.MAX_SAFE_INTEGER, 'abc', '0', foreign.studentBadgeId ?? 0]) {
    for (const person of [world.own.people.TEACHER, world.own.people.ADMIN]) {
      const { status, body } = await rescind(badgeId, { nonsense: 1 }, person);
      assert.equal([status, body.code], [404, 'NOT_FOUND'], String(badgeId));
    }
  }
});

test('every fault of the body is 400, also one that is not JSON, and before 409', async () => {
  const { token } = world.own.people.TEACHER;
  const path = `/api/teachers/badges/${id}/rescind`;
  const bodies = [
    ...['{', '[]', '"x"', 'null', '', '{"overrideCode":1}', `{"overrideCode":"${code}","note":"x"}`],
    ...['{"overrideCode":""}', '{"overrideCode":"Alr_Already_Addressed_06"}', '{"overrideCode":"Nobody_Knows_99"}'],
    ...[`{"overrideCode":"${code}","overrideCode":"${code}"}`, `{"overrideCode":"${'x'.repeat(300_000)}"}`],
  ];
  for (const isRescinded of [false, true]) {
    if (isRescinded) await rescind(id, { overrideCode: code }, { token });
    for (const bytes of bodies) {
      const { status, body } = await app.request<Answer>('POST', path, { token, bytes });
      assert.equal([status, body.code], [400, 'VALIDATION_ERROR'], bytes.slice(0, 60));
    }
    if (!isRescinded) await nothing();
  }
  const foreignType = { token, bytes: `{"overrideCode":"${code}"}`, headers: { 'content-type': 'text/plain' } };
  assert.is((await app.request('POST', path, foreignType)).status, 400);
  assert.is((await app.request('POST', `${path}?nonsense=1`, { token, body: { overrideCode: code } })).status, 422);
});

test('in the demo nothing is taken back', async () => {
  const grown = await buildGrowth(owner, world.demo.people.STUDENT, { badge: 'first_step' });
  const { status, body } = await rescind(grown.studentBadgeId ?? 0, {}, world.demo.people.TEACHER);
  assert.equal([status, body.code], [403, 'DEMO_READ_ONLY']);
});

test.run();
