// The owner of an IPv6 /48 can use 65,536 addresses as they are counted here. The network is counted too, with ten
// times the limit.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { networkOf, normalAddress } from '#core/http/server/client-address.ts';
import { loginSubjects, quickCodeSubjects } from '#identity/people/attempts/attempt-subjects.ts';
import { useApp } from '../../harness/http.ts';
import { codeOf, from, noGeneralLimits } from '../support.ts';

const app = useApp(test, { settings: noGeneralLimits });
const { owner } = app.database;

test('the network of an IPv6 address is its /48; other addresses have none', () => {
  assert.is(networkOf(normalAddress('2001:db8:5:9::1')), '2001:db8:5::/48');
  assert.is(networkOf(normalAddress('2001:db8::1')), '2001:db8:0::/48');
  for (const address of ['198.51.100.7', '::1', '::ffff:198.51.100.7', 'unknown'])
    assert.is(networkOf(normalAddress(address)), undefined, address);
});

test('ten times the failures of an address', () => {
  const clientIp = normalAddress('2001:db8:5:9::1');
  const most = ({ shared }: { shared: readonly { rule: { maxFailures: number } }[] }) =>
    shared.map(({ rule }) => rule.maxFailures);
  assert.equal(most(loginSubjects(app.services, { email: 'a@example.org', clientIp })), [50, 500]);
  assert.equal(most(quickCodeSubjects(app.services, clientIp, undefined)), [100, 1000]);
  assert.equal(most(loginSubjects(app.services, { email: 'a@example.org', clientIp: '198.51.100.7' })), [50]);
});

let emails = 0;
const login = (address: string) =>
  app.post(
    '/api/auth/login',
    { email: `nobody${emails++}@example.org`, password: 'a wrong secret' },
    { headers: from(address) },
  );
const quickCode = (address: string) =>
  app.post('/api/auth/quickcode', { quickCode: '23456789' }, { headers: from(address) });

for (const [name, send, kind, most, wrong, locked] of [
  ['logins', login, 'login_address', 500, 'INVALID_CREDENTIALS', 'BRUTE_FORCE_LOCKED'],
  ['quick codes', quickCode, 'quick_code_address', 1000, 'QUICKCODE_INVALID_OR_EXPIRED', 'QUICKCODE_RATE_LIMIT'],
] as const) {
  test(`${name}: the last failure of a network locks all its addresses, and no other network's`, async () => {
    const clientIp = normalAddress('2001:db8:7:1::1');
    const { shared } =
      send === login
        ? loginSubjects(app.services, { email: 'x@example.org', clientIp })
        : quickCodeSubjects(app.services, clientIp, undefined);
    const failedAt = Array.from({ length: most - 1 }, () => app.clock.now());
    await owner('attempt_window').insert({ kind, subjectHash: shared[1]?.hash, failedAt, touchedAt: app.clock.now() });
    assert.is(codeOf(await send('2001:db8:7:2::1')), wrong);
    const addressHash = app.services.addressHash(normalAddress('2001:db8:7:2::1'));
    const events = await owner('security_event').where({ addressHash });
    assert.equal(
      events.filter(({ details }) => details.window === kind).map(({ userId }) => userId),
      [null],
      'the lock leaves one event, without an account',
    );
    assert.is(codeOf(await send('2001:db8:7:3::1')), locked);
    assert.is(codeOf(await send('2001:db8:8:3::1')), wrong);
    assert.is(codeOf(await send('198.51.100.8')), wrong);
  });
}

test.run();
