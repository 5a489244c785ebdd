import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { normalAddress } from '#core/http/server/client-address.ts';
import { useRoutes, writeNote } from '../fixture.ts';

const services = [0, 1, 2].map((trustProxy) => useRoutes(test, [writeNote], { trustProxy }));
const loopback = /^(::ffff:)?127\.0\.0\.1$/;

async function seen(trustProxy: 0 | 1 | 2, forwardedFor?: string): Promise<string> {
  const headers = forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor };
  const answer = await services[trustProxy]?.post<{ clientIp: string }>('/notes/1', { text: 'x' }, { headers });
  return answer?.body.clientIp ?? '';
}

test('without trusted proxies the header is ignored', async () => {
  assert.match(await seen(0), loopback);
  assert.match(await seen(0, '203.0.113.9'), loopback);
});

test('one trusted proxy: the right-most address, which it wrote itself', async () => {
  assert.is(await seen(1, '203.0.113.9'), '203.0.113.9');
  assert.is(await seen(1, '198.51.100.1, 203.0.113.9'), '203.0.113.9');
  assert.is(await seen(1, '127.0.0.1,10.0.0.1 , 203.0.113.9 '), '203.0.113.9');
});

test('two trusted proxies: the second from the right', async () => {
  assert.is(await seen(2, '198.51.100.1, 203.0.113.9, 10.0.0.1'), '203.0.113.9');
});

test('a request that bypassed the proxies counts by its socket', async () => {
  assert.match(await seen(1), loopback);
  assert.match(await seen(1, ' , '), loopback);
});

for (const [given, normal] of [
  ['203.0.113.9', '203.0.113.9'],
  ['203.0.113.9:4711', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['::FFFF:cb00:7109', '203.0.113.9'],
  ['[::ffff:203.0.113.9]:4711', '203.0.113.9'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::1', '2001:db8:1:2::/64'],
  ['[2001:db8:1:2::9]:443', '2001:db8:1:2::/64'],
  ['2001:db8::9', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['64:ff9b::203.0.113.9', '64:ff9b:0:0::/64'],
  ['::1', '::1'],
  ['unknown', 'unknown'],
] as const) {
  test(`${given} counts as ${normal}`, () => assert.is(normalAddress(given), normal));
}

test.run();
