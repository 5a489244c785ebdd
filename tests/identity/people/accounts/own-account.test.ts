// Changes that could hand an account over: only its owner changes the address of a SUPER administrator, and no
// administrator gives themselves a seat.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { inContext } from '#core/platform/db.ts';
import {
  buildSuperAdmin,
  buildUser,
  password,
  passwordHash,
  signIn,
  type UserRow,
} from '../../../harness/factories.ts';
import { useApp } from '../../../harness/http.ts';
import { codeOf, noGeneralLimits } from '../../../security/support.ts';
import { codeAt } from '../second-factor/totp-codes.ts';

const app = useApp(test, { settings: noGeneralLimits, ownStatements: true, ownEntries: true });
const { owner, app: runtime } = app.database;
const seat = 'HIGH_INTENSITY_SPECIALIST';

const patchAs = async (caller: UserRow, { id }: UserRow, body: object) =>
  app.patch<{ seats: string[] }>(`/api/users/${id}`, body, { token: await signIn(app, caller) });
const superAdmin = async () => buildSuperAdmin(owner, { passwordHash: await passwordHash() });
const emailOf = async ({ id }: UserRow) => (await owner('app_user').where({ id }).first('email')).email;
const issueOf = ({ body }: { body: unknown }) => (body as { details?: { issue: string }[] }).details?.[0]?.issue;

test('the address of another SUPER administrator cannot be changed', async () => {
  const [one, other] = [await superAdmin(), await superAdmin()];
  for (const body of [
    { email: 'taken-over@example.org' },
    { email: 'taken-over@example.org', currentPassword: password },
  ]) {
    assert.equal((await patchAs(one, other, body)).status, 403);
  }
  assert.is(await emailOf(other), other.email);
});

test('changing the own address needs the password; wrong ones count as failed logins', async () => {
  const user = await superAdmin();
  const email = 'my-new-address@example.org';
  assert.is((await patchAs(user, user, { email })).status, 403);
  assert.is(codeOf(await patchAs(user, user, { email, currentPassword: 'wrong' })), 'INVALID_CREDENTIALS');
  assert.is((await patchAs(user, user, { email, currentPassword: password })).status, 200);
  assert.is(await emailOf(user), email);
  for (let tries = 0; tries < 5; tries += 1) await patchAs(user, user, { email, currentPassword: 'wrong' });
  assert.is(codeOf(await patchAs(user, user, { email, currentPassword: password })), 'BRUTE_FORCE_LOCKED');
});

test('changing the own address needs the second factor if one is in use', async () => {
  const user = await superAdmin();
  const token = await signIn(app, user);
  const { body } = await app.post<{ secret: string }>('/api/auth/totp/enroll', { password }, { token });
  await app.post('/api/auth/totp/confirm', { code: codeAt(body.secret, app.clock.now()) }, { token });
  app.clock.advance(90_000);
  const change = { email: 'with-a-factor@example.org', currentPassword: password };
  assert.is(codeOf(await patchAs(user, user, change)), 'SECOND_FACTOR_REQUIRED');
  assert.is(codeOf(await patchAs(user, user, { ...change, totp: '000000' })), 'SECOND_FACTOR_REQUIRED');
  assert.is((await patchAs(user, user, { ...change, totp: codeAt(body.secret, app.clock.now()) })).status, 200);
});

test('proofs are only accepted with a new address', async () => {
  const user = await superAdmin();
  assert.is((await patchAs(user, user, { currentPassword: password })).status, 422);
});

test('administrators cannot give themselves a seat; others can, and it can be given up', async () => {
  const admin = await buildUser(owner, 'ADMIN');
  const colleague = await buildUser(owner, 'ADMIN', { organizationId: admin.organizationId });
  const taken = await patchAs(admin, admin, { seats: [seat] });
  assert.equal([taken.status, codeOf(taken), issueOf(taken)], [403, 'PERMISSION_DENIED', 'own_seat']);
  assert.is((await patchAs(admin, admin, { seats: [] })).status, 200);
  assert.equal((await patchAs(colleague, admin, { seats: [seat] })).body.seats, [seat]);
  assert.equal(
    (await patchAs(admin, admin, { seats: [seat] })).body.seats,
    [seat],
    'an existing seat may be sent again',
  );
  assert.equal((await patchAs(admin, admin, { seats: [] })).body.seats, []);
  assert.is(
    issueOf(await patchAs(admin, admin, { seats: [seat] })),
    'own_seat',
    'a seat that was given up cannot be taken back',
  );
  assert.equal((await patchAs(await superAdmin(), admin, { seats: [seat] })).body.seats, [seat]);
});

test('the database sets since when a seat exists, and refuses a seat given to oneself', async () => {
  const admin = await buildUser(owner, 'ADMIN');
  const { id, organizationId } = admin;
  const giver = await buildUser(owner, 'ADMIN', { organizationId });
  const now = app.clock.now();
  const write = (writer: number, row: object) =>
    inContext(runtime, { organizationId: organizationId ?? '' }, async (trx) => {
      await app.services.nameWriter(trx, { actorUserId: writer, operation: 'test', requestId: 'test' }, now);
      await trx('app_user').where({ organizationId, id }).update(row);
    });
  const refusal = await write(id, { seats: [seat] }).then(
    () => 'accepted',
    (error: Error) => error.message,
  );
  assert.match(refusal, /given by somebody else/);
  await write(giver.id, { seats: [seat], seatsSince: new Date('2020-01-01T00:00:00.000Z') });
  const since = async () => new Date((await owner('app_user').where({ id }).first('seatsSince')).seatsSince);
  assert.equal(await since(), now);
  await write(giver.id, { seatsSince: new Date('2020-01-01T00:00:00.000Z') });
  assert.equal(await since(), now);
});

test.run();
