// timeout: 400s
// Five failures lock an e-mail address for fifteen minutes, known or not; fifty lock a client address.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { loginSubjects } from '#identity/people/attempts/attempt-subjects.ts';
import { buildUser, password, passwordHash, type UserRow } from '../../harness/factories.ts';
import { useApp } from '../../harness/http.ts';
import { codeOf, from, inParallel, noGeneralLimits, tally } from '../support.ts';

const minuteMs = 60_000;
const app = useApp(test, { settings: noGeneralLimits });
let user: UserRow;
let nextAddress = 1;
const freshNetwork = 9;
/** Returns an address that no earlier test has used. */
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
  test(`the sixth attempt for ${known ? 'a known' : 'an unknown'} e-mail address is locked, even with the password`, async () => {
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

test('the lock ends after fifteen minutes of business time, and leaves no row', async () => {
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

test('simultaneous attempts cannot exceed the limit', async () => {
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

test('an own success between the guesses resets nothing: 50 failures lock the client address', async () => {
  const address = freshAddress();
  const { email } = await buildUser(app.database.owner, 'TEACHER', { passwordHash: await passwordHash() });
  let failures = 0;
  for (let round = 0; round < 4; round++) {
    for (let name = 0; name < 12; name++, failures++) await fail(`between${round}.${name}@example.org`, 1, address);
    assert.is((await login(email, password, address)).status, 200);
  }
  assert.is(failures, 48);
  await fail('between-last@example.org', 2, address);
  const refused = await login(email, password, address);
  assert.equal([codeOf(refused), refused.headers.get('retry-after')], ['BRUTE_FORCE_LOCKED', '900']);
});

test('simultaneous wrong guesses from one client address: exactly 50 are checked', async () => {
  const address = freshAddress();
  const replies = await inParallel(120, (n) => login(`parallel${n}@example.org`, 'wrong', address));
  assert.equal(tally(replies), { '401 INVALID_CREDENTIALS': 50, '401 BRUTE_FORCE_LOCKED': 70 });
  assert.ok(replies.every((reply) => codeOf(reply) !== 'BRUTE_FORCE_LOCKED' || reply.headers.has('retry-after')));
});

test('simultaneous right logins of one account all pass, also with few attempts left', async () => {
  const address = freshAddress();
  await fail(user.email, 4, address);
  const replies = await inParallel(30, () => login(user.email, password, address));
  assert.equal(tally(replies), { '200': 30 });
});

test('right logins of many accounts at one address all pass, where one attempt is left', async () => {
  const address = freshAddress();
  await inParallel(49, (n) => login(`early${n}@example.org`, 'wrong', address));
  const hash = await passwordHash();
  const people = await inParallel(15, () => buildUser(app.database.owner, 'TEACHER', { passwordHash: hash }));
  const replies = await Promise.all(people.map(({ email }) => login(email, password, address)));
  assert.equal(tally(replies), { '200': 15 });
});

test('ports, notations and the lower half of an IPv6 address do not make a new client', async () => {
  for (const spell of [
    (n: number) => `2001:db8:7:${freshNetwork}::${n.toString(16)}`,
    (n: number) => `192.0.2.${freshNetwork}:${1000 + n}`,
    (n: number) => (n % 2 ? `::ffff:192.0.3.${freshNetwork}` : `192.0.3.${freshNetwork}`),
  ]) {
    const replies = await inParallel(60, (n) => login(`spelled${n}@example.org`, 'wrong', spell(n)));
    assert.equal(tally(replies), { '401 INVALID_CREDENTIALS': 50, '401 BRUTE_FORCE_LOCKED': 10 });
    app.clock.advance(15 * minuteMs);
  }
});

test('an attempt whose process died counts for a minute, and no longer', async () => {
  const { own } = loginSubjects(app.services, { email: user.email ?? '', clientIp: '192.0.2.77' });
  const until = new Date(app.clock.now().getTime() + minuteMs);
  const reserved = JSON.stringify([{ id: 'dead', until }]);
  await app.database.owner('attempt_window').insert({
    kind: own.rule.kind,
    subjectHash: own.hash,
    touchedAt: app.clock.now(),
    reserved,
  });
  const waiting = login(user.email, password, freshAddress());
  await new Promise((resolve) => setTimeout(resolve, 300));
  assert.is((await app.database.owner('auth_session').where({ userId: user.id })).length, 0, 'it waits');
  app.clock.advance(minuteMs);
  assert.is((await waiting).status, 200);
});

test('a login and a change of the password at the same moment: no session of the old password stays open', async () => {
  for (let round = 0; round < 5; round++) {
    const person = await buildUser(app.database.owner, 'TEACHER', { passwordHash: await passwordHash() });
    const { accessToken: token } = (await login(person.email, password, freshAddress())).body as {
      accessToken: string;
    };
    const change = { currentPassword: password, newPassword: `changed ${round} ${person.id}` };
    const [entered] = await Promise.all([
      login(person.email, password, freshAddress()),
      app.patch('/api/auth/password', change, { token }),
    ]);
    if (entered.status !== 200) continue;
    const { accessToken } = entered.body as { accessToken: string };
    const changed = (await login(person.email, password, freshAddress())).status !== 200;
    const me = await app.get('/api/auth/me', { token: accessToken });
    assert.is(me.status, changed ? 401 : 200);
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
