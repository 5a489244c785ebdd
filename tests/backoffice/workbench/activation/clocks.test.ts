// timeout: 120s
// A clock that was fast dates activations into the future. Once it is right again, the next activation takes effect at once.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { runDueActivations } from '#backoffice/workbench/activation/schedule.ts';
import { inContext } from '#core/platform/db.ts';
import { canonicalHash } from '#core/platform/pure/canonical-json.ts';
import { activationAt, installRules, lockActivations } from '#rules/rulesets/index.ts';
import { useApp } from '../../../harness/http.ts';
import { shippedVersion } from '../../../harness/rules.ts';
import { type Backoffice, buildBackoffice, installVersion, type Json, nextVersion } from '../backoffice.ts';

const test = suite('clocks that were fast');
const app = useApp(test, { rules: true });
const { services } = app;
const { owner } = app.database;
const monday = Date.parse('2026-01-12T08:00:00.000Z');
const trend = '/api/admin/rule-sets/cbm/trend';
const bundles = '/api/admin/rule-bundles';
const shipped = shippedVersion('cbm/trend');
/** Within the life of an access token. */
const aheadMs = 8 * 60_000;
let office: Backoffice;

test.before(async () => {
  app.clock.set(new Date(monday));
  office = await buildBackoffice(app);
  for (const value of [4, 5, 6, 7])
    await installVersion(owner, await nextVersion(owner, 'cbm/trend', { 'CBM-MIN-01': value }));
});

let now = monday;
/** Every test begins later than what the one before it dated into the future. */
test.before.each(() => {
  now += aheadMs + 60_000;
  app.clock.set(new Date(now));
});
test.before.each(async () => {
  office = await buildBackoffice(app);
});

const activate = (version: number, reason = 'evidence_update') =>
  office.author.post(bundles, { versions: { 'cbm/trend': version }, reason });
const active = async (): Promise<unknown> => (await office.author.get(`${trend}/versions/active`)).body.version;
const timeline = async (): Promise<Json[]> =>
  (await office.author.get('/api/admin/rule-bundles?limit=100')).body.items as Json[];
const pinnedAt = async (ms: number) => (await activationAt(owner, new Date(ms)))?.versions['cbm/trend'];
const alerts = (entryId: unknown): Promise<Json[]> =>
  inContext(owner, 'SUPER', (trx) =>
    trx('platform_alert').where({ code: 'RULE_CLOCK_CORRECTED', subjectId: String(entryId).slice(1) }),
  );

async function withFastClock<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  app.clock.set(new Date(now + aheadMs));
  const answer = await work();
  app.clock.set(new Date(now));
  return answer;
}

test('what a fast clock dated into the future is not told as active, and the next activation overtakes it', async () => {
  const before = await active();
  const early = await withFastClock(() => activate(shipped + 1));
  assert.is(early.body.state, 'active');
  assert.is(await active(), before);
  const listed = (await timeline()).find(({ entryId }) => entryId === early.body.entryId);
  assert.is(listed?.state, 'scheduled');
  assert.is((await timeline()).filter(({ state }) => state === 'active').length, 1);

  const done = await activate(shipped + 2);
  assert.is(done.status, 201, JSON.stringify(done.body));
  assert.equal(
    [done.body.state, done.body.activeFrom, done.body.clockCorrected],
    ['active', new Date(now).toISOString(), true],
  );
  assert.equal(done.body.changes, [{ family: 'cbm', key: 'trend', from: before, to: shipped + 2 }]);
  assert.is(await active(), shipped + 2);
  assert.is(await pinnedAt(now + 2 * aheadMs), shipped + 2, 'also when the moment of the other one has come');
  const [alert, ...others] = await alerts(done.body.entryId);
  assert.equal([alert?.severity, others.length], ['critical', 0]);
  const overtaken = (await timeline()).find(({ entryId }) => entryId === early.body.entryId);
  assert.equal([overtaken?.state, overtaken?.clockCorrected], ['past', false]);

  const next = await activate(shipped + 3);
  assert.equal([next.body.state, next.body.clockCorrected], ['active', false], 'the clock is corrected once');
  assert.equal(await alerts(next.body.entryId), []);
  const versions = (await office.author.get(`${trend}/versions`)).body.items as Json[];
  const states = new Map(versions.map(({ version, state }) => [version, state]));
  assert.equal(
    [states.get(shipped + 1), states.get(shipped + 2), states.get(shipped + 3)],
    ['published', 'retired', 'active'],
  );
});

test('an emergency rollback takes effect, also to what is in force until that moment', async () => {
  const before = Number(await active());
  const early = await withFastClock(() => activate(before === shipped + 4 ? shipped + 1 : shipped + 4));
  assert.is(early.status, 201, JSON.stringify(early.body));
  const back = await office.author.post(bundles, { versions: { 'cbm/trend': before }, reason: 'defect_found' });
  assert.equal(
    [back.status, back.body.state, back.body.clockCorrected],
    [201, 'active', true],
    JSON.stringify(back.body),
  );
  assert.is(await active(), before);
  assert.is(await pinnedAt(now + 2 * aheadMs), before);
  assert.is((await alerts(back.body.entryId)).length, 1);
  const again = await office.author.post(bundles, { versions: { 'cbm/trend': before }, reason: 'defect_found' });
  assert.is(again.body.details?.[0]?.issue, 'no_change');
});

test('a plan that a fast clock made due is overtaken too; it does not come again', async () => {
  const before = Number(await active());
  const to = before === shipped + 1 ? shipped + 2 : shipped + 1;
  const from = new Date(now + aheadMs / 2).toISOString();
  const planned = await office.author.post(bundles, {
    versions: { 'cbm/trend': to },
    reason: 'scheduled_release',
    from,
  });
  assert.is(planned.body.state, 'scheduled', JSON.stringify(planned.body));
  await withFastClock(() => runDueActivations(services));
  assert.is(await active(), before);
  const done = await activate(before === shipped + 3 ? shipped + 4 : shipped + 3);
  assert.is(done.body.clockCorrected, true);
  app.clock.set(new Date(now + aheadMs - 1_000));
  await runDueActivations(services);
  assert.is(await pinnedAt(now + 2 * aheadMs), Number((done.body.changes as Json[])[0]?.to));
});

test('a release that adds documents while one is dated into the future overtakes it', async () => {
  const before = Number(await active());
  await withFastClock(() => activate(before === shipped + 1 ? shipped + 2 : shipped + 1));
  const text = { meta: { family: 'benchmark', key: 'added', version: 1, title: { ar: 'ا', en: 'a' } } };
  await inContext(owner, 'SUPER', (trx) =>
    installRules(
      trx,
      [{ id: 'benchmark/added@1', document: text, cases: [], sha256: canonicalHash(text) } as never],
      new Date(now),
    ),
  );
  assert.is(await pinnedAt(now + 2 * aheadMs), before);
  const newest = await owner('rule_activation').orderBy('id', 'desc').first();
  assert.is(newest.kind, 'install');
  assert.is((await alerts(`a${newest.id}`)).length, 1);
});

test('clocks of two processes that differ by less than a second correct nothing', async () => {
  const newest = await owner('rule_activation').orderBy('id', 'desc').first();
  const from = Date.parse(newest.activeFrom);
  const at = (ms: number) =>
    inContext(owner, 'SUPER', (trx) => lockActivations(trx, { now: () => new Date(from + ms) }));
  assert.equal((await at(-1_000)).ahead, null);
  assert.is((await at(-1_000)).moment.getTime(), from);
  assert.is((await at(-1_001)).ahead?.activationId, newest.id);
});

test.run();
