// timeout: 180s
// The product's own story: a person changes how children are evaluated, sees for whom before it happens, has it approved,
// puts it in force, and can say afterwards why a result is what it is.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { recomputeModel } from '#backoffice/workbench/activation/recompute.ts';
import { impactModel } from '#backoffice/workbench/impact/steps/model.ts';
import { runJob } from '#core/long-jobs/runner.ts';
import { inContext } from '#core/platform/db.ts';
import { answersOf } from '../../assessment/skill-status/evidence.ts';
import { type Student, useShell } from '../../assessment/skill-status/shell.ts';
import { shippedVersion } from '../../harness/rules.ts';
import {
  type Backoffice,
  buildBackoffice,
  changedConstants,
  type Json,
  type SubmittedDraft,
  takeDraft,
} from './backoffice.ts';

const test = suite('a threshold moves');
const shell = useShell(test);
const { app, services } = shell;
const { owner } = app.database;
const finishedAt = '2026-01-12T08:00:00.000Z';
const next = { 'bnd/bnd': shippedVersion('bnd/bnd') + 1, 'dth/dth': shippedVersion('dth/dth') + 1 };
let office: Backoffice;
let student: Student;
let drafts: Record<'dth/dth' | 'bnd/bnd', SubmittedDraft>;

/** One wrong of six: 0.1667, below 0.2 and not below 0.15. */
const oneOfSix = 'CCCCCU';

test.before(async () => {
  app.clock.set(finishedAt);
  office = await buildBackoffice(app);
  student = await shell.student();
  const parts = { LK_SOUND: oneOfSix, LK_FORM: 'CCCCCC' };
  await shell.diagnostic(student, answersOf(parts), { finishedAt, announced: false });
  await shell.recompute(student);
});

async function changed(name: string): Promise<Json> {
  const { body } = await office.author.get(`/api/admin/rule-sets/${name}/versions/active`);
  return changedConstants(body.document as Json, { 'DTH-DEF-01': 0.15 });
}

const proposed = async (name: keyof typeof next) =>
  takeDraft(office, name, await changed(name), { baseVersion: next[name] - 1, upTo: 'submit' });

const runJobs = async () => {
  const open = await inContext(owner, 'SUPER', (trx) => trx('rule_job').where({ state: 'queued' }));
  for (const job of open) await runJob(services, [impactModel, recomputeModel], job);
};

async function simulate({ address }: SubmittedDraft): Promise<Json & { reportHash: string }> {
  const scope = { platform: true };
  const started = await office.author.post(`${address}/impact`, { scope });
  assert.is(started.status, 202, JSON.stringify(started.body));
  await runJobs();
  const { body } = await office.approver.get(`/api/admin/impact/${started.body.jobId}`);
  assert.is(body.state, 'done', JSON.stringify(body));
  return body.report as Json & { reportHash: string };
}

test('one document alone cannot be simulated: the other one still quotes the old value', async () => {
  const alone = await proposed('bnd/bnd');
  const refused = await office.author.post(`${alone.address}/impact`, {
    scope: { organizationId: student.organizationId },
  });
  assert.is(refused.status, 409);
  assert.is(refused.body.details?.[0]?.issue, 'constants_disagree');
  assert.is(refused.body.details?.[0]?.field, 'dth/dth');
  const values = await proposed('dth/dth');
  drafts = { 'bnd/bnd': alone, 'dth/dth': values };
});

test('the impact simulation says who would be evaluated otherwise, and nothing has happened yet', async () => {
  const report = await simulate(drafts['bnd/bnd']);
  assert.equal(
    (report.companions as Json[]).map(({ family, draftId }) => `${family} ${draftId}`),
    [`dth ${drafts['dth/dth'].draftId}`],
  );
  const { total, changed: touched } = report.students as Record<string, number>;
  assert.equal([total, touched], [1, 1]);
  const layers = report.layers as { layer: string; transitions: { from: string; to: string; count: number }[] }[];
  const pac = layers.find(({ layer }) => layer === 'SSR')?.transitions ?? [];
  assert.ok(pac.some(({ from, to, count }) => from === 'adequate' && to !== 'adequate' && count === 1));
  assert.is((await shell.rows('sse_run', student)).length, 1);
});

test('both are approved with their reports, activated together, and the student is evaluated by them', async () => {
  for (const draft of Object.values(drafts)) {
    const { reportHash } = await simulate(draft);
    const approved = await office.approver.post(`${draft.address}/approve`, { sha256: draft.sha256, reportHash });
    assert.is(approved.body.state, 'published', JSON.stringify(approved.body));
  }
  const order = { versions: next, reason: 'evidence_update' };
  const done = await office.author.post('/api/admin/rule-bundles', order);
  assert.is(done.status, 201, JSON.stringify(done.body));
  assert.equal(done.body.approvedBy, [office.approver.id]);
  await runJobs();
  const runs = await shell.rows<{ bundleId: string }>('sse_run', student);
  assert.is(runs.length, 2);
  assert.is(runs[1]?.bundleId, done.body.bundleId);
  const read = await office.author.get(`/api/sse/students/${student.id}/skill-status`);
  assert.is(read.headers.get('x-rule-bundle'), done.body.bundleId);
  assert.is((read.body.ruleVersions as Json)['bnd/bnd'], next['bnd/bnd']);
  assert.ok(read.body.asOf);
});

test('the old result and the new one are both explained by their own rules', async () => {
  const rows = await shell.rows<{ id: number; subSkillCode: string; status: string }>('sse_skill_snapshot', student);
  const own = rows.filter(({ subSkillCode }) => subSkillCode === 'LK_SOUND');
  const explained = await Promise.all(own.map(({ id }) => office.author.get(`/api/admin/explain/skill:${id}`)));
  const bands = explained.map(({ body }) => (body.ruleVersions as Json)['bnd/bnd']);
  assert.equal(bands, [next['bnd/bnd'] - 1, next['bnd/bnd']]);
  assert.is(own[0]?.status, 'adequate');
  assert.is.not(own[1]?.status, 'adequate');
  for (const { body } of explained) assert.is(body.matchesStored, true);
});

test.run();
