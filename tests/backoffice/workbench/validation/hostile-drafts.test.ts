// timeout: 420s
// own process: it measures its memory and its silences, and has little patience.
// alone where waits for a core are not reported: a busy machine looks like a silent process.
// A draft that cannot be analysed costs its author an answer, and no one else anything: the service goes on answering,
// its memory stays bounded, and no connection waits for a validation. Analyses get a fifth of their time, and all of it
// with `npm test -- hostile-drafts`.
import { setTimeout as after } from 'node:timers/promises';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type AnalysisTimeouts, defaultTimeouts, setTimeouts } from '#backoffice/workbench/analysis-worker.ts';
import { boundedQueue } from '#core/platform/process/bounded-queue.ts';
import { canonicalHash } from '#core/platform/pure/canonical-json.ts';
import { buildSuperAdmin, signIn } from '../../../harness/factories.ts';
import { useApp } from '../../../harness/http.ts';
import { addressOf, type Backoffice, beginChange, buildBackoffice, type Json, type JsonReply } from '../backoffice.ts';
import { waitedForCoreMs } from './core-waits.ts';
import { type HostileDraft, hostileDrafts } from './hostile-drafts.ts';

const app = useApp(test, { rules: true });
let office: Backoffice;

const isAskedFor = (process.env.TEST_ASKED_FOR ?? '').includes('hostile-drafts');
const fifth = Object.fromEntries(
  Object.entries(defaultTimeouts).map(([what, ms]) => [what, ms / 5]),
) as AnalysisTimeouts;

test.before(async () => {
  setTimeouts(isAskedFor ? defaultTimeouts : fifth);
  office = await buildBackoffice(app);
});

async function draftOf({ document }: HostileDraft): Promise<string> {
  const made = await beginChange(office.author, 'ssr/ssr', { document, cases: [] });
  assert.is(made.status, 201, JSON.stringify(made.body).slice(0, 300));
  return addressOf(made);
}

async function fileOf({ document }: HostileDraft): Promise<Json> {
  const one = { family: 'ssr', key: 'ssr', version: 2, document, sha256: canonicalHash(document) };
  const { body } = await office.author.get('/api/admin/rule-sets/export');
  return { format: body.format, bundleId: body.bundleId, documents: [{ ...one, goldenSha256: null, cases: [] }] };
}

const questions = async (draft: HostileDraft): Promise<Record<string, () => Promise<JsonReply>>> => {
  const address = await draftOf(draft);
  const file = await fileOf(draft);
  const { author } = office;
  return {
    try: () => author.post(`${address}/try`, { family: 'ssr', key: 'ssr', facts: draft.facts }),
    check: () => author.post(`${address}/check`, {}),
    rebase: () => author.get(`${address}/rebase`),
    diff: () => author.get(`${address}/diff`),
    impact: () => author.post(`${address}/impact`, { scope: { organizationId: 'a'.repeat(24) } }),
    import: () => author.post('/api/admin/rule-sets/import', file),
    publish: () => {
      const { document } = draft;
      return author.post('/api/sse/admin/rule-versions', {
        family: 'ssr',
        key: 'ssr',
        baseVersion: 1,
        document,
        cases: [],
      });
    },
  };
};

const slowMs = 250;

interface Watched<T> {
  readonly value: T;
  /**
   * Of the time, the part in which /healthz had been silent for more than a quarter of a second, not counting what the
   * process waited for a core: that is the machine's.
   */
  readonly silentShare: number;
  readonly grownMb: number;
  readonly inTransaction: number;
}

/** Asks /healthz all the time while `work` goes on. */
async function watching<T>(work: Promise<T>): Promise<Watched<T>> {
  const state = { isOver: false };
  const startedAt = performance.now();
  const before = process.memoryUsage().rss;
  let [silentMs, mostBytes, inTransaction] = [0, before, 0];
  const watch = async () => {
    while (!state.isOver) {
      const [askedAt, waitedMs] = [performance.now(), waitedForCoreMs()];
      assert.is((await app.get('/healthz')).status, 200);
      silentMs += Math.max(0, performance.now() - askedAt - (waitedForCoreMs() - waitedMs) - slowMs);
      mostBytes = Math.max(mostBytes, process.memoryUsage().rss);
      const { rows } = await app.database.owner.raw(
        `select count(*)::integer as count from pg_stat_activity where datname = current_database()
         and state = 'idle in transaction' and state_change < clock_timestamp() - interval '2 seconds'`,
      );
      inTransaction = Math.max(inTransaction, rows[0].count);
      await after(20);
    }
  };
  const watched = watch();
  const value = await work.finally(() => {
    state.isOver = true;
  });
  await watched;
  const grownMb = (mostBytes - before) / 1_048_576;
  return { value, silentShare: silentMs / (performance.now() - startedAt), grownMb, inTransaction };
}

/** What an answer may be: an outcome, a refusal that says why, or "come again". */
function assertAnswered(what: string, { status, body }: JsonReply): void {
  assert.ok([200, 409, 422, 503].includes(status), `${what}: ${status} ${JSON.stringify(body).slice(0, 300)}`);
  if (status === 503) assert.type(body.retryAfter, 'number');
  if (status === 200 && what === 'check') assert.is(body.valid, false);
}

/** Two threads of 256 MB, what they load, and what is read and sent meanwhile. */
const mostGrowthMb = 1_000;

for (const draft of hostileDrafts) {
  test(`${draft.what}: every question is answered, and everybody else is served`, async () => {
    const asked = Object.entries(await questions(draft));
    const { value, silentShare, grownMb, inTransaction } = await watching(
      Promise.all(asked.map(async ([what, ask]) => [what, await ask()] as const)),
    );
    for (const [what, reply] of value) assertAnswered(what, reply);
    assert.ok(silentShare < 0.25, `silent for ${silentShare} of the time`);
    assert.ok(grownMb < mostGrowthMb, `grown by ${grownMb} MB`);
    assert.is(inTransaction, 0, 'a transaction was held while a draft was validated');
  });
}

test('ten validations at once: a login is answered as ever, the service stays ready', async () => {
  const heavy = hostileDrafts[3] as HostileDraft;
  const addresses: string[] = [];
  for (let count = 0; count < 10; count += 1) addresses.push(await draftOf(heavy));
  const person = await buildSuperAdmin(app.database.owner);
  const all = Promise.all(addresses.map((address) => office.author.post(`${address}/check`, {})));
  const { value, inTransaction } = await watching(
    Promise.all([all, signIn(app, person), app.get('/readyz')]).then(async ([replies, token, ready]) => {
      assert.is(ready.status, 200);
      assert.is((await app.get('/api/auth/me', { token })).status, 200);
      return replies;
    }),
  );
  for (const reply of value) assertAnswered('check', reply);
  assert.ok(
    value.some(({ status }) => status !== 503),
    'a person is served',
  );
  assert.is(inTransaction, 0);
});

test('after all that a sound draft is validated as before', async () => {
  const address = addressOf(await beginChange(office.author, 'cbm/trend'));
  assert.is((await office.author.post(`${address}/check`, {})).body.valid, true);
  assert.is((await office.author.get(`${address}/diff`)).body.level, 'patch');
});

test('a bounded queue runs two, lets some wait, and refuses the others with a time to come again', async () => {
  const queue = boundedQueue({ concurrency: 2, maxQueued: 1, timeoutMs: 60, busyMessage: 'Come again.' });
  const ends: (() => void)[] = [];
  const work = () => new Promise<string>((resolve) => ends.push(() => resolve('done')));
  const [first, second, third] = [queue(work), queue(work), queue(work)];
  const refused = await queue(work).catch((error) => error);
  assert.is(refused.code, 'ENGINE_UNAVAILABLE');
  assert.type(refused.retryAfter, 'number');
  assert.is(ends.length, 2);
  const tired = await third.catch((error) => error);
  assert.is(tired.code, 'ENGINE_UNAVAILABLE');
  const fourth = queue(work);
  ends[0]?.();
  await first;
  await after(1);
  assert.is(ends.length, 3);
  ends[1]?.();
  ends[2]?.();
  assert.equal(await Promise.all([second, fourth]), ['done', 'done']);
});

test.run();
