// timeout: 240s
// What an approval binds: text, cases and quorum, as they stood when approval was asked for. And what an editor may rely
// on: no one's cases are lost, and the queue does not move while its pages are turned.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { useApp } from '../../../harness/http.ts';
import { type Backoffice, buildBackoffice, installVersion, type Json, nextVersion, takeDraft } from '../backoffice.ts';

const app = useApp(test, { rules: true });
const { owner } = app.database;
const set = '/api/admin/rule-sets/cbm/trend';
let office: Backoffice;
let nextValue = 5;

test.before(async () => {
  office = await buildBackoffice(app);
});

async function newest(): Promise<number> {
  const { version } = await owner('rule_version')
    .where({ family: 'cbm', key: 'trend' })
    .orderBy('version', 'desc')
    .first();
  return version;
}

/** In review, with a threshold that no other draft has. */
async function inReview(quorum: number) {
  const document = await nextVersion(owner, 'cbm/trend', { 'CBM-MIN-01': nextValue });
  nextValue += 1;
  return takeDraft(office, 'cbm/trend', document, { baseVersion: await newest(), quorum, upTo: 'submit' });
}

/** A release brings a version of the same number: the approval is refused and the draft suspended. */
async function suspend({ address, sha256 }: { address: string; sha256: string }): Promise<Json> {
  await installVersion(owner, await nextVersion(owner, 'cbm/trend', { 'CBM-MIN-01': nextValue }));
  nextValue += 1;
  const refused = await office.secondApprover.post(`${address}/approve`, { sha256 });
  assert.is(refused.body.details?.[0]?.issue, 'base_moved');
  const { body } = await office.author.get(address);
  assert.is(body.state, 'suspended');
  return body;
}

const put = (address: string, body: Json, etag: unknown, who = office.author) =>
  who.request('PUT', address, body, { 'if-match': `"${etag}"` });

test('the ETag covers the cases: of two editors who change only cases at once, one is notified', async () => {
  const { body } = await office.author.post(`${set}/drafts`, { baseVersion: await newest() });
  const address = `${set}/drafts/${body.draftId}`;
  const cases = body.cases as Json[];
  const [first, second] = [cases.slice(1), cases.slice(0, -1)];
  const document = body.document as Json;
  const replies = await Promise.all([
    put(address, { document, cases: first }, body.etag),
    put(address, { document, cases: second }, body.etag, office.editor),
  ]);
  assert.equal(replies.map(({ status }) => status).sort(), [200, 412]);
  const won = replies.find(({ status }) => status === 200);
  const { body: now, headers } = await office.approver.get(address);
  assert.equal(now.cases, won?.body.cases);
  assert.is(now.etag, won?.body.etag);
  assert.is(headers.get('etag'), `"${now.etag}"`);
  assert.is(now.sha256, body.sha256, 'the text is the same');
  assert.is.not(now.etag, body.etag);
  assert.is((await put(address, { document, cases }, now.sha256)).status, 412, 'the hash of the text is no ETag');
  assert.is((await office.author.request('DELETE', address)).status, 204);
});

test('a draft that is edited during its validation is not validated: 409 and no result saved', async () => {
  const { body } = await office.author.post(`${set}/drafts`, { baseVersion: await newest() });
  const address = `${set}/drafts/${body.draftId}`;
  const document = body.document as Json;
  const texts = [0, 1, 2].map((at) => ({
    document: { ...document, meta: { ...(document.meta as Json) } },
    cases: (body.cases as Json[]).slice(at + 1),
  }));
  let etag = body.etag;
  for (const text of texts) {
    const [validated, edited] = await Promise.all([
      office.author.post(`${address}/validate`, {}),
      put(address, text, etag, office.editor),
    ]);
    assert.is(edited.status, 200, JSON.stringify(edited.body));
    etag = edited.body.etag;
    const { body: now } = await office.author.get(address);
    if (validated.status === 409) assert.is(validated.body.details?.[0]?.issue, 'draft_moved');
    else assert.is(validated.status, 200);
    if (now.state === 'validated') assert.is.not(validated.status, 409);
    else assert.is(now.findings, null);
  }
  await office.author.request('DELETE', address);
});

test('an approval does not outlive a change of cases', async () => {
  const draft = await inReview(2);
  const { address, sha256 } = draft;
  assert.is((await office.approver.post(`${address}/approve`, { sha256 })).status, 200);
  const suspended = await suspend(draft);
  const document = suspended.document as Json;
  const meta = { ...(document.meta as Json), version: (await newest()) + 1 };
  const moved = await put(address, { document: { ...document, meta } }, suspended.etag);
  assert.is(moved.status, 200, JSON.stringify(moved.body));
  assert.equal(moved.body.approvals, []);
  const { body } = await office.author.post(`${address}/validate`, {});
  assert.ok('valid' in body);
  await office.author.post(`${address}/withdraw`, {});
});

test('the same text with other cases is approved anew, by those who approved before as well', async () => {
  const { address, sha256 } = await inReview(2);
  await office.approver.post(`${address}/approve`, { sha256 });
  await owner('rule_draft')
    .where({ id: address.split('/').at(-1) })
    .update({ state: 'suspended' });
  const { body: before } = await office.author.get(address);
  const extra = { ...(before.cases as Json[])[0], name: 'one more' };
  const text = { document: before.document, cases: [...(before.cases as Json[]), extra] };
  const edited = await put(address, text, before.etag);
  assert.is(edited.body.sha256, sha256);
  assert.equal(edited.body.approvals, []);
  assert.is((await office.author.post(`${address}/validate`, {})).body.valid, true);
  assert.is((await office.author.post(`${address}/submit`, { quorum: 2 })).status, 200);
  const unread = await office.secondApprover.post(`${address}/approve`, { sha256, etag: before.etag });
  assert.is(unread.body.details?.[0]?.issue, 'hash_mismatch');
  const one = await office.secondApprover.post(`${address}/approve`, { sha256, etag: edited.body.etag });
  assert.is(one.body.state, 'in_review');
  assert.is((one.body.approvals as Json[]).length, 1);
  const two = await office.approver.post(`${address}/approve`, { sha256 });
  assert.is(two.body.state, 'published', JSON.stringify(two.body));
});

test('a request that is made anew needs no fewer approvals than before, and none is carried over', async () => {
  const { address, sha256 } = await inReview(2);
  await office.approver.post(`${address}/approve`, { sha256 });
  await owner('rule_draft')
    .where({ id: address.split('/').at(-1) })
    .update({ state: 'suspended' });
  const { body: before } = await office.author.get(address);
  const same = await put(address, { document: before.document, cases: before.cases }, before.etag);
  assert.is(same.body.etag, before.etag);
  await office.author.post(`${address}/validate`, {});
  const again = await office.author.post(`${address}/submit`, { quorum: 1 });
  assert.is(again.body.quorum, 2);
  assert.equal(again.body.approvals, []);
  const one = await office.secondApprover.post(`${address}/approve`, { sha256 });
  assert.is(one.body.state, 'in_review');
  const twice = await office.secondApprover.post(`${address}/approve`, { sha256 });
  assert.is(twice.body.details?.[0]?.issue, 'already_approved');
  assert.is((await office.approver.post(`${address}/approve`, { sha256 })).body.state, 'published');
});

test('the queue is paged by what does not move: an edit between two pages neither hides nor doubles a draft', async () => {
  const made: string[] = [];
  for (let count = 0; count < 4; count += 1) {
    const { body } = await office.author.post(`${set}/drafts`, { baseVersion: await newest() });
    made.push(String(body.draftId));
    app.clock.advance(1_000);
  }
  const queue = '/api/admin/rule-drafts?state=draft&limit=2';
  const first = await office.author.get(queue);
  const [oldest = ''] = made;
  const { body: draft } = await office.author.get(`${set}/drafts/${oldest}`);
  await put(`${set}/drafts/${oldest}`, { document: draft.document, cases: [] }, draft.etag);
  const second = await office.author.get(`${queue}&cursor=${first.body.nextCursor}`);
  const seen = [first, second].flatMap(({ body }) => (body.items as Json[]).map(({ draftId }) => draftId));
  assert.equal(seen, [...made].reverse());
});

test.run();
