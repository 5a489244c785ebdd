// timeout: 240s
// What moves while somebody reads or checks: a change that is edited during its check, the list while its pages are turned, and
// what never moves, a published version.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { useApp } from '../../../harness/http.ts';
import { shippedVersion } from '../../../harness/rules.ts';
import { type Backoffice, buildBackoffice, changedConstants, type Json, takeChange } from '../backoffice.ts';

const app = useApp(test, { rules: true });
const { owner } = app.database;
const changes = '/api/admin/rule-changes';
const trend = { family: 'cbm', key: 'trend' };
let office: Backoffice;

test.before(async () => {
  office = await buildBackoffice(app);
});

async function begin(): Promise<string> {
  const made = await office.author.post(changes, { title: 'Fewer cases', documents: [trend] });
  assert.is(made.status, 201, JSON.stringify(made.body));
  app.clock.advance(1_000);
  return String(made.body.changeId);
}

test('a change that is edited during its check is not validated: 409 and no result saved', async () => {
  const address = `${changes}/${await begin()}`;
  const path = `${address}/documents/cbm/trend`;
  const first = (await office.author.get(path)).body;
  let { etag } = first;
  for (const count of [1, 2, 3]) {
    const text = { document: first.document, cases: (first.cases as Json[]).slice(count) };
    const [checked, edited] = await Promise.all([
      office.author.post(`${address}/check`, {}),
      office.editor.request('PUT', path, text, { 'if-match': String(etag) }),
    ]);
    assert.is(edited.status, 200, JSON.stringify(edited.body));
    etag = edited.body.etag;
    const { body: now } = await office.author.get(address);
    if (checked.status === 409) assert.is(checked.body.details?.[0]?.issue, 'change_moved');
    else assert.is(checked.status, 200);
    if (now.state === 'validated') assert.is.not(checked.status, 409);
    else assert.is(now.findings, null);
  }
});

test('the list is paged by what does not move: an edit between two pages neither hides nor doubles a change', async () => {
  await owner('rule_change').where({ state: 'draft' }).update({ state: 'withdrawn' });
  const made: string[] = [];
  for (let count = 0; count < 4; count += 1) made.push(await begin());
  const list = `${changes}?state=draft&limit=2`;
  const first = await office.author.get(list);
  const path = `${changes}/${made[0]}/documents/cbm/trend`;
  const { document, etag } = (await office.author.get(path)).body;
  const edited = await office.editor.request('PUT', path, { document, cases: [] }, { 'if-match': String(etag) });
  assert.is(edited.status, 200, JSON.stringify(edited.body));
  const second = await office.author.get(`${list}&cursor=${first.body.nextCursor}`);
  const seen = [first, second].flatMap(({ body }) => (body.items as Json[]).map(({ changeId }) => changeId));
  assert.equal(seen, [...made].reverse());
});

test('a published version does not change, not even by the hand of the owner of the tables', async () => {
  const version = shippedVersion('cbm/trend') + 1;
  const { body } = await office.author.get(`/api/admin/rule-sets/cbm/trend/versions/${version - 1}`);
  const moved = changedConstants(body.document as Json, { 'CBM-MIN-01': 5 });
  await takeChange(office, { 'cbm/trend': moved }, { upTo: 'approve' });
  const row = { ...trend, version };
  assert.ok(await owner('rule_version').where(row).first());
  for (const attempt of [
    () => owner('rule_version').where(row).update({ document: '{}' }),
    () => owner('rule_version').where(row).delete(),
    () => owner.raw('truncate rule_version cascade'),
    () => app.database.app('rule_version').where(row).update({ document: '{}' }),
    () => owner('rule_activation').update({ reason: 'defect_fix' }),
  ]) {
    assert.ok(await isRefused(attempt));
  }
  const { id: _id, ...forged } = await owner('rule_version').where(row).first();
  const another = { ...forged, version: 99 };
  for (const forgery of [{ sha256: 'f'.repeat(64) }, { approvedBy: [] }, { approvedBy: [forged.authorUserId] }]) {
    assert.ok(await isRefused(() => owner('rule_version').insert({ ...another, ...forgery })));
  }
});

async function isRefused(attempt: () => PromiseLike<unknown>): Promise<boolean> {
  try {
    await attempt();
    return false;
  } catch {
    return true;
  }
}

test.run();
