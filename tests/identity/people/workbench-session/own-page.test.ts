// What counts as the service's own address, and the attributes of the cookie there.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { refreshCookie, refreshTokenIn, removedCookie } from '#identity/people/workbench-session/cookie.ts';
import { requireOwnPage } from '#identity/people/workbench-session/own-page.ts';

const localTrial = { publicUrl: undefined, host: '127.0.0.1', port: 3000 };
const behindTls = { ...localTrial, publicUrl: 'https://literacy.example.org/' };

function isOwn(config: typeof localTrial | typeof behindTls, origin: string): boolean {
  const headers: Record<string, string> = { origin, 'x-workbench': '1' };
  try {
    requireOwnPage(config, (name) => headers[name]);
    return true;
  } catch {
    return false;
  }
}

test('without PUBLIC_URL every name of the loopback interface is the own address, at the own port', () => {
  for (const origin of ['http://127.0.0.1:3000', 'http://localhost:3000', 'http://[::1]:3000'])
    assert.ok(isOwn(localTrial, origin), origin);
  for (const origin of [
    'http://localhost:3001',
    'http://localhost',
    'https://localhost:3000',
    'http://localhost:3000/x',
  ])
    assert.not.ok(isOwn(localTrial, origin), origin);
});

test('with PUBLIC_URL only its origin is', () => {
  assert.ok(isOwn(behindTls, 'https://literacy.example.org'));
  for (const origin of [
    'http://literacy.example.org',
    'https://literacy.example.org:444',
    'https://www.literacy.example.org',
    'http://127.0.0.1:3000',
    'http://localhost:3000',
  ])
    assert.not.ok(isOwn(behindTls, origin), origin);
});

test('behind TLS the cookie is Secure and has the prefix that only secure pages may set', () => {
  const line = refreshCookie('https://literacy.example.org', 'abc', 60_000);
  assert.is(line, '__Secure-workbench=abc; Path=/api/workbench/session; Max-Age=60; HttpOnly; SameSite=Strict; Secure');
  assert.match(removedCookie('https://literacy.example.org'), /^__Secure-workbench=; .*Max-Age=0; .*Secure$/);
});

test('behind TLS a cookie without the prefix is not read', () => {
  const address = 'https://literacy.example.org';
  assert.is(refreshTokenIn(address, 'workbench=planted; __Secure-workbench=abc'), 'abc');
  assert.is(refreshTokenIn(address, 'workbench=planted'), undefined);
  assert.is(refreshTokenIn('http://127.0.0.1:3000', 'a=b; workbench=abc'), 'abc');
  assert.is(refreshTokenIn(address, undefined), undefined);
});

test.run();
