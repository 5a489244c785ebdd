// A OneRoster service is tried before anything is kept of it, and what stands in the way is named with the field to change.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createHttpClient } from '#integrations/lms/http-client/http-client.ts';
import type { ClientCredentials } from '#integrations/lms/providers/credentials.ts';
import { type RestInput, tryConnection } from '#integrations/lms/providers/oneroster/try-connection.ts';
import { eventually } from '../../../../harness/eventually.ts';
import { json, useAnsweringServer } from '../../../../harness/lms/answering-server.ts';
import { testCertificate } from '../../../../harness/lms/certificate.ts';
import { classRow, type OneRosterService, serveOneRoster, user12 } from '../../../../harness/lms/one-roster.ts';

const server = await useAnsweringServer(test, { encrypted: true });
const clientOf = (ca?: string) =>
  createHttpClient({
    trustedHosts: new Set([server.host, '127.0.0.1:9']),
    timeoutMs: 2_000,
    pause: async () => {},
    ...(ca && { ca }),
  });
type Change = Partial<ClientCredentials> & { readonly baseUrl?: string };

function inputOf(service: OneRosterService, { baseUrl = service.baseUrl, ...more }: Change = {}): RestInput {
  const { tokenUrl, clientId, clientSecret } = service;
  return { baseUrl, client: { tokenUrl, clientId, clientSecret, scope: null, ...more } };
}
const attempt = (input: RestInput, ca: string | undefined = testCertificate) =>
  tryConnection(clientOf(ca), input, { thorough: true });

const lists = { classes: ['c-1', 'c-2', 'c-3', 'c-4'].map((id) => classRow(id)), users: [user12('s-1', 'student')] };

for (const version of ['1.1', '1.2'] as const) {
  test(`version ${version} is found from what stands before the root, and from the root itself`, async () => {
    const service = serveOneRoster(server, { ...lists, version });
    for (const baseUrl of [service.baseUrl, `${service.baseUrl}/`, service.root, `${service.root}/`]) {
      const tried = await attempt(inputOf(service, { baseUrl, scope: 'roster' }));
      if (!('done' in tried)) throw new Error(JSON.stringify(tried));
      const { tokenUrl, clientId, clientSecret, root } = service;
      assert.equal(tried.done.credentials, { root, tokenUrl, clientId, clientSecret, scope: 'roster' });
      assert.equal(
        tried.done.courses.map(({ courseExternalId }) => courseExternalId),
        ['c-1', 'c-2', 'c-3'],
      );
      assert.is(tried.done.users.length, 1);
    }
    await eventually('connections are let go', () => server.connections() === 0);
  });
}

const down = { retryAfter: 5 };
const cases: Readonly<Record<string, readonly [(service: OneRosterService) => Change, object]>> = {
  'a wrong secret': [
    () => ({ clientSecret: 'wrong' }),
    { step: 'token', field: 'clientSecret', issue: 'refused_by_provider' },
  ],
  'an unknown scope': [() => ({ scope: 'unknown' }), { step: 'scope', field: 'scope', issue: 'refused_by_provider' }],
  'no token endpoint': [
    () => ({ tokenUrl: `${server.origin}/nowhere` }),
    {
      ...{ step: 'token', field: 'tokenUrl', issue: 'refused_by_provider' },
      seen: 'There is no token endpoint at the address.',
    },
  ],
  'no OneRoster': [
    () => ({ baseUrl: `${server.origin}/elsewhere` }),
    { step: 'page', field: 'baseUrl', issue: 'no_oneroster', seen: 'no list of classes' },
  ],
  'a closed address of the tokens': [
    () => ({ tokenUrl: 'https://10.0.0.1/token' }),
    { step: 'address', field: 'tokenUrl', issue: 'address_not_allowed' },
  ],
  'a closed address of the service': [
    () => ({ baseUrl: 'https://[fd00::1]/' }),
    { step: 'address', field: 'baseUrl', issue: 'address_not_allowed' },
  ],
  'plain http': [
    () => ({ baseUrl: 'http://roster.example' }),
    { step: 'address', field: 'baseUrl', issue: 'address_not_allowed' },
  ],
  'an address with a query': [
    () => ({ baseUrl: `${server.origin}/school?to=elsewhere` }),
    { step: 'address', field: 'baseUrl', issue: 'address_not_allowed' },
  ],
  'no address': [() => ({ tokenUrl: 'school' }), { step: 'address', field: 'tokenUrl', issue: 'address_not_allowed' }],
  'no one there': [
    () => ({ tokenUrl: 'https://127.0.0.1:9/token' }),
    { step: 'token', field: 'tokenUrl', issue: 'down', ...down },
  ],
};
for (const [what, [change, failure]] of Object.entries(cases)) {
  test(`named: ${what}`, async () => {
    const service = serveOneRoster(server, lists);
    assert.equal(await attempt(inputOf(service, change(service))), { failure });
  });
}

test('named: a certificate that no one vouches for', async () => {
  const { failure } = {
    failure: undefined,
    ...(await tryConnection(clientOf(), inputOf(serveOneRoster(server, lists)), { thorough: true })),
  };
  assert.equal(failure, { step: 'certificate', field: 'tokenUrl', issue: 'certificate_not_trusted' });
  assert.is(server.received.length, 0);
});

for (const collection of ['classes', 'users', 'enrollments']) {
  test(`named: a scope that leaves out ${collection}`, async () => {
    const service = serveOneRoster(server, lists, ({ url }, response) => {
      if (!url.pathname.endsWith(`/${collection}`)) return false;
      json(response, {}, {}, 403);
      return true;
    });
    const failure = { step: 'scope', field: 'scope', issue: 'refused_by_provider' };
    assert.equal(await attempt(inputOf(service)), { failure });
  });
}

test('named: a page of HTML, and a redirect, where the lists should be', async () => {
  for (const [status, headers, seen] of [
    [200, { 'content-type': 'text/html' }, 'HTML'],
    [200, { 'content-type': 'text/json' }, 'content type text/json'],
    [200, { 'content-type': 'application/json' }, 'an answer that is called JSON and is none'],
    [302, { location: 'http://169.254.169.254/' }, 'a redirect'],
    [405, { 'content-type': 'text/html' }, 'status 405'],
  ] as const) {
    const service = serveOneRoster(server, lists, ({ url }, response) => {
      if (url.pathname === '/token') return false;
      response.writeHead(status, headers).end('<html></html>');
      return true;
    });
    const failure = { step: 'page', field: 'baseUrl', issue: 'no_oneroster', seen };
    assert.equal(await attempt(inputOf(service)), { failure });
  }
});

test.run();
