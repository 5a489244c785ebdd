// A new student may be a child who has an account: the answer hints at students of the same folded name and grade.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { newId } from '#core/platform/ids.ts';
import { buildClass, buildStudent, buildUser, password } from '../../../harness/factories.ts';
import { useApp } from '../../../harness/http.ts';
import { buildTenant, type Tenant } from '../../../harness/world.ts';

const app = useApp(test, { rules: true });
const { owner } = app.database;
let tenant: Tenant;

test.before.each(async () => {
  tenant = await buildTenant(app);
});

interface Hint {
  readonly studentId: number;
  readonly classId: number;
  readonly status: string;
}

const admin = () => ({ token: tenant.people.ADMIN.token });
const create = async (fullNameAr: string, more: object = {}) => {
  const { organizationId, classRow } = tenant;
  const body = { primaryPersona: 'STUDENT', fullNameAr, organizationId, classId: classRow.id, ...more };
  const { status, body: answer } = await app.post<{ id: number; possibleDuplicates: Hint[] }>(
    '/api/users',
    body,
    admin(),
  );
  assert.is(status, 201);
  return answer;
};
const named = (fullNameAr: string, classRow = tenant.classRow, more: object = {}) =>
  buildStudent(owner, classRow, { fullNameAr, ...more });

test('أحمد and احمد with a tatweel, marks and another alef are one folded name', async () => {
  const known = await named('أحمـد عليّ سالم');
  const { possibleDuplicates } = await create('احمد على سالم');
  assert.equal(possibleDuplicates, [
    { studentId: known.id, fullNameAr: 'أحمـد عليّ سالم', classId: tenant.classRow.id, status: 'active' },
  ]);
  assert.equal((await create('احمد سالم')).possibleDuplicates, []);
});

test('only students of the grade of the new one count: of the open class, else of the last', async () => {
  const { classElsewhere, organizationId, school } = tenant;
  const parallel = await buildClass(owner, { organizationId, schoolId: school.id, grade: 1, name: '1C' });
  const [here, beside, left] = [await named('هند سالم'), await named('هند سالم', parallel), await named('هند سالم')];
  await named('هند سالم', classElsewhere);
  await buildUser(owner, 'STUDENT', { organizationId, fullNameAr: 'هند سالم' });
  await owner('enrollment').where({ studentId: left.id }).update({ enrolledTo: '2025-12-01' });
  const { possibleDuplicates } = await create('هند سالم');
  assert.equal(
    possibleDuplicates.map(({ studentId, classId }) => [studentId, classId]),
    [
      [here.id, tenant.classRow.id],
      [beside.id, parallel.id],
      [left.id, tenant.classRow.id],
    ],
  );
});

test('active ones come first, then ids, five at most; merged, erased and foreign ones never', async () => {
  const inactive = await named('نور سالم', tenant.classRow, { status: 'inactive' });
  const active = [];
  for (let at = 0; at < 5; at += 1) active.push(await named('نور سالم'));
  const [merged, into] = [await named('نور سالم'), await named('منى سالم')];
  const body = { intoStudentId: into.id, reasonCode: 'duplicate_account' };
  assert.is((await app.post(`/api/students/${merged.id}/merge`, body, admin())).status, 201);
  const erased = await named('نور سالم');
  assert.is((await app.post(`/api/students/${erased.id}/erasure`, {}, admin())).status, 200);
  await named('نور سالم', await buildClass(owner));
  const hints = async () => (await create('نور سالم')).possibleDuplicates.map(({ studentId }) => studentId);
  assert.equal(
    await hints(),
    active.map(({ id }) => id),
  );
  await owner('app_user')
    .whereIn(
      'id',
      active.slice(2).map(({ id }) => id),
    )
    .update({ status: 'inactive' });
  await owner('app_user')
    .whereNotIn('id', [...active.map(({ id }) => id), inactive.id])
    .where({ fullNameAr: 'نور سالم' })
    .update({ fullNameAr: 'سلمى' });
  assert.equal(await hints(), [active[0]?.id, active[1]?.id, inactive.id, active[2]?.id, active[3]?.id]);
});

test('no other persona has the hint, and nothing but the stored answer holds it', async () => {
  const known = await named('ليلى سالم');
  const key = newId();
  const { organizationId, classRow } = tenant;
  const student = { primaryPersona: 'STUDENT', fullNameAr: 'ليلي سالم', organizationId, classId: classRow.id };
  const { status } = await app.post('/api/users', student, { ...admin(), headers: { 'idempotency-key': key } });
  assert.is(status, 201);
  const teacher = {
    primaryPersona: 'TEACHER',
    fullNameAr: 'ليلى سالم',
    organizationId,
    email: `${key}@example.org`,
    password,
  };
  const { body } = await app.post<object>('/api/users', teacher, admin());
  assert.not.ok('possibleDuplicates' in body);
  for (const table of ['outbox', 'audit_entry', 'notification', 'notification_request', 'platform_alert']) {
    const { rows } = await owner.raw("select 1 from ?? t where t::text like '%ossible%uplicate%' limit 1", [table]);
    assert.is(rows.length, 0, table);
  }
  assert.is((await app.post(`/api/students/${known.id}/erasure`, {}, admin())).status, 200);
  assert.not.ok(await owner('idempotent_answer').where({ key }).first(), 'the kept answer names the erased child');
});

test.run();
