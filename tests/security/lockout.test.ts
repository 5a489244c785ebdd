// Five failures lock an e-mail address for fifteen minutes, known or not; fifty lock a client address.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { buildUser, password, passwordHash, type UserRow } from '../support/factories.ts';
import { useApp } from '../support/http.ts';
import { codeOf, from, inParallel, noGeneralLimits, tally } from './support.ts';

const minuteMs = 60_000;
const app = useApp(test, { settings: noGeneralLimits });
let user: UserRow;
let nextAddress = 1;
/** An address that no test before has used. */
const freshAddress = () => `198.51.100.${nextAddress++}`;

test.before.each(async () => {
  user = await buildUser(app.database.owner, 'TEACHER', { passwordHash: await passwordHash() });
});

const login = (email: string | null, tried: string, address: string) =>
  app.post('/api/auth/login', { email, password: tried }, { headers: from(address) });

async function fail(email: string | null, times: number, address: string) {
  for (let time = 0; time < times; time++) {
    assert.is(codeOf(await login(email, 'wrong', address)), 'INVALID_CREDENTIALS', `failure ${time + 1}`);
  }
}

for (const known of [true, false]) {
  test(`the sixth try for ${known ? 'a known' : 'an unknown'} e-mail address is locked, even with the password`, async () => {
    const email = known ? user.email : 'nobody@example.org';
    const address = freshAddress();
    await fail(email, 5, address);
    app.clock.advance(minuteMs);
    const reply = await login(email, password, freshAddress());
    assert.equal([reply.status, codeOf(reply)], [401, 'BRUTE_FORCE_LOCKED']);
    assert.is((reply.body as { retryAfter: number }).retryAfter, 14 * 60);
    assert.is(reply.headers.get('retry-after'), String(14 * 60));
  });
}

test('the lock ends after fifteen minutes of business time, and leaves nothing behind', async () => {
  await fail(user.email, 5, freshAddress());
  app.clock.advance(15 * minuteMs - 1);
  assert.is(codeOf(await login(user.email, password, freshAddress())), 'BRUTE_FORCE_LOCKED');
  app.clock.advance(1);
  await fail(user.email, 4, freshAddress());
  assert.is((await login(user.email, password, freshAddress())).status, 200);
});

test('failures older than fifteen minutes do not count', async () => {
  await fail(user.email, 4, freshAddress());
  app.clock.advance(15 * minuteMs);
  await fail(user.email, 4, freshAddress());
  assert.is((await login(user.email, password, freshAddress())).status, 200);
});

test('a success resets the failures of the e-mail address, written in any case', async () => {
  const address = freshAddress();
  for (let round = 0; round < 3; round++) {
    await fail(user.email?.toUpperCase() ?? null, 4, address);
    assert.is((await login(` ${user.email} `, password, address)).status, 200);
  }
});

test('tries at the same moment cannot pass the limit together', async () => {
  const replies = await inParallel(50, () => login(user.email, 'wrong', freshAddress()));
  assert.equal(tally(replies), { '401 INVALID_CREDENTIALS': 5, '401 BRUTE_FORCE_LOCKED': 45 });
});

test('fifty failures lock the client address for every e-mail address, for fifteen minutes', async () => {
  const address = freshAddress();
  for (let name = 0; name < 50; name++) await fail(`spray${name}@example.org`, 1, address);
  assert.is(codeOf(await login(user.email, password, address)), 'BRUTE_FORCE_LOCKED');
  assert.is((await login(user.email, password, freshAddress())).status, 200, 'another address is free');
  app.clock.advance(15 * minuteMs);
  assert.is((await login(user.email, password, address)).status, 200);
});

test('a school behind one address is not locked out by its own mistakes', async () => {
  const address = freshAddress();
  const hash = await passwordHash();
  for (let teacher = 0; teacher < 20; teacher++) {
    const { email } = await buildUser(app.database.owner, 'TEACHER', { passwordHash: hash });
    await fail(email, 4, address);
    assert.is((await login(email, password, address)).status, 200, `teacher ${teacher}`);
  }
});

test('one locked account does not lock its colleagues behind the same address', async () => {
  const address = freshAddress();
  await fail(user.email, 5, address);
  const { email } = await buildUser(app.database.owner, 'TEACHER', { passwordHash: await passwordHash() });
  assert.is((await login(email, password, address)).status, 200);
  assert.is(codeOf(await login(user.email, password, address)), 'BRUTE_FORCE_LOCKED');
});

test('neither e-mail nor client address is stored in the windows', async () => {
  const address = freshAddress();
  await fail('canary@example.org', 1, address);
  const rows = JSON.stringify(await app.database.owner('attempt_window').select('*'));
  assert.not.match(rows, 'canary');
  assert.not.match(rows, address);
});

test.run();
