// Refused free text about a child is stored nowhere: in no table, log or stored response. Only its length is stored.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createApp } from '#app/app.ts';
import { newId } from '#core/platform/ids.ts';
import { buildStudent, type UserRow } from '../../harness/factories.ts';
import { type HttpClient, httpClient } from '../../harness/fetch.ts';
import { useApp } from '../../harness/http.ts';
import { type ListeningServer, listen } from '../../harness/server.ts';
import { buildWorld, type World } from '../../harness/world.ts';
import { capturedLog } from '../../workers/support.ts';
import { eventFlagIds } from './flags.ts';

const app = useApp(test);
const { owner } = app.database;
const { log, lines } = capturedLog();
let world: World;
let student: UserRow;
let server: ListeningServer;
const http: HttpClient = httpClient(() => server.url);

test.before(async () => {
  world = await buildWorld(app);
  log.level = 'trace';
  server = await listen(createApp({ ...app.services, log }, log));
});
test.after(() => server.close());

test.before.each(async () => {
  lines.length = 0;
  student = await buildStudent(owner, world.own.classRow);
});

interface Refusal {
  readonly code: string;
}

const send = (body: unknown, token = world.own.people.TEACHER.token) =>
  http.post<Refusal>(`/api/students/${student.id}/context-flag`, body, {
    token,
    headers: { 'idempotency-key': newId() },
  });

/** Returns the tables that contain the text in any column. */
async function tablesContaining(text: string): Promise<string[]> {
  const { rows } = await owner.raw("select tablename as name from pg_tables where schemaname = 'public' order by 1");
  const holding: string[] = [];
  for (const { name } of rows as { name: string }[]) {
    const { rows: hits } = await owner.raw('select 1 from ?? t where strpos(t::text, ?) > 0 limit 1', [name, text]);
    if (hits.length > 0) holding.push(name);
  }
  return holding;
}

/** Asserts that no text is stored, also not by writes after the response. */
async function assertStoredNowhere(texts: readonly string[], response: unknown): Promise<void> {
  await app.services.securityEvents.settled();
  for (const text of texts) {
    assert.equal(await tablesContaining(text), [], text);
    assert.not.ok(JSON.stringify(lines).includes(text), `the log holds ${text}`);
    assert.not.ok(JSON.stringify(response).includes(text), `the response repeats ${text}`);
  }
  assert.ok(lines.some(({ operation }) => operation === 'setContextFlag'));
}

const entries = () =>
  owner('audit_entry')
    .where({ entity: 'context_flag_refusal', entityId: String(student.id) })
    .orderBy('id');

const canary = 'كناري يعاني في البيت zq17';

/** `length` is the number of code points of all refused values. */
const refused: readonly { readonly name: string; readonly body: object; readonly length: number }[] = [
  { name: 'free text for a code', body: { flagCode: canary }, length: [...canary].length },
  { name: 'a code that looks like one', body: { flagCode: 'canary_zq17' }, length: 11 },
  { name: 'a code in capitals', body: { flagCode: 'LONG_ABSENCE_ZQ17' }, length: 17 },
  { name: 'a known code with a blank', body: { flagCode: 'long_absence zq17' }, length: 17 },
  { name: 'no text at all', body: { flagCode: '' }, length: 0 },
  { name: 'characters beyond the first plane', body: { flagCode: '🦜zq17' }, length: 5 },
  { name: 'a long text', body: { flagCode: `${'ا'.repeat(5_000)}zq17` }, length: 5_004 },
  { name: 'a property beside the code', body: { flagCode: 'long_absence', note: canary }, length: [...canary].length },
  { name: 'a number beside the code', body: { flagCode: 'long_absence', note: 71_717_171 }, length: 8 },
  { name: 'an object beside the code', body: { flagCode: 'long_absence', note: { zq17: 'zq' } }, length: 13 },
  { name: 'a property whose name is the text', body: { flagCode: 'long_absence', [canary]: 1 }, length: 1 },
  { name: 'a property and no code', body: { note: canary }, length: [...canary].length },
  { name: 'a property, and a day that is none', body: { note: 'zq17', effectiveTo: 'zq17' }, length: 4 },
  { name: 'a property beside a blocked code', body: { flagCode: 'religion', note: 'zq17' }, length: 4 },
  { name: 'both', body: { flagCode: 'zq17', note: 'zq1717' }, length: 10 },
];

for (const { name, body, length } of refused) {
  test(`${name}: 422 context_flag_blocked, only the length is stored`, async () => {
    const reply = await send(body);
    assert.equal([reply.status, reply.body.code], [422, 'context_flag_blocked'], JSON.stringify(reply.body));
    const [entry, ...more] = await entries();
    assert.equal(more, []);
    assert.equal([entry.action, entry.before, entry.after], ['insert', null, { length }]);
    assert.equal([entry.operation, entry.actorUserId], ['setContextFlag', world.own.people.TEACHER.id]);
    assert.is(entry.organizationId, world.own.organizationId);
    await assertStoredNowhere(['zq17', '71717171', 'zq1717', 'LONG_ABSENCE'], reply.body);
    assert.equal(await owner('context_flag').where({ studentId: student.id }), []);
    assert.equal(await eventFlagIds(app, student), []);
  });
}

for (const flagCode of ['medical_diagnosis', 'family_income', 'religion', 'nationality', 'behaviour_label']) {
  test(`${flagCode}: 403 CONTEXT_FLAG_BLOCKED, not even the length is stored`, async () => {
    const reply = await send({ flagCode });
    assert.equal([reply.status, reply.body.code], [403, 'CONTEXT_FLAG_BLOCKED']);
    assert.equal(await entries(), []);
    assert.not.ok(JSON.stringify(lines).includes(flagCode));
    const holding = await tablesContaining(flagCode);
    assert.equal(holding, ['rule_version'], 'only the dictionary');
    assert.equal(await owner('security_event').where({ userId: world.own.people.TEACHER.id }), []);
  });
}

test('a wrong type is VALIDATION_ERROR without an entry, and its value is stored nowhere', async () => {
  for (const body of [{ flagCode: ['zq17'] }, { flagCode: 'long_absence', effectiveFrom: 'zq17' }, ['zq17'], 'zq17']) {
    const reply = await send(body);
    assert.equal([reply.status, reply.body.code], [422, 'VALIDATION_ERROR']);
    await assertStoredNowhere(['zq17'], reply.body);
  }
  assert.equal(await entries(), []);
});

test('a caller who may not set flags causes no entry: permission, reach and demo are checked first', async () => {
  const body = { flagCode: canary };
  const { people } = world.own;
  for (const token of [people.PRINCIPAL.token, people.PARENT.token, people['TEACHER elsewhere'].token])
    assert.is((await send(body, token)).status, 403);
  assert.is((await send(body, world.other.people.ADMIN.token)).status, 404);
  const inDemo = `/api/students/${world.demo.people.STUDENT.id}/context-flag`;
  const reply = await http.post<Refusal>(inDemo, body, { token: world.demo.people.TEACHER.token });
  assert.equal([reply.status, reply.body.code], [403, 'DEMO_READ_ONLY']);
  assert.equal(await entries(), []);
  assert.equal(await owner('context_flag_refusal').where({ studentId: student.id }), []);
});

test('a refusal of a SUPER administrator is recorded in the student’s organization', async () => {
  assert.is((await send({ flagCode: canary }, world.superAdmin.token)).status, 422);
  const [entry] = await entries();
  assert.equal([entry.organizationId, entry.actorUserId], [world.own.organizationId, world.superAdmin.id]);
});

test('an administrator reads only the length of a refused text', async () => {
  await send({ flagCode: canary });
  const { body } = await http.get<{ items: { entity: string; entityId: string; after: unknown }[] }>(
    `/api/organizations/${world.own.organizationId}/audit?entity=context_flag_refusal&entityId=${student.id}`,
    { token: world.own.people.ADMIN.token },
  );
  assert.equal(
    body.items.map(({ entityId, after }) => [entityId, after]),
    [[String(student.id), { length: [...canary].length }]],
  );
});

test('a refused request with an idempotency key is evaluated again when it is repeated', async () => {
  const headers = { 'idempotency-key': newId() };
  const { token } = world.own.people.TEACHER;
  const path = `/api/students/${student.id}/context-flag`;
  for (const expected of [1, 2]) {
    assert.is((await http.post(path, { flagCode: canary }, { token, headers })).status, 422);
    assert.is((await entries()).length, expected);
  }
  assert.equal(await owner('idempotent_answer').where({ key: headers['idempotency-key'] }), []);
  assert.is((await http.post(path, { flagCode: 'long_absence' }, { token, headers })).status, 201);
});

test.run();
