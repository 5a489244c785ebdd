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
import { type Backoffice, buildBackoffice, checked, type Json } from './backoffice.ts';

const test = suite('a threshold moves');
const shell = useShell(test);
const { app, services } = shell;
const { owner } = app.database;
const finishedAt = '2026-01-12T08:00:00.000Z';
const next = { 'bnd/bnd': shippedVersion('bnd/bnd') + 1, 'dth/dth': shippedVersion('dth/dth') + 1 };
let office: Backoffice;
let student: Student;
let address: string;

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

const runJobs = async () => {
  const open = await inContext(owner, 'SUPER', (trx) => trx('rule_job').where({ state: 'queued' }));
  for (const job of open) await runJob(services, [impactModel, recomputeModel], job);
};

async function simulate(): Promise<Json & { reportHash: string }> {
  const started = await office.author.post(`${address}/impact`, { scope: { platform: true } });
  assert.is(started.status, 202, JSON.stringify(started.body));
  await runJobs();
  const { body } = await office.approver.get(`/api/admin/impact/${started.body.jobId}`);
  assert.is(body.state, 'done', JSON.stringify(body));
  return body.report as Json & { reportHash: string };
}

test('a constant is set once, and every document that quotes it joins the change', async () => {
  const made = await office.author.post('/api/admin/rule-changes', {
    title: 'Shown ends at 0.15',
    constants: [{ constantId: 'DTH-DEF-01', value: 0.15, rationale: 'Teachers see more than one wrong of six.' }],
  });
  assert.is(made.status, 201, JSON.stringify(made.body));
  address = `/api/admin/rule-changes/${made.body.changeId}`;
  const names = (made.body.documents as Json[]).map(({ family, key }) => `${family}/${key}`);
  assert.equal(names, Object.keys(next));
  assert.equal(made.body.constants, [{ id: 'DTH-DEF-01', before: 0.2, after: 0.15, documents: names }]);
  const left = await office.author.request('DELETE', `${address}/documents/bnd/bnd`, undefined, {
    'if-match': String((await office.author.get(`${address}/documents/bnd/bnd`)).body.etag),
  });
  const { body: alone } = await office.author.post(`${address}/check`, {});
  const split = (alone.findings as Json[]).filter(({ code }) => code === 'CONSTANT_SPLIT');
  assert.equal(
    split.map(({ family, level }) => [family, level]),
    [['dth', 'error']],
    'one document alone would give the constant two values',
  );
  assert.is(left.status, 200);
  const again = await office.author.request(
    'PUT',
    `${address}/constants/DTH-DEF-01`,
    { value: 0.15 },
    { 'if-match': String(alone.etag) },
  );
  assert.equal((again.body.documents as Json[]).length, 2, JSON.stringify(again.body));
  await checked(office, address);
});

test('the impact says who would be evaluated otherwise, and nothing has happened yet', async () => {
  const report = await simulate();
  const own = (await office.author.get(address)).body;
  assert.equal([report.changeId, report.changeSha256], [own.changeId, own.sha256]);
  assert.equal(
    (report.documents as Json[]).map(({ sha256 }) => sha256),
    (own.documents as Json[]).map(({ sha256 }) => sha256),
  );
  const { total, changed: touched } = report.students as Record<string, number>;
  assert.equal([total, touched], [1, 1]);
  const layers = report.layers as { layer: string; transitions: { from: string; to: string; count: number }[] }[];
  const pac = layers.find(({ layer }) => layer === 'SSR')?.transitions ?? [];
  assert.ok(pac.some(({ from, to, count }) => from === 'adequate' && to !== 'adequate' && count === 1));
  assert.is((await shell.rows('sse_run', student)).length, 1);
  const trial = await office.author.post(`${address}/try`, { studentId: student.id });
  assert.is(trial.status, 200, JSON.stringify(trial.body));
  const statusIn = (side: unknown) => {
    const all = (side as { layers: { layer: string; answers: Json[] }[] }).layers;
    return all.find(({ layer }) => layer === 'SSR')?.answers.find(({ subject }) => subject === 'LK_SOUND')?.outcome;
  };
  assert.is(statusIn(trial.body.before), 'adequate');
  assert.is.not(statusIn(trial.body.after), 'adequate');
  await office.author.post(`${address}/try`, { studentId: student.id });
  const reads = await owner('audit_entry').where({ action: 'read', entity: 'student_trial' });
  assert.equal(
    reads.map(({ actorUserId, entityId, organizationId }) => [actorUserId, entityId, organizationId]),
    [[office.author.id, String(student.id), student.organizationId]],
    'one entry a person, child and hour',
  );
  assert.is((await office.author.post(`${address}/try`, { studentId: 999_999 })).status, 404);
});

test('both documents are approved and put in force as one, and the student is evaluated by them', async () => {
  const sent = await office.author.post(`${address}/submit`, {});
  assert.is(sent.body.state, 'in_review', JSON.stringify(sent.body));
  const { reportHash } = await simulate();
  const shown = (await office.approver.get(address)).body;
  assert.equal(shown.report, { ...(shown.report as Json), reportHash, fresh: true });
  const approved = await office.approver.post(`${address}/approve`, { sha256: shown.sha256, reportHash });
  assert.is(approved.body.state, 'published', JSON.stringify(approved.body));
  const done = await office.author.post(`${address}/activate`, { reason: 'evidence_update' });
  assert.is(done.status, 200, JSON.stringify(done.body));
  assert.equal(done.body.approvedBy, [office.approver.id]);
  await runJobs();
  const runs = await shell.rows<{ bundleId: string }>('sse_run', student);
  assert.is(runs.length, 2);
  assert.is(runs[1]?.bundleId, done.body.bundleId);
  const read = await office.author.get(`/api/sse/students/${student.id}/skill-status`);
  assert.is(read.headers.get('x-rule-bundle'), done.body.bundleId);
  assert.is((read.body.ruleVersions as Json)['bnd/bnd'], next['bnd/bnd']);
  assert.ok(read.body.asOf);
  const [entry] = (await office.author.get('/api/admin/rule-bundles?limit=1')).body.items as Json[];
  assert.equal([entry?.title, (entry?.recompute as Json | undefined)?.changed], ['Shown ends at 0.15', 1]);
  const { body: constant } = await office.author.get('/api/admin/rule-constants/DTH-DEF-01');
  const [now, before] = constant.history as Json[];
  assert.equal(
    [now?.value, now?.versions, now?.predicted, now?.changed, now?.approvedBy, now?.activeTo],
    [0.15, Object.entries(next).map(([name, version]) => `${name}@${version}`), 1, 1, [office.approver.id], null],
  );
  assert.equal([before?.value, before?.changeId, before?.activeTo], [0.2, null, now?.activeFrom]);
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
