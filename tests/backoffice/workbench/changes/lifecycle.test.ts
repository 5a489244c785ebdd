// timeout: 240s
// A change from its first text to force and back, over HTTP: every step, every refusal, and what the database refuses by itself.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { canonicalHash } from '#core/platform/pure/canonical-json.ts';
import { useApp } from '../../../harness/http.ts';
import { shippedVersion } from '../../../harness/rules.ts';
import {
  type Backoffice,
  buildBackoffice,
  changedConstants,
  type Json,
  type JsonReply,
  takeChange,
} from '../backoffice.ts';

const app = useApp(test, { rules: true });
let office: Backoffice;

test.before(async () => {
  office = await buildBackoffice(app);
});

const changes = '/api/admin/rule-changes';
const set = '/api/admin/rule-sets/cbm/trend';
const shipped = shippedVersion('cbm/trend');
const trend = { family: 'cbm', key: 'trend' };
let newest = shipped;

const issueOf = ({ body }: JsonReply) => body.details?.[0]?.issue;
const fieldOf = ({ body }: JsonReply) => body.details?.[0]?.field;

/** The newest trend rules with another constant everywhere it stands. */
async function changedTrend(value: number): Promise<Json> {
  const { body } = await office.author.get(`${set}/versions/${newest}`);
  return changedConstants(body.document as Json, { 'CBM-MIN-01': value });
}

const submitted = async (value: number, quorum = 1) =>
  takeChange(office, { 'cbm/trend': await changedTrend(value) }, { quorum, upTo: 'submit' });

const begun = async (body: Json = {}) => {
  const made = await office.author.post(changes, { title: 'Fewer points', ...body });
  assert.is(made.status, 201, JSON.stringify(made.body));
  return { address: `${changes}/${made.body.changeId}`, ...made };
};

test('a change starts from the base of each document, carries its cases, and has an ETag; its hash is that of the contract', async () => {
  const { address, body, headers } = await begun({ documents: [trend], why: 'Schools asked.' });
  assert.is(body.state, 'draft');
  assert.is(headers.get('etag'), body.etag);
  assert.is(body.etag, `"${body.sha256}"`);
  const [head] = body.documents as Json[];
  assert.equal([head?.baseVersion, head?.baseInForce, head?.errors, head?.mutationScore], [shipped, true, null, null]);
  const document = await office.approver.get(`${address}/documents/cbm/trend`);
  assert.is((document.body.document as { meta: Json }).meta.version, shipped + 1);
  assert.ok((document.body.cases as unknown[]).length > 0);
  assert.is(document.body.casesSha256, canonicalHash({ cases: document.body.cases }));
  assert.is(document.body.etag, `"${document.body.sha256}-${document.body.casesSha256}"`);
  assert.is(document.headers.get('etag'), document.body.etag);
  const { baseVersion, sha256, casesSha256 } = document.body;
  const documents = { 'cbm/trend': { baseVersion, sha256, casesSha256 } };
  assert.is(body.sha256, canonicalHash({ title: 'Fewer points', why: 'Schools asked.', documents }));
  const read = await office.approver.get(address);
  assert.equal(read.body, body);
  const gone = await office.author.request('DELETE', address, undefined, { 'if-match': String(body.etag) });
  assert.is(gone.status, 204);
  assert.is((await office.author.get(address)).status, 404);
});

test('an edit quotes what it was made from: without it 422, a stale one 412, and editors are named', async () => {
  const { address, body } = await begun({ documents: [trend] });
  const path = `${address}/documents/cbm/trend`;
  const document = await changedTrend(5);
  const blind = await office.editor.request('PUT', path, { document });
  assert.equal([blind.status, fieldOf(blind)], [422, 'If-Match']);
  const etag = String((await office.author.get(path)).body.etag);
  const edited = await office.editor.request('PUT', path, { document }, { 'if-match': etag });
  assert.is(edited.status, 200, JSON.stringify(edited.body));
  assert.equal((await office.author.get(address)).body.editorUserIds, [office.editor.id]);
  const stale = await office.author.request('PUT', path, { document }, { 'if-match': etag });
  assert.equal([stale.status, stale.body.code], [412, 'PRECONDITION_FAILED']);
  const late = await office.author.request('PATCH', address, { why: 'x' }, { 'if-match': String(body.etag) });
  assert.is(late.status, 412);
  const twice = await Promise.all(
    [office.author, office.editor].map((who) =>
      who.request('PUT', path, { cases: [] }, { 'if-match': String(edited.body.etag) }),
    ),
  );
  assert.equal(twice.map(({ status }) => status).sort(), [200, 412]);
});

test('documents join with the ETag of the change and leave with their own', async () => {
  const { address, body } = await begun();
  const path = `${address}/documents/cbm/trend`;
  assert.is((await office.author.get(path)).status, 404);
  assert.is(
    (await office.author.request('PUT', `${address}/documents/no/set`, {}, { 'if-match': String(body.etag) })).status,
    404,
  );
  const joined = await office.author.request('PUT', path, {}, { 'if-match': String(body.etag) });
  assert.is(joined.status, 201, JSON.stringify(joined.body));
  const left = await office.author.request('DELETE', path, undefined, { 'if-match': String(joined.body.etag) });
  assert.is(left.status, 200, JSON.stringify(left.body));
  assert.equal(left.body.documents, []);
  assert.is(left.body.sha256, body.sha256);
  assert.is((await office.author.request('DELETE', path, undefined, { 'if-match': '"x"' })).status, 404);
});

test('only a checked change is submitted: without documents, unchecked and without news it is refused', async () => {
  const empty = await begun();
  assert.equal(issueOf(await office.author.post(`${empty.address}/check`, {})), 'empty_change');
  const { address } = await begun({ documents: [trend] });
  assert.equal(issueOf(await office.author.post(`${address}/submit`, {})), 'state');
  const check = await office.author.post(`${address}/check`, {});
  assert.equal([check.body.valid, check.body.state], [true, 'validated'], JSON.stringify(check.body));
  assert.equal(Object.keys(check.body.mutationScores as Json), ['cbm/trend']);
  const same = await office.author.post(`${address}/submit`, {});
  assert.equal([same.status, issueOf(same), fieldOf(same)], [409, 'no_change', 'cbm/trend']);
  const path = `${address}/documents/cbm/trend`;
  const document = await changedTrend(5);
  const { etag } = (await office.author.get(path)).body;
  await office.author.request('PUT', path, { document }, { 'if-match': String(etag) });
  const after = (await office.author.get(address)).body;
  assert.equal([after.state, after.findings], ['draft', null]);
});

test('title and reason are part of what is approved, who is asked is not; personal data is refused', async () => {
  const { address, body } = await begun();
  const patched = await office.editor.request(
    'PATCH',
    address,
    { title: ' Other ' },
    { 'if-match': String(body.etag) },
  );
  assert.equal([patched.body.title, patched.body.editorUserIds], ['Other', [office.editor.id]]);
  assert.is.not(patched.body.sha256, body.sha256);
  const asked = { requestedReviewers: [office.approver.id] };
  const reviewers = await office.author.request('PATCH', address, asked, { 'if-match': String(patched.body.etag) });
  assert.equal([reviewers.body.sha256, reviewers.body.requestedReviewers], [patched.body.sha256, [office.approver.id]]);
  const headers = { 'if-match': String(patched.body.etag) };
  const nobody = await office.author.request('PATCH', address, { requestedReviewers: [999_999] }, headers);
  assert.is(nobody.status, 422);
  for (const why of ['write to a@school.sa', 'call 0501234', 'call ٠٥٠١٢٣٤', 'ａ＠ｓｃｈｏｏｌ．ｓａ']) {
    const refused = await office.author.request('PATCH', address, { why }, headers);
    assert.equal([refused.status, issueOf(refused)], [422, 'looks_personal'], why);
  }
  assert.is((await office.author.post(changes, { title: 'ab' })).status, 422);
  assert.is((await office.author.post(changes, { title: '   a   ' })).status, 422);
});

test('four eyes: neither author nor editor approves, the hash is that of the change, and one approval publishes', async () => {
  const { address, sha256, changeId } = await submitted(5);
  for (const own of [office.author, office.editor]) {
    assert.is((await own.post(`${address}/approve`, { sha256 })).status, 403);
    assert.is((await own.post(`${address}/return`, {})).status, 403);
    assert.is((await own.post(`${address}/decline`, { reason: 'wording' })).status, 403);
  }
  const waiting = async (who = office.approver) =>
    ((await who.get(`${changes}?waitingFor=me`)).body.items as Json[]).some((one) => one.changeId === changeId);
  assert.equal([await waiting(), await waiting(office.editor)], [true, false]);
  const wrong = await office.approver.post(`${address}/approve`, { sha256: '0'.repeat(64) });
  assert.equal([wrong.status, issueOf(wrong)], [409, 'hash_mismatch']);
  const approved = await office.approver.post(`${address}/approve`, { sha256 });
  assert.is(approved.body.state, 'published', JSON.stringify(approved.body));
  assert.equal((approved.body.documents as Json[])[0]?.publishedVersion, shipped + 1);
  assert.equal(
    (approved.body.approvals as Json[]).map(({ userId }) => userId),
    [office.approver.id],
  );
  assert.is(approved.body.activation, null);
  newest = shipped + 1;
  assert.is(issueOf(await office.approver.post(`${address}/approve`, { sha256 })), 'state');
  const { body: version } = await office.author.get(`${set}/versions/${newest}`);
  assert.equal(
    [version.state, version.level, version.approvedBy, version.authorUserId, version.changeId],
    ['published', 'minor', [office.approver.id], office.author.id, changeId],
  );
  assert.is((await office.author.get(`${set}/versions/active`)).body.version, shipped);
  const audit = await office.author.get('/api/admin/audit?entity=rule_change&limit=100');
  const states = (audit.body.items as { entityId: string; after: Json | null }[])
    .filter(({ entityId }) => entityId === changeId)
    .map(({ after }) => after?.state);
  assert.equal(states.filter((state, at) => state !== states[at - 1]).slice(0, 3), [
    'published',
    'in_review',
    'validated',
  ]);
});

test('a change comes into force as one, is rolled back as one, and may come again', async () => {
  const [published] = (await office.author.get(`${changes}?state=published`)).body.items as Json[];
  const address = `${changes}/${published?.changeId}`;
  const bundle = { versions: { 'cbm/trend': newest }, reason: 'evidence_update' };
  assert.is(issueOf(await office.author.post('/api/admin/rule-bundles', bundle)), 'by_its_change');
  assert.is(issueOf(await office.author.post(`${address}/rollback`, { reason: 'defect_found' })), 'no_change');
  const active = await office.author.post(`${address}/activate`, { reason: 'evidence_update' });
  assert.is(active.status, 200, JSON.stringify(active.body));
  assert.equal([active.body.changeId, active.body.title], [published?.changeId, 'A change of a test']);
  assert.equal(active.body.changes, [{ ...trend, from: shipped, to: newest }]);
  assert.is(issueOf(await office.author.post(`${address}/activate`, { reason: 'evidence_update' })), 'no_change');
  const now = (await office.author.get(address)).body;
  assert.equal((now.activation as Json).state, 'in_force');
  app.clock.advance(1_000);
  const back = await office.author.post(`${address}/rollback`, { reason: 'impact_unacceptable' });
  assert.equal(
    [back.status, back.body.kind, back.body.changeId],
    [200, 'rollback', published?.changeId],
    JSON.stringify(back.body),
  );
  assert.equal(back.body.changes, [{ ...trend, from: newest, to: shipped }]);
  assert.is(((await office.author.get(address)).body.activation as Json).state, 'past');
  assert.is(issueOf(await office.author.post(`${address}/rollback`, { reason: 'defect_found' })), 'no_change');
  const based = await begun({ documents: [trend] });
  const [head] = based.body.documents as Json[];
  assert.equal([head?.baseVersion, head?.baseInForce], [shipped, true], 'a text that was rolled back does not return');
  app.clock.advance(1_000);
  assert.is((await office.author.post(`${address}/activate`, { reason: 'evidence_update' })).status, 200);
  const moved = await office.author.post(`${based.address}/check`, {});
  assert.equal([issueOf(moved), moved.status], ['base_moved', 409]);
});

test('a plan is taken back by a rollback, and its change is withdrawn from the timeline', async () => {
  const { address, sha256 } = await submitted(6);
  await office.approver.post(`${address}/approve`, { sha256 });
  newest += 1;
  const from = new Date(app.clock.now().getTime() + 86_400_000).toISOString();
  const planned = await office.author.post(`${address}/activate`, { reason: 'scheduled_release', from });
  assert.equal([planned.status, planned.body.state], [200, 'scheduled'], JSON.stringify(planned.body));
  assert.is(((await office.author.get(address)).body.activation as Json).state, 'scheduled');
  const back = await office.author.post(`${address}/rollback`, { reason: 'activated_by_mistake' });
  assert.equal([back.status, back.body.state], [200, 'withdrawn'], JSON.stringify(back.body));
  assert.is(((await office.author.get(address)).body.activation as Json).state, 'withdrawn');
  const past = new Date(app.clock.now().getTime() - 3_600_000).toISOString();
  const slip = await office.author.post(`${address}/activate`, { reason: 'scheduled_release', from: past });
  assert.equal([slip.status, fieldOf(slip)], [422, 'from']);
});

test('two changes in review: the publication of one suspends the other, which is rebased', async () => {
  const base = newest - 1;
  const first = await submitted(7);
  const second = await submitted(8);
  const comment = await office.approver.post(`${second.address}/comments`, {
    text: 'Why 8?',
    on: { ...trend, constantId: 'CBM-MIN-01' },
  });
  assert.is(comment.status, 201, JSON.stringify(comment.body));
  assert.is((await office.approver.post(`${first.address}/approve`, { sha256: first.sha256 })).body.state, 'published');
  newest += 1;
  const waiting = await office.author.get(second.address);
  assert.is(waiting.body.state, 'suspended');
  assert.is(issueOf(await office.approver.post(`${second.address}/approve`, { sha256: second.sha256 })), 'state');
  const { body: rebase } = await office.author.get(`${second.address}/rebase`);
  assert.equal(rebase.moves, [{ ...trend, from: base, to: newest }]);
  const conflicts = rebase.conflicts as Json[];
  assert.equal(
    conflicts.map(({ path }) => path).filter((path) => String(path).startsWith('constants/')),
    ['constants/CBM-MIN-01'],
  );
  const post = (take: readonly Json[]) =>
    office.author.request('POST', `${second.address}/rebase`, { take }, { 'if-match': String(waiting.body.etag) });
  assert.is(issueOf(await post([])), 'conflict_open');
  const take = conflicts.map(({ family, key, path }) => ({ family, key, path, side: 'mine' }));
  const strange = await post([...take, { ...trend, path: 'constants/NONE', side: 'mine' }]);
  assert.is(strange.status, 422);
  const rebased = await post(take);
  assert.is(rebased.status, 200, JSON.stringify(rebased.body));
  assert.equal([rebased.body.state, (rebased.body.documents as Json[])[0]?.baseVersion], ['draft', newest]);
  assert.equal(rebased.body.constants, [{ id: 'CBM-MIN-01', before: 7, after: 8, documents: ['cbm/trend'] }]);
  assert.is((await office.author.post(`${second.address}/withdraw`, {})).body.state, 'withdrawn');
  assert.is(issueOf(await office.author.post(`${second.address}/withdraw`, {})), 'state');
  assert.is((await office.approver.get(`${second.address}/comments`)).body.items?.constructor, Array);
});

test('a quorum of two waits; a return makes a draft whose approvals count no more, and the quorum does not fall', async () => {
  const { address, sha256 } = await submitted(9, 2);
  const one = await office.approver.post(`${address}/approve`, { sha256 });
  assert.equal([one.body.state, (one.body.approvals as Json[]).length], ['in_review', 1], JSON.stringify(one.body));
  assert.is(issueOf(await office.approver.post(`${address}/approve`, { sha256 })), 'already_approved');
  const returned = await office.secondApprover.post(`${address}/return`, {});
  assert.equal([returned.body.state, returned.body.approvals], ['draft', []]);
  assert.is(issueOf(await office.author.post(`${address}/submit`, {})), 'state');
  await office.author.post(`${address}/check`, {});
  const fewer = await office.author.post(`${address}/submit`, { quorum: 1 });
  assert.equal([fewer.status, fieldOf(fewer)], [422, 'quorum']);
  const again = await office.author.post(`${address}/submit`, {});
  assert.equal(
    [again.body.quorum, again.body.submission, again.body.approvals],
    [2, 2, []],
    JSON.stringify(again.body),
  );
  const stays = await office.author.request('DELETE', address, undefined, { 'if-match': String(again.body.etag) });
  assert.is(issueOf(stays), 'state');
  const declined = await office.secondApprover.post(`${address}/decline`, { reason: 'needs_cases' });
  assert.equal([declined.body.state, declined.body.declineReason], ['rejected', 'needs_cases']);
  for (const [method, path, body] of [
    ['POST', `${address}/check`, {}],
    ['POST', `${address}/submit`, {}],
    ['POST', `${address}/withdraw`, {}],
    ['PATCH', address, { why: 'x' }],
  ] as const) {
    const late = await office.author.request(method, path, body, { 'if-match': String(declined.body.etag) });
    assert.equal([late.status, issueOf(late)], [409, 'state'], path);
  }
});

test('of two last approvals at once one publishes; of an approval and a return the second meets the first', async () => {
  const { address, sha256 } = await submitted(10);
  const replies = await Promise.all([
    office.approver.post(`${address}/approve`, { sha256 }),
    office.secondApprover.post(`${address}/approve`, { sha256 }),
  ]);
  assert.equal(replies.map(({ status }) => status).sort(), [200, 409]);
  newest += 1;
  const rows = await app.database.owner('rule_version').where({ ...trend, version: newest });
  assert.is(rows.length, 1);
  const other = await submitted(11);
  const both = await Promise.all([
    office.approver.post(`${other.address}/approve`, { sha256: other.sha256 }),
    office.secondApprover.post(`${other.address}/return`, {}),
  ]);
  assert.equal(both.map(({ status }) => status).sort(), [200, 409]);
  assert.ok(
    both.every((one) => one.status === 200 || issueOf(one) === 'state'),
    JSON.stringify(both.map(({ body }) => body)),
  );
  if (both[0]?.status === 200) newest += 1;
});

test('rules that evaluate children are approved with the report of their impact only', async () => {
  const { body } = await office.author.get('/api/admin/rule-sets/ssr/ssr/versions/active');
  const document = { ...(body.document as Json) };
  document.rules = (document.rules as Json[]).map((rule) => ({ ...rule, rationale: `${rule.rationale} ` }));
  const base = shippedVersion('ssr/ssr');
  const proposal = { family: 'ssr', key: 'ssr', baseVersion: base, document, cases: [] };
  const made = await office.author.post('/api/sse/admin/rule-versions', proposal);
  assert.is(made.status, 201, JSON.stringify(made.body));
  const address = `${changes}/${made.body.changeId}`;
  const read = (await office.author.get(address)).body;
  assert.equal(
    [read.title, read.state, read.reportRequired, read.sha256],
    [`ssr/ssr@${base + 1}`, 'in_review', true, made.body.sha256],
  );
  const without = await office.approver.post(`${address}/approve`, { sha256: made.body.sha256 });
  assert.equal([without.status, fieldOf(without)], [422, 'reportHash']);
  const invented = { sha256: made.body.sha256, reportHash: 'a'.repeat(64) };
  assert.is(issueOf(await office.approver.post(`${address}/approve`, invented)), 'report_unknown');
  await office.author.post(`${address}/withdraw`, {});
  const moved = await office.author.post('/api/sse/admin/rule-versions', { ...proposal, baseVersion: base + 1 });
  assert.is(issueOf(moved), 'base_moved');
  const same = await office.author.post('/api/sse/admin/rule-versions', { ...proposal, document: body.document });
  assert.is(issueOf(same), 'no_change');
});

test.run();
