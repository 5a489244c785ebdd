// Client logs: stored for a retention period, masked, and attributed to a person by the service.
import { suite, test } from 'uvu';
import * as assert from 'uvu/assert';
import { masked, nameWordsOf, withoutQuery } from '#identity/client-logs/masking.ts';
import { signIn } from '../../harness/factories.ts';
import { useApp } from '../../harness/http.ts';
import { buildWorld, type World } from '../../harness/world.ts';

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

test('the service determines person, organization and time; a URL loses its query', async () => {
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

test('one batch per person within five seconds of the Clock; a refused one does not extend the pause', async () => {
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

test('of many concurrent batches one is accepted', async () => {
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
  test(`${what}: refused, nothing is stored, and the next batch is not delayed`, async () => {
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

test('a batch that is repeated under its key gets a response and is stored once', async () => {
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

test('a SUPER administrator can report too', async () => {
  assert.is((await send(await signIn(app, world.superAdmin), [entry])).status, 202);
  assert.is((await rowsOf(world.superAdmin.id)).length, 1);
});

test('200 entries of a UTC day are stored; further ones get a response and are not stored', async () => {
  const { PARENT } = world.own.people;
  const day = 24 * 60 * 60 * 1000;
  const toMidnight = day - (app.clock.now().getTime() % day);
  app.clock.advance(toMidnight);
  const token = await signIn(app, PARENT);
  const before = (await rowsOf(PARENT.id)).length;
  const accepted: number[] = [];
  for (let batch = 0; batch < 6; batch++) {
    const { status, body } = await send(token, Array(batch === 3 ? 45 : 50).fill(entry));
    assert.is(status, 202);
    accepted.push(body.accepted);
    app.clock.advance(5_000);
  }
  assert.equal(accepted, [50, 50, 50, 45, 5, 0]);
  assert.is((await rowsOf(PARENT.id)).length - before, 200);
  app.clock.advance(day);
  assert.is((await send(await signIn(app, PARENT), [entry])).body.accepted, 1);
});

test('names of the reporter and of children are not stored, and the process log contains none of the text', async () => {
  app.clock.advance(60_000);
  const { TEACHER, STUDENT } = world.own.people;
  await owner('app_user').where({ id: STUDENT.id }).update({ fullNameAr: 'Zaynab Qorashi' });
  const sent = { ...entry, message: 'no page for zaynab QORASHI, سارة', code: 'ui.names' };
  assert.is((await send(await signIn(app, TEACHER), [sent])).status, 202);
  const last = (await rowsOf(TEACHER.id)).at(-1);
  assert.is(last.message, 'no page for … …, …');
});

test('the erasure of a person deletes the logs', async () => {
  app.clock.advance(60_000);
  const { STUDENT, ADMIN } = world.own.people;
  assert.is((await send(await signIn(app, STUDENT), [entry])).status, 202);
  assert.ok((await rowsOf(STUDENT.id)).length > 0);
  const token = await signIn(app, ADMIN);
  assert.is((await app.post(`/api/users/${STUDENT.id}/erasure`, {}, { token })).status, 200);
  assert.equal(await rowsOf(STUDENT.id), []);
  assert.equal(await owner('client_log_batch').where({ userId: STUDENT.id }), []);
});

test.run();

const masking = suite('masks');
const texts: readonly (readonly [string, string])[] = [
  ['mail to sara.ali+x@school.example failed', 'mail to [email] failed'],
  ['كتب سارة@مدرسة.السعودية هنا', '… [email] …'],
  ['user＠example.org', '[email]'],
  ['SARA and sara2 of Validation', '… and …2 of Validation'],
  ['name Renée, Al-Hussein, x', 'name …, Al-…, x'],
  ['Ｓａｒａ ﷺ', '… … … … …'],
  ['ab of Ab', 'ab of Ab'],
  ['Authorization: Bearer abc.def failed', 'Authorization: [token] failed'],
  ['token eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl expired', 'token [token] expired'],
  ['key 9f86d081884c7d659a2feaa0c55ad015 unknown', 'key [token] unknown'],
  ['call +966 50-123-4567 now', 'call [number] now'],
  ['رقم ٠٥٠١٢٣٤٥٦٧ غير صحيح', '… [number] … …'],
  ['line 123456 of 42', 'line 123456 of 42'],
  ['TypeError: Cannot read properties of undefined', 'TypeError: Cannot read properties of undefined'],
];
const names = nameWordsOf(['Sara Ab', 'Renée al-Hussein', 'سارة']);
for (const [text, expected] of texts) masking(text, () => assert.is(masked(text, names), expected));
masking('an address keeps its path alone', () => {
  assert.is(withoutQuery('/reset?code=1#a', names), '/reset');
  assert.is(withoutQuery('/class/7#/x?y', names), '/class/7');
});
masking.run();
