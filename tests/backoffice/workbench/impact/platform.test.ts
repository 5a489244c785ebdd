// timeout: 240s
// The whole platform: every organization but demos, each with its part; and the approval that quotes such a report alone.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ChangeRow } from '#backoffice/workbench/changes/store.ts';
import { impactModelOf } from '#backoffice/workbench/impact/steps/model.ts';
import { replayModel } from '#backoffice/workbench/replays/model.ts';
import { requireReport } from '#backoffice/workbench/review/quoted-report.ts';
import { holderOf, jobRows } from '#core/long-jobs/lease.ts';
import { runJob } from '#core/long-jobs/runner.ts';
import type { JobRow } from '#core/long-jobs/store.ts';
import { inContext } from '#core/platform/db.ts';
import type { RuleDocument } from '#rules/rulesets/index.ts';
import { useShell } from '../../../assessment/skill-status/shell.ts';
import { buildSuperAdmin, signIn } from '../../../harness/factories.ts';
import type { Reply } from '../../../harness/fetch.ts';
import {
  buildPlace,
  edited,
  impactOf,
  january,
  jobOf,
  layerOf,
  leaseRunsOut,
  type Place,
  type Report,
  setConstant,
  startOf,
  startWith,
  storedChange,
  weakGatewaysNoLonger,
  workOn,
} from './world.ts';

const test = suite('impacts on the whole platform');
const shell = useShell(test);
const { app, services } = shell;
const { owner } = app.database;
const few = { stored: 4, gathered: 4 };
const platform = { scope: { platform: true }, asOf: january(10) } as const;
let places: Place[];
let demo: Place;
let token: string;

test.before(async () => {
  app.clock.set(january(10));
  places = [await buildPlace(shell, 2, 41), await buildPlace(shell, 3, 42)];
  demo = await buildPlace(shell, 2, 43);
  await inContext(owner, 'SUPER', (trx) =>
    trx('organization').where({ id: demo.organizationId }).update({ isDemo: true }),
  );
  token = await signIn(app, await buildSuperAdmin(owner));
});

const byId = () => [...places].sort((one, other) => (one.organizationId < other.organizationId ? -1 : 1));

/** Reports of the organizations, one by one, added up. */
async function oneByOne(document: RuleDocument) {
  const reports: Report[] = [];
  for (const { organizationId } of byId()) {
    reports.push((await impactOf(shell, document, { scope: { organizationId }, asOf: january(10) })).report);
  }
  return reports;
}

const sum = (reports: readonly Report[], of: (report: Report) => number) =>
  reports.reduce((total, report) => total + of(report), 0);

test('the report is the sum of the organizations, with a part for each; demos are left out', async () => {
  const single = await oneByOne(weakGatewaysNoLonger());
  const { report, job } = await impactOf(shell, weakGatewaysNoLonger(), platform);
  assert.equal([job.organizationId, job.done, job.total], [null, 15, 15]);
  for (const key of ['total', 'evaluated', 'withoutResults', 'changed'] as const) {
    assert.is(
      report.students[key],
      sum(single, ({ students }) => students[key]),
      key,
    );
  }
  assert.ok(report.students.changed > 0);
  assert.equal(
    report.organizations.map(({ organizationId, students }: Report) => [organizationId, students]),
    single.map(({ scope, students }) => [scope.organizationId, students]),
  );
  for (const [at, part] of report.organizations.entries()) {
    const counts = single[at].layers.map(({ transitions: _transitions, ...rest }: Report) => rest);
    assert.equal(part.layers, counts);
  }
  for (const { layer, changed } of report.layers)
    assert.is(
      changed,
      sum(single, (one) => layerOf(one, layer).changed),
    );
  assert.is(report.bySchool.length, 4);
  assert.equal(
    report.announcements.skillSnapshots,
    sum(single, ({ announcements }) => announcements.skillSnapshots),
  );
  assert.ok(layerOf(report, 'SSR').transitions.some(({ exemplars }: Report) => exemplars.length > 0));
});

test('in small steps, killed between any two of them, it has the same bytes', async () => {
  for (const document of [weakGatewaysNoLonger(), edited('dth/dth', (draft) => setConstant(draft, 'DTH-WIN-01', 1))]) {
    const change = await storedChange(shell, [document]);
    const [whole, killed] = [await startWith(shell, change, platform), await startWith(shell, change, platform)];
    await workOn(shell, whole);
    const model = impactModelOf(few);
    for (let isLast = false; !isLast; ) {
      const key = { id: killed, organizationId: null };
      const job = (await jobRows(['impact']).claim(services, key)) as JobRow<never, never>;
      const step = await model.step(services, job, job.position);
      await model.step(services, job, job.position);
      assert.ok(await holderOf(services, job).advance(step.done, step.position, step.keep));
      await leaseRunsOut(shell, killed);
      ({ isLast } = step);
    }
    await runJob(services, [model], { id: killed, organizationId: null });
    const [one, other] = [await jobOf(shell, whole), await jobOf(shell, killed)];
    assert.equal([other.state, other.reportHash], ['done', one.reportHash], document.meta.family);
  }
});

type Stored = Awaited<ReturnType<typeof storedChange>>;

/** The issue that an approval which quotes this job's report gets; undefined where it is taken. */
async function issueOf(change: Pick<Stored, 'id' | 'sha256'>, jobId: string) {
  const reportHash = (await jobOf(shell, jobId)).reportHash ?? '';
  const now = app.clock.now();
  try {
    await inContext(services.db, 'SUPER', async (trx) => {
      const { rules } = await services.rules.at(trx, now);
      await requireReport(services, trx, change as unknown as ChangeRow, reportHash, rules, now);
    });
    return undefined;
  } catch (error) {
    return (error as { details?: { issue: string }[] }).details?.[0]?.issue;
  }
}

test('an approval quotes a report over the whole platform for exactly this text', async () => {
  const change = await storedChange(shell, [weakGatewaysNoLonger()], { state: 'in_review' });
  const [first] = places;
  const scopes = [
    { organizationId: first?.organizationId ?? '' },
    { schoolId: first?.schools[0] ?? '' },
    { classId: first?.classes[0]?.id ?? 0 },
  ];
  for (const scope of scopes) {
    const jobId = await startWith(shell, change, { scope });
    await workOn(shell, jobId);
    assert.is(await issueOf(change, jobId), 'report_scope', JSON.stringify(scope));
  }
  const jobId = await startWith(shell, change, { scope: platform.scope });
  await workOn(shell, jobId);
  assert.is(await issueOf(change, jobId), undefined);
  assert.is(await issueOf({ ...change, sha256: 'f'.repeat(64) }, jobId), 'report_stale');
  assert.is(await issueOf({ ...change, id: 'another' }, jobId), 'report_unknown');
  for (const asOf of ['2020-01-01T00:00:00.000Z', '2031-01-01T00:00:00.000Z']) {
    const otherDay = await startWith(shell, change, { ...platform, asOf });
    await workOn(shell, otherDay);
    assert.is(await issueOf(change, otherDay), 'report_stale', asOf);
  }
  const now = app.clock.now();
  app.clock.advance(14 * 86_400_000);
  assert.is(await issueOf(change, jobId), undefined, 'fourteen days old');
  app.clock.advance(1);
  assert.is(await issueOf(change, jobId), 'report_stale', 'older than that');
  app.clock.set(now);
});

test('over HTTP: one scope, and `platform` is true', async () => {
  const change = await storedChange(shell, [weakGatewaysNoLonger()]);
  const path = `/api/admin/rule-changes/${change.id}/impact`;
  const { organizationId } = places[0] ?? demo;
  for (const scope of [{ platform: false }, { platform: true, organizationId }, { platform: 1 }]) {
    assert.is((await app.post(path, { scope }, { token })).status, 422, JSON.stringify(scope));
  }
  const started = await app.post<Report>(path, { scope: { platform: true } }, { token });
  assert.is(started.status, 202);
  await workOn(shell, started.body.jobId);
  const read: Reply<Report> = await app.get(`/api/admin/impact/${started.body.jobId}`, { token });
  assert.equal([read.status, read.body.state], [200, 'done']);
  assert.equal(read.body.report.scope, { platform: true });
  assert.is(read.body.report.organizations.length, places.length);
});

test('a student of whom only confidence or strength differs is restated and not changed', async () => {
  const id = await startOf(
    shell,
    edited('dth/dth', (draft) => setConstant(draft, 'DTH-CON-03', 1)),
    { scope: { platform: true } },
  ).catch((error) => error.details);
  assert.is(typeof id, 'string', JSON.stringify(id));
  await workOn(shell, String(id));
  const { report } = await jobOf(shell, String(id));
  const [confidence, status] = [layerOf(report, 'CONFIDENCE'), layerOf(report, 'SSR')];
  assert.is(status.changed, 0);
  assert.ok(confidence.changed > 0, JSON.stringify(confidence));
  assert.equal([confidence.better, confidence.worse], [0, 0]);
  assert.is(confidence.lateral, confidence.changed);
  assert.is(report.students.changed, 0);
  assert.ok(report.students.restated > 0, JSON.stringify(report.students));
  const parts = report.organizations as { students: { restated: number } }[];
  assert.is(
    parts.reduce((sum, { students }) => sum + students.restated, 0),
    report.students.restated,
  );
});

test('a replay takes the whole platform too', async () => {
  const body = { scope: { platform: true }, from: january(1), to: january(20) };
  const started: Reply<Report> = await app.post('/api/admin/replays', body, { token });
  assert.is(started.status, 202, JSON.stringify(started.body));
  const { replayId } = started.body;
  await runJob(services, [replayModel as never], { id: replayId, organizationId: null });
  const read: Reply<Report> = await app.get(`/api/admin/replays/${replayId}`, { token });
  const students = places.flatMap(({ studentIds }) => studentIds).length;
  assert.equal([read.body.state, read.body.progress], ['done', { done: students, total: students }]);
  assert.equal(read.body.counts, { same: students, inputsDiffer: 0, rulesDiffer: 0 });
  const listed: Reply<Report> = await app.get('/api/admin/replays', { token });
  assert.equal([listed.body.items[0].organizationId, listed.body.items[0].scope], [null, { platform: true }]);
});

test.run();
