// timeout: 180s
// After a rollback a draft is compared with what is in force, and may start from it: what was rolled back does not come again.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { useApp } from '../../../harness/http.ts';
import { type Backoffice, buildBackoffice, changedConstants, takeDraft } from '../backoffice.ts';

const test = suite('a base that was rolled back');
const app = useApp(test, { rules: true });
let office: Backoffice;
test.before(async () => {
  office = await buildBackoffice(app);
});

const name = 'cbm/trend';
const address = `/api/admin/rule-sets/${name}`;

test('the draft says that its base is not in force; the diff is against what is; that one is a base too', async () => {
  const { body: set } = await office.author.get(`${address}/versions/active`);
  const [before, newest] = [Number(set.version), Number(set.version) + 1];
  const constant = Object.keys((set.document as { constants: object }).constants)[0] ?? '';
  const { value } = (set.document as { constants: Record<string, { value: number }> }).constants[constant] ?? {
    value: 0,
  };
  const next = changedConstants(set.document as never, { [constant]: value + 1 });
  await takeDraft(office, name, next, { baseVersion: before, upTo: 'approve' });
  const refused = await office.author.post(`${address}/drafts`, { baseVersion: before });
  assert.is(refused.body.details?.[0]?.issue, 'base_moved', 'the newest was never in force');
  await office.author.post(`${address}/versions/${newest}/activate`, { reason: 'policy_change' });
  const ofNewest = await office.author.post(`${address}/drafts`, { baseVersion: newest });
  assert.is(ofNewest.body.baseInForce, true);
  await office.author.post(`${address}/rollback`, { toVersion: before, reason: 'defect_found' });
  const path = `${address}/drafts/${ofNewest.body.draftId}`;
  assert.is((await office.author.get(path)).body.baseInForce, false);
  assert.is((await office.author.post(`${path}/validate`, {})).body.baseInForce, false);
  const changed = async (against = '') =>
    (await office.author.get(`${path}/diff${against}`)).body.constants as unknown[];
  assert.is((await changed()).length, 1);
  assert.equal(await changed('?against=active'), await changed());
  assert.equal(await changed('?against=base'), []);
  const back = await office.author.post(`${address}/drafts`, { baseVersion: before });
  assert.is(back.status, 201, JSON.stringify(back.body));
  const diff = await office.author.get(`${address}/drafts/${back.body.draftId}/diff`);
  assert.equal(diff.body.constants, []);
});

test.run();
