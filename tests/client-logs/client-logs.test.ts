// What browsers report: kept for a while, masked, and told by the service whose it is.
import { suite, test } from 'uvu';
import * as assert from 'uvu/assert';
import { masked, withoutQuery } from '../../src/client-logs/masking.ts';
import { signIn } from '../support/factories.ts';
import { useApp } from '../support/http.ts';
import { buildWorld, type World } from '../support/world.ts';

const app = useApp(test);
const { owner } = app.database;
const address = '/api/logs/client';
let world: World;

test.before(async () => {
  world = await buildWorld(app);
});

interface Refusal {
  readonly code: string;
  readonly retryAfter?: number;
  readonly details?: readonly { readonly field: string }[];
}

const entry = { level: 'error', message: 'the page is empty' };
const send = async (token: string, entries: readonly object[], headers: Record<string, string> = {}) =>
  app.post<Refusal & { accepted: number }>(address, { entries }, { token, headers });
const rowsOf = (userId: number) => owner('client_log').where({ userId }).orderBy('id');

test('who, where and when are the service’s own; an address loses its query', async () => {
  const { TEACHER } = world.own.people;
  const sent = {
    ...entry,
    code: 'ui.empty',
    url: 'https://a.example/class/7?token=abc#x',
    at: '2020-01-01T00:00:00.000Z',
  };
  const { status, body } = await send(await signIn(app, TEACHER), [sent, { level: 'warn', message: 'slow' }]);
  assert.is(status, 202);
  assert.equal(body, { accepted: 2 });
  const [first, second] = await rowsOf(TEACHER.id);
  assert.is(first.organizationId, world.own.organizationId);
  assert.is(new Date(first.at).toISOString(), app.clock.now().toISOString());
  assert.is(new Date(first.clientAt).toISOString(), '2020-01-01T00:00:00.000Z');
  assert.equal([first.level, first.code, first.url], ['error', 'ui.empty', 'https://a.example/class/7']);
  assert.equal([second.level, second.message, second.code, second.url], ['warn', 'slow', null, null]);
});

test('one batch within five seconds of the Clock; a refused one costs nothing, other people’s are their own', async () => {
  app.clock.advance(60_000);
  const { TEACHER, STUDENT } = world.own.people;
  const token = await signIn(app, TEACHER);
  assert.is((await send(token, [entry])).status, 202);
  app.clock.advance(4_000);
  for (const _ of [1, 2, 3]) {
    const { status, body, headers } = await send(token, [entry]);
    assert.equal([status, body.code, body.retryAfter, headers.get('retry-after')], [429, 'RATE_LIMITED', 1, '1']);
  }
  assert.is((await send(await signIn(app, STUDENT), [entry])).status, 202);
  app.clock.advance(1_000);
  assert.is((await send(token, [entry])).status, 202);
});

test('of many batches at once one is taken', async () => {
  app.clock.advance(60_000);
  const { ADMIN } = world.own.people;
  const token = await signIn(app, ADMIN);
  const statuses = (await Promise.all(Array.from({ length: 6 }, () => send(token, [entry])))).map(
    ({ status }) => status,
  );
  assert.equal(statuses.sort(), [202, 429, 429, 429, 429, 429]);
  assert.is((await rowsOf(ADMIN.id)).length, 1);
});

const refused: readonly (readonly [string, readonly object[]])[] = [
  ['another level', [{ ...entry, level: 'info' }]],
  ['no entry', []],
  ['51 entries', Array.from({ length: 51 }, () => entry)],
  ['1,001 characters', [{ ...entry, message: 'ا'.repeat(1001) }]],
  ['a code with a space', [{ ...entry, code: 'a b' }]],
  ['an address of 2,049 characters', [{ ...entry, url: 'x'.repeat(2049) }]],
  ['whose it is', [{ ...entry, userId: 1 }]],
];
for (const [what, entries] of refused) {
  test(`${what}: refused, nothing is kept, and the next batch is not late`, async () => {
    app.clock.advance(60_000);
    const { PRINCIPAL } = world.own.people;
    const token = await signIn(app, PRINCIPAL);
    const before = await rowsOf(PRINCIPAL.id);
    const { status, body } = await send(token, entries);
    assert.equal([status, body.code], [422, 'VALIDATION_ERROR']);
    assert.equal(await rowsOf(PRINCIPAL.id), before);
    assert.is((await send(token, [entry])).status, 202);
  });
}

test('a batch that is repeated under its key is answered, and kept once', async () => {
  app.clock.advance(60_000);
  const { MANAGER } = world.own.people;
  const token = await signIn(app, MANAGER);
  const headers = { 'idempotency-key': 'batch-1' };
  const answers = [await send(token, [entry], headers), await send(token, [entry], headers)];
  assert.equal(
    answers.map(({ status }) => status),
    [202, 202],
  );
  assert.is((await rowsOf(MANAGER.id)).length, 1);
});

test('a person of the platform is heard too', async () => {
  assert.is((await send(await signIn(app, world.superAdmin), [entry])).status, 202);
  assert.is((await rowsOf(world.superAdmin.id)).length, 1);
});

test.run();

const masking = suite('masks');
const texts: readonly (readonly [string, string])[] = [
  ['mail to sara.ali+x@school.example failed', 'mail to [email] failed'],
  ['كتب سارة@مدرسة.السعودية هنا', 'كتب [email] هنا'],
  ['Authorization: Bearer abc.def failed', 'Authorization: [token] failed'],
  ['token eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl expired', 'token [token] expired'],
  ['key 9f86d081884c7d659a2feaa0c55ad015 unknown', 'key [token] unknown'],
  ['call +966 50-123-4567 now', 'call [number] now'],
  ['رقم ٠٥٠١٢٣٤٥٦٧ غير صحيح', 'رقم [number] غير صحيح'],
  ['line 123456 of 42', 'line 123456 of 42'],
  ['TypeError: Cannot read properties of undefined', 'TypeError: Cannot read properties of undefined'],
];
for (const [text, expected] of texts) masking(text, () => assert.is(masked(text), expected));
masking('an address keeps its path alone', () => {
  assert.is(withoutQuery('/reset?code=1#a'), '/reset');
  assert.is(withoutQuery('/class/7#/x?y'), '/class/7');
});
masking('1,000 hostile characters are looked at in no time', () => {
  for (const part of ['a', 'a1', '1 ', '@', 'a.', '-', '٣ ', 'a_1-']) {
    const text = part.repeat(1000).slice(0, 1000);
    assert.type(masked(text), 'string');
  }
});
masking.run();
