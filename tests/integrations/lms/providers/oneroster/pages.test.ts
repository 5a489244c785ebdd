// A list without end is ended by the number of its pages.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createHttpClient } from '#integrations/lms/http-client/http-client.ts';
import { ProviderFault } from '#integrations/lms/provider.ts';
import { authorizedGet } from '#integrations/lms/providers/authorized.ts';
import { pagesOf } from '#integrations/lms/providers/oneroster/pages.ts';
import { eventually } from '../../../../harness/eventually.ts';
import { json, useAnsweringServer } from '../../../../harness/lms/answering-server.ts';

const server = await useAnsweringServer(test);

async function readAll(pages: number): Promise<number> {
  const session = createHttpClient({ trustedHosts: new Set([server.host]), timeoutMs: 2_000 }).openSession();
  const ask = authorizedGet(session, async () => 'token');
  let rows = 0;
  try {
    for await (const page of pagesOf(ask, { root: server.origin, collection: 'classes', pages })) rows += page.length;
    return rows;
  } finally {
    session.close();
  }
}

/** Always one more, by links or by offset. */
function serveForEver(by: 'links' | 'offset', last = Number.POSITIVE_INFINITY): void {
  server.begin(({ url }, response) => {
    const at = server.received.length;
    const next = new URL(url);
    next.searchParams.set('offset', String(at));
    const rows = at > last ? [] : [{ sourcedId: `c-${at}` }];
    const more = by === 'links' && at < last;
    json(response, { classes: rows }, more ? { link: `<${next.href}>; rel=next` } : {});
  });
}

for (const by of ['links', 'offset'] as const) {
  test(`pages for ever, by ${by}: provider_protocol after the last that is read, and nothing is held`, async () => {
    serveForEver(by);
    const failure = await readAll(40).then(
      () => undefined,
      (error: unknown) => error,
    );
    assert.instance(failure, ProviderFault);
    assert.is((failure as ProviderFault).error, 'provider_protocol');
    assert.is(server.received.length, 41);
    await eventually('connections are let go', () => server.connections() === 0);
  });
}

test('as many pages as may be are read', async () => {
  serveForEver('links', 40);
  assert.is(await readAll(41), 40);
});

test.run();
