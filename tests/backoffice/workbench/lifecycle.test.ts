// timeout: 180s
// A rule from draft to force, over HTTP: every step, every refusal, and what the database refuses by itself.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { useApp } from '../../harness/http.ts';
import { shippedVersion } from '../../harness/rules.ts';
import { type Backoffice, buildBackoffice, changedConstants, type Json, takeDraft } from './backoffice.ts';

const app = useApp(test, { rules: true });
let office: Backoffice;

test.before(async () => {
  office = await buildBackoffice(app);
});

const set = '/api/admin/rule-sets/cbm/trend';
const shipped = shippedVersion('cbm/trend');

/** The active trend rules with another constant everywhere it stands. */
async function changedTrend(value = 5): Promise<Json> {
  const { body } = await office.author.get(`${set}/versions/active`);
  return changedConstants(body.document as Json, { 'CBM-MIN-01': value });
}

test('a draft starts from the newest version, carries its cases, and has an ETag of its own', async () => {
  const made = await office.author.post(`${set}/drafts`, { baseVersion: shipped });
  assert.is(made.status, 201, JSON.stringify(made.body));
  assert.is(made.body.state, 'draft');
  assert.is((made.body.document as Json & { meta: Json }).meta.version, shipped + 1);
  assert.ok((made.body.cases as unknown[]).length > 0);
  assert.is(made.headers.get('etag'), `"${made.body.etag}"`);
  const read = await office.approver.get(`${set}/drafts/${made.body.draftId}`);
  assert.equal(read.body, made.body);
  const gone = await office.author.request('DELETE', `${set}/drafts/${made.body.draftId}`);
  assert.is(gone.status, 204);
  assert.is((await office.author.get(`${set}/drafts/${made.body.draftId}`)).status, 404);
});

test('an edit quotes the text it was made from; a stale one is refused', async () => {
  const made = await office.author.post(`${set}/drafts`, { baseVersion: shipped });
  const address = `${set}/drafts/${made.body.draftId}`;
  const document = await changedTrend();
  const blind = await office.author.request('PUT', address, { document });
  assert.is(blind.status, 422);
  const etag = made.headers.get('etag') ?? '';
  const edited = await office.editor.request('PUT', address, { document }, { 'if-match': etag });
  assert.is(edited.status, 200, JSON.stringify(edited.body));
  assert.equal(edited.body.editorUserIds, [office.editor.id]);
  const stale = await office.author.request('PUT', address, { document }, { 'if-match': etag });
  assert.is(stale.status, 412);
  assert.is(stale.body.code, 'PRECONDITION_FAILED');
  await office.author.request('DELETE', address);
});

test('only a validated text is submitted, an edit takes the validation away, and no change is no request', async () => {
  const made = await office.author.post(`${set}/drafts`, { baseVersion: shipped });
  const address = `${set}/drafts/${made.body.draftId}`;
  assert.is((await office.author.post(`${address}/submit`, {})).status, 409);
  assert.is((await office.author.post(`${address}/validate`, {})).body.valid, true);
  const same = await office.author.post(`${address}/submit`, {});
  assert.is(same.body.details?.[0]?.issue, 'no_change');
  const document = await changedTrend();
  const edited = await office.author.request(
    'PUT',
    address,
    { document },
    { 'if-match': made.headers.get('etag') ?? '' },
  );
  assert.is(edited.body.state, 'draft');
  await office.author.request('DELETE', address);
});

test('four eyes: neither author nor editor approves, the hash is that of the text, and one approval publishes', async () => {
  const { address, sha256, draftId } = await submitted(await changedTrend());
  const own = await office.author.post(`${address}/approve`, { sha256 });
  assert.is(own.status, 403);
  const editors = await office.editor.post(`${address}/approve`, { sha256 });
  assert.is(editors.status, 403);
  const wrong = await office.approver.post(`${address}/approve`, { sha256: '0'.repeat(64) });
  assert.is(wrong.status, 409);
  assert.is(wrong.body.details?.[0]?.issue, 'hash_mismatch');
  const approved = await office.approver.post(`${address}/approve`, { sha256 });
  assert.is(approved.status, 200, JSON.stringify(approved.body));
  assert.is(approved.body.state, 'published');
  const again = await office.approver.post(`${address}/approve`, { sha256 });
  assert.is(again.status, 409);
  const version = await office.author.get(`${set}/versions/${shipped + 1}`);
  assert.is(version.body.state, 'published');
  assert.is(version.body.sha256, sha256);
  assert.is(version.body.level, 'minor');
  assert.equal(version.body.approvedBy, [office.approver.id]);
  assert.is(version.body.authorUserId, office.author.id);
  assert.is((await office.author.get(`${set}/versions/active`)).body.version, shipped);
  const audit = await office.author.get(`/api/admin/audit?entity=rule_draft`);
  const states = (audit.body.items as { entityId: string; after: Json | null }[])
    .filter(({ entityId }) => entityId === draftId)
    .map(({ after }) => after?.state);
  const steps = states.filter((state, at) => state !== states[at - 1]);
  assert.equal(steps, ['published', 'in_review', 'validated', 'draft']);
});

test('two submitted drafts: the second is suspended when the first is published, and goes on from the new version', async () => {
  const first = await submitted(await changedTrend(6), shipped + 1);
  const second = await submitted(await changedTrend(7), shipped + 1);
  await office.approver.post(`${first.address}/approve`, { sha256: first.sha256 });
  const waiting = await office.author.get(second.address);
  assert.is(waiting.body.state, 'suspended');
  const late = await office.approver.post(`${second.address}/approve`, { sha256: second.sha256 });
  assert.is(late.status, 409);
  const document = { ...(waiting.body.document as Json) };
  document.meta = { ...(document.meta as Json), version: shipped + 3 };
  const moved = await office.author.request('PUT', second.address, { document }, { 'if-match': `"${second.etag}"` });
  assert.is(moved.status, 200, JSON.stringify(moved.body));
  assert.is(moved.body.baseVersion, shipped + 2);
  const withdrawn = await office.author.post(`${second.address}/withdraw`, {});
  assert.is(withdrawn.body.state, 'withdrawn');
});

test('a quorum of two waits for the second approval; a decline closes the draft with its reason', async () => {
  const { address, sha256 } = await submitted(await changedTrend(8), shipped + 2, 2);
  const one = await office.approver.post(`${address}/approve`, { sha256 });
  assert.is(one.body.state, 'in_review');
  const twice = await office.approver.post(`${address}/approve`, { sha256 });
  assert.is(twice.body.details?.[0]?.issue, 'already_approved');
  const declined = await office.secondApprover.post(`${address}/decline`, { reason: 'needs_cases' });
  assert.is(declined.body.state, 'rejected');
  assert.is(declined.body.declineReason, 'needs_cases');
  assert.is((await office.author.post(`${address}/withdraw`, {})).status, 409);
});

test('of two approvals at the same time one publishes, and the version is there once', async () => {
  const { address, sha256 } = await submitted(await changedTrend(9), shipped + 2);
  const replies = await Promise.all([
    office.approver.post(`${address}/approve`, { sha256 }),
    office.secondApprover.post(`${address}/approve`, { sha256 }),
  ]);
  assert.equal(replies.map(({ status }) => status).sort(), [200, 409]);
  const rows = await app.database.owner('rule_version').where({ family: 'cbm', key: 'trend', version: shipped + 3 });
  assert.is(rows.length, 1);
});

test('rules that evaluate children are approved with the report of their impact simulation only', async () => {
  const { body } = await office.author.get('/api/admin/rule-sets/ssr/ssr/versions/active');
  const document = { ...(body.document as Json) };
  document.rules = (document.rules as Json[]).map((rule) => ({ ...rule, rationale: `${rule.rationale} ` }));
  const made = await office.author.post('/api/sse/admin/rule-versions', {
    family: 'ssr',
    key: 'ssr',
    baseVersion: 1,
    document,
    cases: [],
  });
  assert.is(made.status, 201, JSON.stringify(made.body));
  const address = `/api/admin/rule-sets/ssr/ssr/drafts/${made.body.draftId}`;
  const without = await office.approver.post(`${address}/approve`, { sha256: made.body.sha256 });
  assert.is(without.status, 422);
  assert.is(without.body.details?.[0]?.field, 'reportHash');
  const invented = { sha256: made.body.sha256, reportHash: 'a'.repeat(64) };
  const unknown = await office.approver.post(`${address}/approve`, invented);
  assert.is(unknown.body.details?.[0]?.issue, 'report_unknown');
  await office.author.post(`${address}/withdraw`, {});
});

test('a published version does not change, not even by the hand of the owner of the tables', async () => {
  const { owner } = app.database;
  const row = { family: 'cbm', key: 'trend', version: shipped + 1 };
  for (const attempt of [
    () => owner('rule_version').where(row).update({ document: '{}' }),
    () => owner('rule_version').where(row).delete(),
    () => owner.raw('truncate rule_version cascade'),
    () => app.database.app('rule_version').where(row).update({ document: '{}' }),
    () => owner('rule_activation').update({ reason: 'defect_fix' }),
  ]) {
    assert.ok(await refused(attempt));
  }
  const forged = { ...(await owner('rule_version').where(row).first()), version: 99 };
  assert.ok(await refused(() => owner('rule_version').insert({ ...withoutId(forged), sha256: 'f'.repeat(64) })));
  assert.ok(await refused(() => owner('rule_version').insert({ ...withoutId(forged), approvedBy: [] })));
  assert.ok(
    await refused(() => owner('rule_version').insert({ ...withoutId(forged), approvedBy: [forged.authorUserId] })),
  );
});

const withoutId = ({ id: _id, ...row }: Json) => row;

async function refused(attempt: () => PromiseLike<unknown>): Promise<boolean> {
  try {
    await attempt();
    return false;
  } catch {
    return true;
  }
}

/** A draft of the trend rules that waits for approval, written by the author and edited by the editor. */
const submitted = (document: Json, baseVersion = shipped, quorum = 1) =>
  takeDraft(office, 'cbm/trend', document, { baseVersion, quorum, upTo: 'submit' });

test.run();
