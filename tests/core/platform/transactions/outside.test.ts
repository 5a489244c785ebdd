// Long work and calls to others throw if a transaction is open, in every test file that starts the service.
import http from 'node:http';
import https from 'node:https';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { runInWorker } from '#backoffice/workbench/analysis-worker.ts';
import { type Db, inContext, inReadOnlyContext } from '#core/platform/db.ts';
import { renderPdf } from '#core/platform/pdf/printer.ts';
import { startWorkerPool } from '#core/platform/process/worker-pool.ts';
import { hashPassword, passwordMatches } from '#identity/people/credentials/passwords.ts';
import { googleClient } from '#identity/people/google/client.ts';
import { createAddressGuard } from '#integrations/lms/http-client/address-guard.ts';
import { sendRequest } from '#integrations/lms/http-client/send-request.ts';
import { useApp } from '../../../harness/http.ts';

const app = useApp(test);

const threads = startWorkerPool({ program: 'workers/printing/worker.ts', data: null });
const google = googleClient({
  ...app.services.config,
  google: { issuer: 'http://127.0.0.1:9', clientId: 'id', clientSecret: 'secret' },
} as typeof app.services.config);
const platform = () =>
  sendRequest(
    {
      guard: createAddressGuard(new Set()),
      httpAgent: http.globalAgent,
      httpsAgent: https.globalAgent,
      timeoutMs: 100,
    },
    { method: 'GET', url: new URL('https://example.org/') },
    new AbortController().signal,
  );

const doors: Readonly<Record<string, () => Promise<unknown>>> = {
  'hashing a password': () => hashPassword('a long enough password'),
  'checking a password': () => passwordMatches(undefined, 'a long enough password'),
  'printing a document': () => renderPdf({ title: 'x', madeAt: new Date(0), fontSize: 12, content: 'x' }),
  'asking a thread': () => threads.run('print', {}),
  'validating in a thread': () => runInWorker('diff', {} as never),
  'asking the identity provider': async () => google?.tokenService(),
  'asking a learning platform': platform,
};

const inside = /inside a transaction$/;

async function refusalOf(work: () => Promise<unknown>): Promise<string> {
  try {
    await work();
    return 'none';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

for (const [name, begin] of Object.entries(doors)) {
  test(`${name}: refused while a transaction is open, reading or writing, also behind a callback`, async () => {
    const { app: db } = app.database;
    for (const open of [inContext, inReadOnlyContext] as const) {
      assert.match(await open(db, 'SUPER', async () => refusalOf(begin)), inside);
      assert.match(await open(db, 'SUPER', async () => refusalOf(later(begin))), inside);
    }
  });
}

const later = (work: () => Promise<unknown>) => async () => {
  await new Promise((resolve) => setTimeout(resolve, 1));
  return work();
};

test('work that a transaction has begun may continue after its end', async () => {
  const { app: db }: { app: Db } = app.database;
  let begun: Promise<string> = Promise.resolve('');
  let go = () => {};
  await inContext(db, 'SUPER', async () => {
    const ended = new Promise<void>((resolve) => {
      go = resolve;
    });
    begun = ended.then(() => refusalOf(() => hashPassword('a long enough password')));
  });
  go();
  assert.is(await begun, 'none');
});

test.after(() => threads.stop());

test.run();
