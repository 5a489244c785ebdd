// A benchmark evaluates no one before a second person has put it in force: over HTTP by every way in, and in the database.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { runDueActivations } from '#backoffice/workbench/activation/schedule.ts';
import { inContext, type Trx } from '#core/platform/db.ts';
import { newId } from '#core/platform/ids.ts';
import { buildSuperAdmin, signIn } from '../../harness/factories.ts';
import { useApp } from '../../harness/http.ts';
import { inParallel } from '../../security/support.ts';
import { type Backoffice, buildBackoffice, type JsonReply, type Member } from '../workbench/backoffice.ts';

const waitHours = 72;
const hourMs = 3_600_000;
const test = suite('benchmarks by two people');
const app = useApp(test, {
  rules: true,
  ownStatements: true,
  ownEntries: true,
  settings: { APPROVER_WAIT_HOURS: String(waitHours) },
});
const { owner, app: runtime } = app.database;
let office: Backoffice;

test.before(async () => {
  office = await buildBackoffice(app);
});

const path = '/api/admin/benchmark-profiles';
const expected = { cuts: { meets: 60, approaching: 40, below: 20 }, source: 'A norm.', titleAr: 'معيار الطلاقة' };
const countries = ['SA', 'EG', 'JO', 'MA', 'OM', 'TN', 'DZ', 'QA', 'KW'];
const nextCell = () => ({ country: countries.pop(), grade: 2, measureCode: 'ORF_WCPM', season: 'BOY' });
const refused = ({ status, body }: JsonReply) => [status, body.details?.[0]?.issue];
const notIndependent = [403, 'approver_not_independent'];
const activate = (by: Member, id: unknown) => by.post(`${path}/${id}/activate`, {});

interface Published {
  readonly id: string;
  readonly key: string;
  readonly version: number;
}

/** Created by the author, edited by the editor, published by the second approver. */
async function published(cell: object): Promise<Published> {
  const { author, editor, secondApprover } = office;
  const made = await author.post(path, { ...cell, ...expected });
  assert.is(made.status, 201, JSON.stringify(made.body));
  const { id } = made.body;
  assert.is((await editor.request('PATCH', `${path}/${id}`, { source: 'Another norm.' })).status, 200);
  const reply = await secondApprover.post(`${path}/${id}/publish`, {});
  assert.is(reply.status, 200, JSON.stringify(reply.body));
  app.clock.advance(1_000);
  return { id: String(id), key: String(reply.body.key), version: Number(reply.body.version) };
}

test('not by its creator, nor its editor, nor its publisher; by any other person', async () => {
  const { id } = await published(nextCell());
  for (const by of [office.author, office.editor, office.secondApprover])
    assert.equal(refused(await activate(by, id)), notIndependent);
  assert.is((await activate(office.approver, id)).status, 200);
  assert.equal(refused(await activate(office.author, id)), [409, 'already_active']);
});

test('not by the ways of the workbench either: a bundle, a plan', async () => {
  const { key, version } = await published(nextCell());
  const from = new Date(app.clock.now().getTime() + 60_000).toISOString();
  const body = { versions: { [`benchmark/${key}`]: version }, reason: 'policy_change' };
  for (const by of [office.author, office.editor, office.secondApprover]) {
    assert.equal(refused(await by.post('/api/admin/rule-bundles', body)), notIndependent);
    assert.equal(refused(await by.post('/api/admin/rule-bundles', { ...body, from })), notIndependent);
  }
  assert.is((await office.approver.post('/api/admin/rule-bundles', { ...body, from })).status, 201);
  app.clock.advance(61_000);
  await runDueActivations(app.services);
  const shown = (await office.author.get(`${path}?key=${key}&status=active`)).body.items as Published[];
  assert.equal(
    shown.map((item) => item.version),
    [version],
  );
});

test('back to what was in force just before: by any person, and no further', async () => {
  const cell = nextCell();
  const versions = [await published(cell), await published(cell), await published(cell)];
  for (const { id } of versions) {
    assert.is((await activate(office.approver, id)).status, 200);
    app.clock.advance(1_000);
  }
  const [first, second] = versions;
  assert.equal(refused(await activate(office.author, first?.id)), notIndependent);
  assert.is((await activate(office.author, second?.id)).status, 200);
});

test('an account that a writer has made or changed waits, and is reported with the time until which it waits', async () => {
  const { id } = await published(nextCell());
  const fresh = await buildSuperAdmin(owner, { createdAt: app.clock.now() });
  const reply = await app.post<JsonReply['body']>(`${path}/${id}/activate`, {}, { token: await signIn(app, fresh) });
  const until = new Date(app.clock.now().getTime() + waitHours * hourMs).toISOString();
  assert.equal([reply.status, reply.body.details], [403, [{ field: '', issue: 'approver_too_new', args: { until } }]]);
});

test('two at once: one is answered 200, one already_active', async () => {
  const { id } = await published(nextCell());
  const other = await buildSuperAdmin(owner);
  const token = await signIn(app, other);
  const replies = await inParallel(2, (at) =>
    at === 0
      ? activate(office.approver, id)
      : (app.post(`${path}/${id}/activate`, {}, { token }) as Promise<unknown> as Promise<JsonReply>),
  );
  assert.equal(replies.map(refused).sort(), [
    [200, undefined],
    [409, 'already_active'],
  ]);
});

/** What the database says to the run-time role under this name; nothing of it stays. */
async function errorOf(writer: number, work: (trx: Trx) => Promise<unknown>): Promise<string> {
  const undone = 'accepted';
  return inContext(runtime, 'SUPER', async (trx) => {
    const named = { actorUserId: writer, operation: 'test', requestId: 'test' };
    await app.services.nameWriter(trx, named, app.clock.now());
    await work(trx);
    throw new Error(undone);
  }).catch((error: Error) => error.message);
}

const activation =
  (by: number, { key, version }: Published) =>
  async (trx: Trx) => {
    const newest = await trx('rule_activation as a')
      .join('rule_bundle as b', 'b.id', 'a.bundleId')
      .orderBy('a.activeFrom', 'desc')
      .orderBy('a.id', 'desc')
      .first('b.versions');
    const [bundleId, now] = [newId(), app.clock.now()];
    const versions = JSON.stringify({ ...newest.versions, [`benchmark/${key}`]: version });
    await trx('rule_bundle').insert({ id: bundleId, versions, createdAt: now });
    const row = { bundleId, activeFrom: now, kind: 'activate', reason: 'policy_change', activatedBy: by };
    await trx('rule_activation').insert({ ...row, approvedBy: [], createdAt: now });
  };

test('the database refuses those who wrote it, and no one else', async () => {
  const version = await published(nextCell());
  for (const { id } of [office.author, office.editor, office.secondApprover])
    assert.match(await errorOf(id, activation(id, version)), /somebody who did not write it/);
  const { id } = office.approver;
  assert.is(await errorOf(id, activation(id, version)), 'accepted');
});

test('the database has every editor named, in the draft and in the version', async () => {
  const made = await office.author.post(path, { ...nextCell(), ...expected });
  const draft = (change: object) => (trx: Trx) => trx('benchmark_profile').where({ id: made.body.id }).update(change);
  const { id: editor } = office.editor;
  assert.match(await errorOf(editor, draft({ source: 'Mine.' })), /is named as its editor/);
  assert.is(await errorOf(editor, draft({ source: 'Mine.', editorUserIds: [editor] })), 'accepted');
  await draft({ editorUserIds: [editor] })(owner as never);
  assert.match(await errorOf(editor, draft({ editorUserIds: [] })), /stays its editor/);
  const { id: versionId } = await owner('rule_version').where({ family: 'benchmark', authorUserId: null }).first('id');
  assert.match(await errorOf(editor, draft({ versionId })), /names all who wrote it/);
});

test.run();
