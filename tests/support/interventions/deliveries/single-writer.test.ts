// Deliveries have a single writer, each is written once, and the number of reads does not depend on the class.
import fs from 'node:fs';
import path from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inContext } from '#core/platform/db.ts';
import { sentStatements } from '../../../harness/statements/sent-statements.ts';
import { type Json, monday, type Pupil } from '../workflow/draft-bodies.ts';
import { useSessions } from './sessions.ts';

const test = suite('the single writer of deliveries');
const { plans, deliver, ledger, at } = useSessions(test);
const { app } = plans.shell;

test.before(() => app.clock.set(monday));

const sources = ['src', 'workers'].flatMap((folder) =>
  fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => path.join(folder, name)),
);

test('one file writes rows of the ledger', () => {
  const writes =
    /\('bundle_delivery'\)[^;]*\.insert|BundleDelivery\s*\.query\([^)]*\)[^;]*\.insert|into bundle_delivery/;
  assert.equal(
    sources.filter((source) => writes.test(fs.readFileSync(source, 'utf8'))),
    ['src/support/interventions/deliveries/store.ts'],
  );
});

test('one student and four take the same reads, and one change for each assignment', async () => {
  const first = await plans.pupil();
  const others = [await plans.classmate(first), await plans.classmate(first), await plans.classmate(first)];
  for (const one of [first, ...others]) await plans.given(one);
  const counted = async (present: readonly Pupil[]) => {
    const statements = await sentStatements(app.database.app, async () => {
      assert.is((await deliver(present)).length, present.length);
    });
    const changes = statements.filter((sql) => /^update "bundle_assignment"/.test(sql)).length;
    return {
      changes,
      reads: statements.filter((sql) => /^\s*(select|insert into "bundle_delivery")/.test(sql)).length,
    };
  };
  // Fills the caches of the process.
  await counted([first]);
  at('2026-01-13');
  const one = await counted([first]);
  at('2026-01-14');
  const four = await counted([first, ...others]);
  assert.equal([one.changes, four.changes], [1, 4]);
  assert.is(four.reads, one.reads);
});

test('the database keeps a second row of a day or of a session out, and lets none be changed', async () => {
  const pupil = await plans.pupil();
  await plans.given(pupil);
  await deliver(pupil);
  const { organizationId } = pupil;
  const [{ id: _id, ...row } = {}] = await ledger(pupil);
  const again = (columns: Json) =>
    inContext(app.database.owner, { organizationId }, async (trx) => {
      await trx('bundle_delivery').insert({ ...row, responses: '[]', ...columns });
    });
  const reason = async (work: Promise<unknown>) => {
    const [outcome] = await Promise.allSettled([work]);
    return outcome?.status === 'rejected' ? String(outcome.reason) : 'nothing';
  };
  assert.match(await reason(again({ sourceId: 'another' })), /delivered_on|of_day/);
  assert.match(await reason(again({ deliveredOn: '2026-01-15' })), /source|of_session/);
  const change = inContext(app.database.owner, { organizationId }, async (trx) => {
    await trx('bundle_delivery').where({ organizationId }).update({ stepNo: 2 });
  });
  assert.not.equal(await reason(change), 'nothing');
});

test.run();
