// Existing accounts: changes, deactivation and reactivation.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import {
  buildSchool,
  buildUser,
  openSessionOf,
  password,
  passwordHash,
  type UserRow,
} from '../../../harness/factories.ts';
import { useApp } from '../../../harness/http.ts';
import { buildWorld, type World } from '../../../harness/world.ts';

const app = useApp(test);
const { owner } = app.database;
let world: World;

test.before(async () => {
  world = await buildWorld(app);
});

type Body = Record<string, unknown>;

const admin = () => ({ token: world.own.people.ADMIN.token });
const newUser = (persona: UserRow['primaryPersona'], overrides: object = {}) =>
  buildUser(owner, persona, { organizationId: world.own.organizationId, ...overrides });
const patch = ({ id }: UserRow, change: Body) => app.patch<Body>(`/api/users/${id}`, change, admin());
const act = ({ id }: UserRow, verb: string) => app.post<Body>(`/api/users/${id}/${verb}`, undefined, admin());

test('an administrator reads a person', async () => {
  const user = await newUser('TEACHER', { locale: 'ar-SA' });
  const { status, body } = await app.get(`/api/users/${user.id}`, admin());
  assert.is(status, 200);
  assert.equal(body, {
    id: user.id,
    email: user.email,
    fullNameAr: 'مستخدم للاختبار',
    primaryPersona: 'TEACHER',
    organizationId: world.own.organizationId,
    status: 'active',
    seats: [],
    locale: 'ar-SA',
    externalId: null,
    createdAt: '2025-08-01T00:00:00.000Z',
    merges: [],
  });
});

test('PATCH changes name, e-mail and locale', async () => {
  const { status, body } = await patch(await newUser('TEACHER'), {
    fullNameAr: 'اسم جديد',
    email: ' New.Name@Example.org ',
    locale: 'en',
  });
  assert.is(status, 200);
  assert.equal([body.fullNameAr, body.email, body.locale], ['اسم جديد', 'new.name@example.org', 'en']);
});

test('a new password signs in, the old one does not, and open sessions end', async () => {
  const user = await newUser('TEACHER', { passwordHash: await passwordHash() });
  const { accessToken } = await openSessionOf(app, user);
  assert.is((await patch(user, { password: 'another password' })).status, 200);
  const login = async (tried: string) =>
    (await app.post('/api/auth/login', { email: user.email, password: tried })).status;
  assert.is(await login('another password'), 200);
  assert.is(await login(password), 401);
  assert.is((await app.get('/api/auth/me', { token: accessToken })).status, 401);
});

test('a change without a password ends no session', async () => {
  const user = await newUser('TEACHER');
  const { accessToken } = await openSessionOf(app, user);
  await patch(user, { fullNameAr: 'اسم جديد' });
  assert.is((await app.get('/api/auth/me', { token: accessToken })).status, 200);
});

test('a taken e-mail is 409 EMAIL_EXISTS; the own one is not', async () => {
  const user = await newUser('TEACHER');
  const taken = await patch(user, { email: world.other.people.TEACHER.email });
  assert.is(taken.status, 409);
  assert.is(taken.body.code, 'EMAIL_EXISTS');
  assert.is((await patch(user, { email: user.email })).status, 200);
});

test('schools are replaced as a whole, for a principal only, and within the organization', async () => {
  const principal = await newUser('PRINCIPAL');
  const second = await buildSchool(owner, { organizationId: world.own.organizationId });
  const schools = async () =>
    (await owner('principal_school').where({ principalUserId: principal.id })).map(({ schoolId }) => schoolId);
  await patch(principal, { schoolIds: [world.own.school.id] });
  assert.is((await patch(principal, { schoolIds: [second.id] })).status, 200);
  assert.equal(await schools(), [second.id]);
  assert.is((await patch(principal, { schoolIds: [second.id, world.other.school.id] })).status, 404);
  assert.equal(await schools(), [second.id]);
  assert.is((await patch(await newUser('TEACHER'), { schoolIds: [second.id] })).status, 422);
});

test('seats are for an ADMIN only', async () => {
  const seats = ['HIGH_INTENSITY_SPECIALIST'];
  assert.equal((await patch(await newUser('ADMIN'), { seats })).body.seats, seats);
  assert.is((await patch(await newUser('TEACHER'), { seats })).status, 422);
});

for (const change of [
  {},
  { primaryPersona: 'ADMIN' },
  { scope: 'SUPER' },
  { organizationId: 'x' },
  { status: 'deleted' },
  { id: 1 },
  { email: null },
  { password: 'short' },
  { fullNameAr: '' },
  { locale: 'not a locale' },
  { schoolIds: [] },
]) {
  test(`PATCH ${JSON.stringify(change)} is 422`, async () => {
    assert.is((await patch(await newUser('TEACHER'), change)).status, 422);
  });
}

test('a password that is the e-mail is 422, the new e-mail or the old one', async () => {
  const user = await newUser('TEACHER');
  assert.is((await patch(user, { password: String(user.email).toUpperCase() })).status, 422);
  assert.is((await patch(user, { email: 'other@example.org', password: 'other@example.org' })).status, 422);
});

test('deactivating and reactivating are visible in the status, and may be repeated', async () => {
  const user = await newUser('PARENT');
  for (const [verb, status] of [
    ['deactivate', 'inactive'],
    ['deactivate', 'inactive'],
    ['reactivate', 'active'],
    ['reactivate', 'active'],
  ] as const) {
    const reply = await act(user, verb);
    assert.is(reply.status, 200);
    assert.is(reply.body.status, status);
  }
});

test('the own account cannot be deactivated', async () => {
  assert.is((await act(world.own.people.ADMIN, 'deactivate')).status, 409);
});

test('an erased person can be neither changed nor reactivated', async () => {
  const user = await newUser('TEACHER', { status: 'deleted' });
  assert.is((await act(user, 'reactivate')).status, 409);
  assert.is((await act(user, 'deactivate')).status, 409);
  assert.is((await patch(user, { fullNameAr: 'عائد' })).status, 409);
});

test('an administrator does not see backoffice staff', async () => {
  const id = world.superAdmin.id;
  assert.is((await app.get(`/api/users/${id}`, admin())).status, 404);
  assert.is((await app.patch(`/api/users/${id}`, { fullNameAr: 'x' }, admin())).status, 404);
  assert.is((await app.post(`/api/users/${id}/deactivate`, undefined, admin())).status, 404);
});

test.run();
