// A request is tried five times in all, the tries after a renewed token included.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { HttpFailure } from '#integrations/lms/http-client/failures.ts';
import { createHttpClient } from '#integrations/lms/http-client/http-client.ts';
import { authorizedGet } from '#integrations/lms/providers/authorized.ts';
import { AccessRefused } from '#integrations/lms/providers/faults.ts';
import { json, useAnsweringServer } from '../../../harness/lms/answering-server.ts';

const server = await useAnsweringServer(test);

/** Asks once; the provider answers with these, one after the other. What came of it, and how often was asked for what. */
async function asked(statuses: readonly number[]) {
  let requests = 0;
  server.begin((_, response) => {
    json(response, {}, {}, statuses[Math.min(requests, statuses.length - 1)] ?? 200);
    requests += 1;
  });
  const client = createHttpClient({ trustedHosts: new Set([server.host]), timeoutMs: 2_000, pause: async () => {} });
  const session = client.openSession();
  let tokens = 0;
  const ask = authorizedGet(session, async () => `token-${++tokens}`);
  try {
    const came = await ask(new URL(`${server.origin}/users`)).then((response) => response?.status, nameOf);
    return { came, requests, tokens };
  } finally {
    session.close();
  }
}

const nameOf = (error: unknown): string => {
  if (error instanceof HttpFailure) return error.problem;
  return error instanceof AccessRefused ? error.error : String(error);
};

test('a token that has run out is renewed, and what was asked is asked again', async () => {
  assert.equal(await asked([401, 200]), { came: 200, requests: 2, tokens: 2 });
});

test('a second 401 is a refusal', async () => {
  assert.equal(await asked([401, 401]), { came: 'provider_unauthorized', requests: 2, tokens: 2 });
});

test('trouble before and after the renewal counts together', async () => {
  assert.equal(await asked([503, 503, 401, 503]), { came: 'unavailable', requests: 5, tokens: 2 });
  assert.equal(await asked([503, 503, 401, 503, 200]), { came: 200, requests: 5, tokens: 2 });
});

test('a 401 as the fifth answer leaves no try, and refuses nothing yet', async () => {
  assert.equal(await asked([503, 503, 503, 503, 401]), { came: 'unavailable', requests: 5, tokens: 1 });
});

test.run();
