// Without rules in force nothing can be evaluated, so nothing is imported or published.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { buildSuperAdmin, signIn } from '../../harness/factories.ts';
import { useApp } from '../../harness/http.ts';
import { blueprintOf, buildBatch, importBody } from './rows.ts';

const test = suite('imports of blueprints without rules');
const app = useApp(test);
const { owner } = app.database;

test('an import and an approval are 503, and nothing is written', async () => {
  const token = await signIn(app, await buildSuperAdmin(owner));
  const batchId = await buildBatch(owner);
  const address = '/api/session-blueprints';
  for (const [path, body] of [
    [`${address}/import`, importBody([blueprintOf()])],
    [`${address}/${batchId}/approve`, {}],
  ] as const) {
    assert.is((await app.post(path, body, { token })).status, 503, path);
  }
  assert.equal(await owner('blueprint_batch').select('id', 'state'), [{ id: batchId, state: 'validated' }]);
  assert.equal(await owner('session_blueprint'), []);
});

test.run();
