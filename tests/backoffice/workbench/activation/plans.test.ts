// timeout: 180s
// Planned activations come one after the other. What can be known of a plan is told when it is made, not at night.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { runDueActivations } from '#backoffice/workbench/activation/schedule.ts';
import { inContext } from '#core/platform/db.ts';
import { useApp } from '../../../harness/http.ts';
import { shippedVersion } from '../../../harness/rules.ts';
import {
  type Backoffice,
  buildBackoffice,
  changedConstants,
  installVersion,
  type Json,
  type JsonReply,
  nextVersion,
  takeChange,
} from '../backoffice.ts';

const test = suite('planned activations');
const app = useApp(test, { rules: true });
const { services } = app;
const { owner } = app.database;
const monday = Date.parse('2026-01-12T08:00:00.000Z');
const second = (count: number) => new Date(monday + count * 1_000).toISOString();
const trend = '/api/admin/rule-sets/cbm/trend';
const bundles = '/api/admin/rule-bundles';
const streak = '/api/admin/rule-sets/rbm/rbm';
const shipped = { trend: shippedVersion('cbm/trend'), rbm: shippedVersion('rbm/rbm') };
const pair = { 'bnd/bnd': shippedVersion('bnd/bnd'), 'dth/dth': shippedVersion('dth/dth') };
let office: Backoffice;

test.before(async () => {
  office = await buildBackoffice(app);
  for (const value of [4, 5, 6, 7])
    await installVersion(owner, await nextVersion(owner, 'cbm/trend', { 'CBM-MIN-01': value }));
  for (const value of [4, 5]) await installVersion(owner, await nextVersion(owner, 'rbm/rbm', { 'RBM-STREAK': value }));
  // Of the pair one version each with another threshold, then one that differs in words alone from what is shipped.
  for (const name of ['bnd/bnd', 'dth/dth'] as const) {
    const other = await nextVersion(owner, name, { 'DTH-DEF-01': 0.15 });
    await installVersion(owner, other);
    const same = await nextVersion(owner, name, {});
    await installVersion(owner, { ...same, ...reworded(same) });
    const back = await nextVersion(owner, name, { 'DTH-DEF-01': await shippedThreshold(name) });
    await installVersion(owner, back);
  }
});

/** Nothing is planned, and the shipped versions are in force. */
test.before.each(async () => {
  app.clock.set(new Date(monday));
  await inContext(owner, 'SUPER', async (trx) => {
    const pending = trx('rule_schedule').whereNotIn('id', trx('rule_schedule_end').select('scheduleId')).select('id');
    for (const { id: scheduleId } of await pending)
      await trx('rule_schedule_end').insert({ scheduleId, outcome: 'withdrawn', at: new Date(monday) });
  });
  const versions = { 'cbm/trend': shipped.trend, 'rbm/rbm': shipped.rbm, ...pair };
  const back = await office.author.post('/api/admin/rule-bundles', { versions, reason: 'defect_fix' });
  assert.ok(back.status === 201 || back.body.details?.[0]?.issue === 'no_change', JSON.stringify(back.body));
});

/** Another title: the document says the same in other words. */
const reworded = ({ meta }: Json): Json => ({
  meta: { ...(meta as Json), title: { ar: 'عنوان آخر', en: 'Another title' } },
});

async function shippedThreshold(name: 'bnd/bnd' | 'dth/dth'): Promise<number> {
  const row = await owner('rule_version')
    .where({ id: `${name}@${pair[name]}` })
    .first('document');
  return JSON.parse(row.document).constants['DTH-DEF-01'].value;
}

const plan = (path: string, version: number, at: number, by = office.author): Promise<JsonReply> =>
  by.post(bundles, {
    versions: { [path.replace('/api/admin/rule-sets/', '')]: version },
    ...{ reason: 'scheduled_release', from: second(at) },
  });
const planBundle = (versions: Record<string, number>, at: number): Promise<JsonReply> =>
  office.author.post('/api/admin/rule-bundles', { versions, reason: 'scheduled_release', from: second(at) });

async function planned(reply: Promise<JsonReply>): Promise<string> {
  const { body } = await reply;
  assert.is(body.state, 'scheduled', JSON.stringify(body));
  return String(body.entryId);
}

async function dueAt(at: number): Promise<void> {
  app.clock.set(new Date(monday + at * 1_000));
  await runDueActivations(services);
}

const inForce = async (path: string): Promise<unknown> =>
  (await office.author.get(`${path}/versions/active`)).body.version;
const entry = async (entryId: string): Promise<Json | undefined> =>
  ((await office.author.get('/api/admin/rule-bundles?limit=100')).body.items as Json[]).find(
    (one) => one.entryId === entryId,
  );
const refusal = ({ status, body }: JsonReply) => [status, body.details?.[0]?.field, body.details?.[0]?.issue];

test('the second of two plans of one document comes on top of the first', async () => {
  await planned(plan(trend, shipped.trend + 1, 100));
  const later = await planned(plan(trend, shipped.trend + 2, 200));
  assert.equal((await entry(later))?.changes, [
    { family: 'cbm', key: 'trend', from: shipped.trend + 1, to: shipped.trend + 2 },
  ]);
  await dueAt(110);
  assert.is(await inForce(trend), shipped.trend + 1);
  await dueAt(210);
  assert.is(await inForce(trend), shipped.trend + 2);
});

test('both come, one after the other, where nobody looked in between', async () => {
  await planned(plan(trend, shipped.trend + 1, 100));
  await planned(plan(trend, shipped.trend + 2, 200));
  app.clock.set(new Date(monday + 300_000));
  await Promise.all([runDueActivations(services), runDueActivations(services)]);
  assert.is(await inForce(trend), shipped.trend + 2);
});

test('a plan for an earlier moment is fitted in, and the later one still comes', async () => {
  await planned(plan(trend, shipped.trend + 2, 200));
  await planned(plan(trend, shipped.trend + 1, 100));
  await dueAt(110);
  assert.is(await inForce(trend), shipped.trend + 1);
  await dueAt(210);
  assert.is(await inForce(trend), shipped.trend + 2);
});

test('two plans of one moment come in the order in which they were made', async () => {
  await planned(plan(trend, shipped.trend + 2, 100));
  await planned(plan(trend, shipped.trend + 1, 100));
  await planned(plan(streak, shipped.rbm + 1, 100));
  await dueAt(100);
  assert.equal([await inForce(trend), await inForce(streak)], [shipped.trend + 1, shipped.rbm + 1]);
});

test('a plan of what is planned for before is no change; one that would leave a later plan nothing names it', async () => {
  const first = await planned(plan(trend, shipped.trend + 1, 100));
  assert.equal(refusal(await plan(trend, shipped.trend + 1, 200)), [409, 'versions', 'no_change']);
  assert.equal(refusal(await plan(trend, shipped.trend + 1, 50)), [409, `plans.${first}`, 'does_not_fit']);
  assert.is((await plan(trend, shipped.trend, 200)).body.state, 'scheduled', 'going back is a change');
});

test('a plan that does not fit on one before it names that one', async () => {
  const first = await planned(planBundle({ 'bnd/bnd': pair['bnd/bnd'] + 1, 'dth/dth': pair['dth/dth'] + 1 }, 100));
  const alone = await plan('/api/admin/rule-sets/bnd/bnd', pair['bnd/bnd'] + 3, 200);
  assert.equal(refusal(alone), [409, `plans.${first}`, 'does_not_fit']);
  assert.match(String(alone.body.message), new RegExp(`\\b${first}\\b`));
  const fits = await plan('/api/admin/rule-sets/bnd/bnd', pair['bnd/bnd'] + 2, 200);
  assert.is(fits.body.state, 'scheduled', JSON.stringify(fits.body));
});

test('a plan beneath which a later one would not fit names that one', async () => {
  const later = await planned(plan('/api/admin/rule-sets/bnd/bnd', pair['bnd/bnd'] + 3, 200));
  const before = await planBundle({ 'bnd/bnd': pair['bnd/bnd'] + 1, 'dth/dth': pair['dth/dth'] + 1 }, 100);
  assert.equal(refusal(before), [409, `plans.${later}`, 'does_not_fit']);
});

test('a plan that fits nowhere is refused for what is wrong with it', async () => {
  await planned(plan(trend, shipped.trend + 1, 50));
  const alone = await plan('/api/admin/rule-sets/bnd/bnd', pair['bnd/bnd'] + 1, 100);
  assert.equal(refusal(alone), [409, 'versions', 'constants_disagree']);
});

test('the plan of a change on which a later one rests is not taken back before that one', async () => {
  const { body } = await office.author.get(`${trend}/versions/active`);
  const first = await takeChange(
    office,
    { 'cbm/trend': changedConstants(body.document as Json, { 'CBM-MIN-01': 7 }) },
    { upTo: 'approve' },
  );
  const activate = (address: string, at: number) =>
    office.author.post(`${address}/activate`, { reason: 'scheduled_release', from: second(at) });
  const takeBack = (address: string) => office.author.post(`${address}/rollback`, { reason: 'activated_by_mistake' });
  const entryOfFirst = await planned(activate(first.address, 100));
  const resting = await planned(plan(trend, shipped.trend + 1, 200));
  assert.equal(refusal(await takeBack(first.address)), [409, `plans.${resting}`, 'needed_by_plan']);
  assert.is((await entry(entryOfFirst))?.state, 'scheduled');
  await dueAt(110);
  const { version } = (await office.author.get(`${trend}/versions/active`)).body;
  assert.is(version, shipped.trend + 5);
  await dueAt(210);
  assert.is(await inForce(trend), shipped.trend + 1);
  assert.is((await takeBack(first.address)).body.details?.[0]?.issue, 'superseded');
});

test('a version that somebody put in force meanwhile supersedes a plan, and those that rest on it', async () => {
  const first = await planned(plan(trend, shipped.trend + 1, 100));
  const later = await planned(plan(trend, shipped.trend + 2, 200));
  const unrelated = await planned(plan(streak, shipped.rbm + 1, 200));
  await office.author.post(bundles, { versions: { 'cbm/trend': shipped.trend + 3 }, reason: 'defect_fix' });
  await dueAt(210);
  assert.is(await inForce(trend), shipped.trend + 3);
  assert.is(await inForce(streak), shipped.rbm + 1);
  for (const id of [first, later]) {
    const { state, issue } = (await entry(id)) ?? {};
    assert.equal([state, issue], ['refused', 'superseded']);
  }
  assert.is(await entry(unrelated), undefined, 'its activation is listed');
});

test('of two people who plan at once both have their plan, or the second is told', async () => {
  const replies = await Promise.all([
    plan(trend, shipped.trend + 1, 100),
    plan(trend, shipped.trend + 2, 200, office.editor),
    plan(streak, shipped.rbm + 1, 100),
    plan(streak, shipped.rbm + 1, 100, office.editor),
  ]);
  assert.equal(
    replies.slice(0, 2).map(({ status }) => status),
    [201, 201],
  );
  assert.equal(
    replies
      .slice(2)
      .map(({ status }) => status)
      .sort(),
    [201, 409],
  );
  const told = replies.find(({ status }) => status === 409);
  assert.is(told && refusal(told)[2], 'no_change');
  await dueAt(210);
  assert.equal([await inForce(trend), await inForce(streak)], [shipped.trend + 2, shipped.rbm + 1]);
});

test('a moment in the past is a slip: it is refused, and nothing comes into force', async () => {
  for (const from of ['2025-11-30T00:00:00Z', second(-61)]) {
    const one = { reason: 'scheduled_release', from };
    const past = await office.author.post(bundles, { versions: { 'cbm/trend': shipped.trend + 1 }, ...one });
    assert.equal(refusal(past).slice(0, 2), [422, 'from']);
  }
  assert.is(await inForce(trend), shipped.trend);
  const now = { reason: 'scheduled_release', from: second(-59) };
  const done = await office.author.post(bundles, { versions: { 'cbm/trend': shipped.trend + 1 }, ...now });
  assert.equal([done.status, done.body.state, done.body.activeFrom], [201, 'active', second(0)]);
});

test('an approver whose account was closed before the moment: the plan is refused, and operators are told', async () => {
  const { body } = await office.author.get(`${trend}/versions/active`);
  const next = changedConstants(body.document as Json, { 'CBM-MIN-01': 8 });
  const change = await takeChange(office, { 'cbm/trend': next }, { upTo: 'approve' });
  const published = ((await office.author.get(change.address)).body.documents as Json[])[0]?.publishedVersion;
  const planChange = (at: number) =>
    office.author.post(`${change.address}/activate`, { reason: 'scheduled_release', from: second(at) });
  const kept = await planned(planChange(100));
  await dueAt(100);
  assert.is(await inForce(trend), published, 'the account is active');
  assert.is(await entry(kept), undefined);
  await office.author.post(`${change.address}/rollback`, { reason: 'defect_found' });
  const refused = await planned(planChange(200));
  const closed = await office.author.post(`/api/users/${office.approver.id}/deactivate`, {});
  assert.is(closed.status, 200, JSON.stringify(closed.body));
  await dueAt(200);
  assert.is(await inForce(trend), shipped.trend);
  const { state, issue } = (await entry(refused)) ?? {};
  assert.equal([state, issue], ['refused', 'approval_missing']);
  const alerts = await inContext(owner, 'SUPER', (trx) =>
    trx('platform_alert').where({ code: 'RULE_SCHEDULE_REFUSED', subjectId: refused.slice(1) }),
  );
  assert.is(alerts.length, 1);
});

test.run();
