// timeout: 180s
// Versions come into force: one or several, now or later, and back; and what that does to students' results.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { recomputeStudents } from '#assessment/skill-status/index.ts';
import { recomputeModel } from '#backoffice/workbench/activation/recompute.ts';
import { runDueActivations } from '#backoffice/workbench/activation/schedule.ts';
import { runJob } from '#core/long-jobs/runner.ts';
import { inContext } from '#core/platform/db.ts';
import { answersOf } from '../../../assessment/skill-status/evidence.ts';
import { type Student, useShell } from '../../../assessment/skill-status/shell.ts';
import { shippedVersion } from '../../../harness/rules.ts';
import { type Backoffice, buildBackoffice, installVersion, type Json, nextVersion } from '../backoffice.ts';

const test = suite('activation');
const shell = useShell(test);
const { app, services } = shell;
const { owner } = app.database;
const monday = '2026-01-12T08:00:00.000Z';
/** Within the life of an access token. */
const minute = (count: number) => `2026-01-12T08:0${count}:00.000Z`;
const trend = '/api/admin/rule-sets/cbm/trend';
const bundles = '/api/admin/rule-bundles';
const shipped = shippedVersion('cbm/trend');
/** Two documents that quote one threshold: as they are shipped, and with another value of it. */
const asShipped = { 'bnd/bnd': shippedVersion('bnd/bnd'), 'dth/dth': shippedVersion('dth/dth') };
const stricter = { 'bnd/bnd': asShipped['bnd/bnd'] + 1, 'dth/dth': asShipped['dth/dth'] + 1 };
let office: Backoffice;

test.before(async () => {
  app.clock.set(monday);
  office = await buildBackoffice(app);
  for (const value of [4, 5, 6])
    await installVersion(owner, await nextVersion(owner, 'cbm/trend', { 'CBM-MIN-01': value }));
});

interface Entry extends Json {
  readonly entryId: string;
  readonly bundleId: string | null;
  readonly state: string;
  readonly changes: readonly { family: string; key: string; from: number | null; to: number }[];
  readonly recompute: Json | null;
}

const activeTrend = async (): Promise<unknown> => (await office.author.get(`${trend}/versions/active`)).body.version;
const timeline = async (): Promise<Entry[]> =>
  (await office.author.get('/api/admin/rule-bundles')).body.items as unknown as Entry[];

test('an activation is a new bundle that differs in one pin; the old one stays in the timeline', async () => {
  const before = await timeline();
  const done = await office.author.post(bundles, { versions: { 'cbm/trend': shipped + 1 }, reason: 'evidence_update' });
  assert.is(done.status, 201, JSON.stringify(done.body));
  assert.equal(done.body.changes, [{ family: 'cbm', key: 'trend', from: shipped, to: shipped + 1 }]);
  assert.is(done.body.state, 'active');
  assert.is(done.body.activatedBy, office.author.id);
  const after = await timeline();
  assert.is(after.length, before.length + 1);
  assert.is(after[1]?.state, 'past');
  assert.is(await activeTrend(), shipped + 1);
  const versions = (await office.author.get(`${trend}/versions`)).body.items as Json[];
  const states = versions.map(({ version, state }) => `${version} ${state}`);
  assert.equal(states, [
    `${shipped + 3} published`,
    `${shipped + 2} published`,
    `${shipped + 1} active`,
    `${shipped} retired`,
    ...Array.from({ length: shipped - 1 }, (_, at) => `${shipped - 1 - at} published`),
  ]);
  const again = await office.author.post(bundles, {
    versions: { 'cbm/trend': shipped + 1 },
    reason: 'evidence_update',
  });
  assert.is(again.body.details?.[0]?.issue, 'no_change');
});

test('several versions that step back together are a rollback too, with its reasons', async () => {
  const bundle = (version: number, reason: string) =>
    office.author.post('/api/admin/rule-bundles', { versions: { 'cbm/trend': version }, reason });
  const [back, forth] = [await bundle(shipped, 'impact_unacceptable'), await bundle(shipped + 1, 'evidence_update')];
  assert.equal([back.status, forth.status], [201, 201], JSON.stringify([back.body, forth.body]));
  assert.equal([back.body.kind, forth.body.kind], ['rollback', 'activate']);
});

test('a rollback is a new row, counted by its reason', async () => {
  const back = await office.author.post(bundles, { versions: { 'cbm/trend': shipped }, reason: 'defect_found' });
  assert.is(back.status, 201, JSON.stringify(back.body));
  assert.is(back.body.kind, 'rollback');
  const metrics = await app.get<string>('/metrics');
  assert.match(metrics.body, /^closed_reason_total\{list="rollback",reason="defect_found"\} 1$/m);
  assert.is(await activeTrend(), shipped);
});

test('a schedule comes into force when its moment has come, once, whichever process looks', async () => {
  const from = minute(2);
  const planned = await office.author.post(bundles, {
    versions: { 'cbm/trend': shipped + 1 },
    reason: 'scheduled_release',
    from,
  });
  assert.is(planned.body.state, 'scheduled');
  const sets = (await office.author.get('/api/admin/rule-sets?limit=100')).body.items as Json[];
  assert.equal(sets.find(({ key }) => key === 'trend')?.nextScheduled, { version: shipped + 1, from });
  await runDueActivations(services);
  assert.is(await activeTrend(), shipped);
  app.clock.set(minute(3));
  await Promise.all([runDueActivations(services), runDueActivations(services), runDueActivations(services)]);
  assert.is(await activeTrend(), shipped + 1);
  const entered = (await timeline()).filter(({ kind, state }) => kind === 'scheduled' && state === 'active');
  assert.is(entered.length, 1);
  const audit = await office.author.get(`/api/admin/audit?entity=rule_activation&actor=${office.author.id}`);
  assert.is((audit.body.items as Json[])[0]?.operation, 'scheduledActivation');
});

test('a schedule that was overtaken is refused at its moment, and those who run the service are notified', async () => {
  const from = minute(5);
  const planned = await office.author.post(bundles, {
    versions: { 'cbm/trend': shipped + 2 },
    reason: 'scheduled_release',
    from,
  });
  await office.author.post(bundles, { versions: { 'cbm/trend': shipped + 3 }, reason: 'defect_fix' });
  app.clock.set(from);
  await runDueActivations(services);
  assert.is(await activeTrend(), shipped + 3);
  const refused = (await timeline()).find(({ entryId }) => entryId === planned.body.entryId);
  assert.is(refused?.state, 'refused');
  assert.is(refused?.issue, 'superseded');
  const alerts = await inContext(owner, 'SUPER', (trx) =>
    trx('platform_alert').where({ code: 'RULE_SCHEDULE_REFUSED' }),
  );
  assert.is(alerts.length, 1);
});

test('two activations at the same time both hold: neither bundle forgets the other', async () => {
  await installVersion(owner, await nextVersion(owner, 'rbm/rbm', { 'RBM-STREAK': 5 }));
  const [one, other] = await Promise.all([
    office.author.post(bundles, { versions: { 'cbm/trend': shipped + 2 }, reason: 'policy_change' }),
    office.editor.post(bundles, { versions: { 'rbm/rbm': 2 }, reason: 'policy_change' }),
  ]);
  assert.equal([one.status, other.status], [201, 201]);
  assert.is(await activeTrend(), shipped + 2);
  assert.is((await office.author.get('/api/admin/rule-sets/rbm/rbm/versions/active')).body.version, 2);
});

test('a threshold that several documents quote changes in all of them at once, or not at all', async () => {
  for (const name of ['dth/dth', 'bnd/bnd']) {
    await installVersion(owner, await nextVersion(owner, name, { 'DTH-DEF-01': 0.15 }));
  }
  const before = await timeline();
  const alone = await office.author.post(bundles, {
    versions: { 'bnd/bnd': stricter['bnd/bnd'] },
    reason: 'defect_fix',
  });
  assert.is(alone.status, 409);
  assert.is(alone.body.details?.[0]?.issue, 'constants_disagree');
  const unknown = { versions: { ...stricter, 'dth/dth': 9 }, reason: 'policy_change' };
  assert.is(
    (await office.author.post('/api/admin/rule-bundles', unknown)).body.details?.[0]?.field,
    'versions.dth/dth',
  );
  assert.equal(await timeline(), before);
  const together = { versions: stricter, reason: 'policy_change' };
  const done = await office.author.post('/api/admin/rule-bundles', together);
  assert.is(done.status, 201, JSON.stringify(done.body));
});

test('after an activation students are evaluated by the new rules, and no one is notified of what has not changed', async () => {
  await toFirstVersions();
  const [touched, same] = [await studentWith({ LK_SOUND: 'CCCCCU' }), await studentWith({ LK_SOUND: 'CCCC' })];
  const [before] = await shell.rows<Json>('sse_skill_snapshot', touched);
  assert.is(before && (before.facts as Json).deficitBand, 'none');
  const count = await eventsOf(same);
  const together = { versions: stricter, reason: 'policy_change' };
  const done = await office.author.post('/api/admin/rule-bundles', together);
  const ordered = done.body.recompute as Json;
  assert.ok(Number(ordered.organizations) >= 2);
  assert.is(ordered.finished, 0);
  for (const job of await inContext(owner, 'SUPER', (trx) => trx('rule_job').where({ state: 'queued' }))) {
    await runJob(services, [recomputeModel], job);
  }
  const [first] = await timeline();
  assert.is(first?.recompute?.finished, first?.recompute?.organizations);
  assert.is(first?.recompute?.done, first?.recompute?.total);
  assert.is((await shell.rows('sse_run', same)).length, 1);
  assert.is(await eventsOf(same), count);
  const runs = await shell.rows<{ trigger: string; ruleVersions: Json; bundleId: string }>('sse_run', touched);
  assert.is(runs.length, 2);
  assert.is(runs[1]?.trigger, 'rule_activation');
  assert.is(runs[1]?.ruleVersions['bnd/bnd'], stricter['bnd/bnd']);
  assert.is(runs[1]?.bundleId, done.body.bundleId);
  const pending = await shell.request(same);
  assert.is(pending?.processedSeq, pending?.requestedSeq);
});

test('a run that is on its way keeps the bundle that it began with', async () => {
  await toFirstVersions();
  const student = await shell.student();
  await shell.diagnostic(student, answersOf({ LK_SOUND: 'CCCCCU' }), { finishedAt: monday, announced: false });
  const together = { versions: stricter, reason: 'policy_change' };
  let activated: unknown;
  const { itemBanks } = services;
  const meanwhile: typeof itemBanks = {
    ...itemBanks,
    async current() {
      activated ??= (await office.author.post('/api/admin/rule-bundles', together)).status;
      return itemBanks.current();
    },
  };
  await recomputeStudents({ ...services, itemBanks: meanwhile }, student.organizationId, [student.id]);
  assert.is(activated, 201);
  const [run] = await shell.rows<{ ruleVersions: Json }>('sse_run', student);
  assert.is(run?.ruleVersions['bnd/bnd'], asShipped['bnd/bnd']);
  await shell.recompute(student);
  const runs = await shell.rows<{ ruleVersions: Json }>('sse_run', student);
  assert.is(runs[1]?.ruleVersions['bnd/bnd'], stricter['bnd/bnd']);
});

async function toFirstVersions(): Promise<void> {
  const back = await office.author.post('/api/admin/rule-bundles', {
    versions: asShipped,
    reason: 'defect_fix',
  });
  assert.is(back.status, 201, JSON.stringify(back.body));
}

async function studentWith(parts: Readonly<Record<string, string>>): Promise<Student> {
  const student = await shell.student();
  await shell.diagnostic(student, answersOf(parts), { finishedAt: monday, announced: false });
  await shell.recompute(student);
  return student;
}

const eventsOf = async ({ organizationId }: Student): Promise<number> => {
  const rows = await inContext(owner, 'SUPER', (trx) =>
    trx('outbox').where({ organizationId }).whereNot({ topic: 'rule_job.queued' }),
  );
  return rows.length;
};

test.run();
