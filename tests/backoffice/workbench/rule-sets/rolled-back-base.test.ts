// timeout: 180s
// After a rollback a change is compared with what is in force, and may start from it: what was rolled back does not come again.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { useApp } from '../../../harness/http.ts';
import { type Backoffice, buildBackoffice, changedConstants, type Json, takeChange } from '../backoffice.ts';

const test = suite('a base that was rolled back');
const app = useApp(test, { rules: true });
let office: Backoffice;
test.before(async () => {
  office = await buildBackoffice(app);
});

const name = 'cbm/trend';
const address = `/api/admin/rule-sets/${name}`;

test('the change says that its base is not in force; the diff is against what is; that one is a base too', async () => {
  const { body: set } = await office.author.get(`${address}/versions/active`);
  const [before, newest] = [Number(set.version), Number(set.version) + 1];
  const constant = Object.keys((set.document as { constants: object }).constants)[0] ?? '';
  const { value } = (set.document as { constants: Record<string, { value: number }> }).constants[constant] ?? {
    value: 0,
  };
  const next = changedConstants(set.document as never, { [constant]: value + 1 });
  const published = await takeChange(office, { [name]: next }, { upTo: 'approve' });
  const [family, key] = name.split('/');
  const begun = (baseVersion: number) =>
    office.author.post('/api/admin/rule-changes', {
      title: 'On this base',
      documents: [{ family, key, baseVersion }],
    });
  const headOf = ({ documents }: Json) => (documents as Json[])[0];
  assert.is((await begun(before)).body.details?.[0]?.issue, 'base_moved', 'the newest was never in force');
  await office.author.post(`${published.address}/activate`, { reason: 'policy_change' });
  const ofNewest = await begun(newest);
  assert.is(headOf(ofNewest.body)?.baseInForce, true, JSON.stringify(ofNewest.body));
  await office.author.post(`${published.address}/rollback`, { reason: 'defect_found' });
  const path = `/api/admin/rule-changes/${ofNewest.body.changeId}`;
  assert.is(headOf((await office.author.get(path)).body)?.baseInForce, false);
  assert.is((await office.author.post(`${path}/check`, {})).body.details?.[0]?.issue, 'base_moved');
  const changed = async (against = '') =>
    (await office.author.get(`${path}/diff${against}`)).body.constants as unknown[];
  assert.is((await changed()).length, 1);
  assert.equal(await changed('?against=active'), await changed());
  assert.equal(await changed('?against=base'), []);
  assert.is((await begun(newest)).body.details?.[0]?.issue, 'base_moved');
  const back = await begun(before);
  assert.is(back.status, 201, JSON.stringify(back.body));
  const diff = await office.author.get(`/api/admin/rule-changes/${back.body.changeId}/diff`);
  assert.equal(diff.body.constants, []);
  const { document } = (await office.author.get(`/api/admin/rule-changes/${back.body.changeId}/documents/${name}`))
    .body;
  assert.is((document as { meta: Json }).meta.version, newest + 1, 'it gets the number after the newest');
});

test.run();
