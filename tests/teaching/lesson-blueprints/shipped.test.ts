// The batch of a release: published at the first start, not parsed again at the next, and updated by a later file except for
// codes that people have published.
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { inContext } from '#core/platform/db.ts';
import type { Blueprint } from '#teaching/lesson-blueprints/index.ts';
import { blueprintSeed } from '#teaching/lesson-blueprints/shipped/install.ts';
import { useDatabase } from '../../harness/database.ts';
import { blueprintOf, buildBatch, importBody } from './rows.ts';

const { owner } = useDatabase(test);
const now = new Date('2026-01-12T08:00:00.000Z');
let folder: string;
test.before(async () => {
  folder = await fs.mkdtemp(path.join(os.tmpdir(), 'shipped-'));
});
test.after(() => fs.rm(folder, { recursive: true }));

async function start(name: string, blueprints?: readonly Blueprint[]): Promise<void> {
  const file = path.join(folder, name);
  if (blueprints) await fs.writeFile(file, JSON.stringify(importBody(blueprints, 'SEED-01')));
  await inContext(owner, 'SUPER', (trx) => blueprintSeed(file)(trx, now));
}

const versions = async () =>
  (await owner('session_blueprint').orderBy(['blueprintCode', 'version'])).map(
    ({ blueprintCode, version, state }) => `${blueprintCode} ${version} ${state}`,
  );

const [one, two, three] = [1, 2, 3].map((no) => blueprintOf({ blueprintCode: `S-${no}-X` })) as [
  Blueprint,
  Blueprint,
  Blueprint,
];

test('two processes that start concurrently install it once; a later start writes nothing', async () => {
  await start('first', [one, two]);
  await Promise.all([start('first'), start('first')]);
  assert.equal(await versions(), ['S-1-X 1 active', 'S-2-X 1 active']);
  const batches = await owner('blueprint_batch').select('batchCode', 'state', 'importedBy', 'approvedBy', 'report');
  const report = { blueprints: 2, errors: 0, warnings: 0, findings: [] };
  assert.equal(batches, [{ batchCode: 'SEED-01', state: 'approved', importedBy: null, approvedBy: null, report }]);
});

test('a later file publishes changed and new blueprints; a start of an older release reverts nothing', async () => {
  const changed = { ...one, titleAr: 'نَقْرَأُ مَرَّةً أُخْرَى' };
  await start('second', [changed, two, three]);
  const after = ['S-1-X 1 superseded', 'S-1-X 2 active', 'S-2-X 1 active', 'S-3-X 1 active'];
  assert.equal(await versions(), after);
  await start('first');
  assert.equal(await versions(), after);
});

test('a code that people have published is not changed', async () => {
  const batchId = await buildBatch(owner);
  const approved = { state: 'approved', content: null, approvedBy: 2, decidedAt: now };
  await owner('blueprint_batch').where({ id: batchId }).update(approved);
  await owner('session_blueprint').where({ blueprintCode: 'S-2-X' }).update({ state: 'superseded' });
  await owner.raw(
    `insert into session_blueprint select (jsonb_populate_record(b, ?::jsonb)).* from session_blueprint b
     where blueprint_code = 'S-2-X'`,
    [JSON.stringify({ id: batchId, version: 2, state: 'active', batch_id: batchId, content_hash: 'theirs' })],
  );
  await start('third', [
    { ...two, titleAr: 'غَيْرُهُ' },
    { ...three, titleAr: 'غَيْرُهُ' },
  ]);
  assert.equal((await versions()).slice(2), [
    'S-2-X 1 superseded',
    'S-2-X 2 active',
    'S-3-X 1 superseded',
    'S-3-X 2 active',
  ]);
});

test('the error for a file that is no import names the file', async () => {
  await fs.writeFile(path.join(folder, 'odd'), '{"formatVersion":1}');
  const refusal = await start('odd').then(
    () => 'accepted',
    (error: Error) => error.message,
  );
  assert.match(refusal, /odd/);
});

test.run();
