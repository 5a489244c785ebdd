// timeout: 120s
// The three routes: who may ask, what is refused, and what a finished impact looks like from outside.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { presentImpact } from '#backoffice/workbench/impact/present.ts';
import { newId } from '#core/platform/ids.ts';
import { canonicalHash, canonicalJson, sha256Hex } from '#core/platform/pure/canonical-json.ts';
import { type RuleDocument, simulatorsOf } from '#rules/rulesets/index.ts';
import { bundle } from '../../../assessment/skill-status/evidence.ts';
import { useShell } from '../../../assessment/skill-status/shell.ts';
import { buildSuperAdmin, buildUser, signIn } from '../../../harness/factories.ts';
import type { Reply } from '../../../harness/fetch.ts';
import {
  buildPlace,
  edited,
  impactOf,
  january,
  type Place,
  type Report,
  setConstant,
  storedChange,
  weakGatewaysNoLonger,
  workOn,
} from './world.ts';

const test = suite('routes of impacts');
const shell = useShell(test);
const { app } = shell;
const { owner } = app.database;
let place: Place;
let token: string;

test.before(async () => {
  app.clock.set(january(10));
  place = await buildPlace(shell, 3, 11);
  token = await signIn(app, await buildSuperAdmin(owner));
});

const start = ({ id }: { id: string }, body: object, as = token): Promise<Reply<Report>> =>
  app.post(`/api/admin/rule-changes/${id}/impact`, body, { token: as });
const everybody = () => ({ scope: { organizationId: place.organizationId } });
const issueOf = ({ status, body }: Reply<Report>) => [status, body.details?.[0]?.issue ?? body.code];

const changeOf = (document: RuleDocument, state = 'validated', text?: string) =>
  storedChange(shell, [document], { state, ...(text !== undefined && { texts: [text] }) });

test('asked for, worked on, reported', async () => {
  const change = await changeOf(weakGatewaysNoLonger());
  const started = await start(change, { ...everybody(), asOf: january(10) });
  assert.is(started.status, 202);
  const { jobId } = started.body;
  const waiting = await app.get<Report>(`/api/admin/impact/${jobId}`, { token });
  assert.equal(waiting.body, { jobId, state: 'queued', progress: { done: 0, total: 0 }, issue: null });
  await workOn(shell, jobId);
  const done = await app.get<Report>(`/api/admin/impact/${jobId}`, { token });
  assert.is(done.status, 200);
  assert.equal([done.body.state, done.body.progress], ['done', { done: 9, total: 9 }]);
  const { reportHash, ...report } = done.body.report;
  assert.is(reportHash, canonicalHash(report), 'the hash is of what is answered');
  const ssr = { family: 'ssr', key: 'ssr', sha256: sha256Hex(canonicalJson(weakGatewaysNoLonger())) };
  assert.equal([report.changeId, report.changeSha256, report.documents], [change.id, change.sha256, [ssr]]);
  assert.equal([report.before['ssr/ssr'], report.after['ssr/ssr']], [1, 2]);
  assert.equal([report.scope, report.asOf], [everybody().scope, january(10)]);
});

test('a report that was stored under the former name of a field is presented under the present one', async () => {
  const { job } = await impactOf(shell, weakGatewaysNoLonger(), everybody());
  const { notSimulated: _present, ...report } = job.report;
  const old = { ...job, report: { ...report, notRehearsed: ['RBM-RAPID-MS'] } };
  const presented = presentImpact(old, simulatorsOf(shell.services.capabilities));
  assert.equal(presented.report?.notSimulated, ['RBM-RAPID-MS']);
  assert.not('notRehearsed' in (presented.report ?? {}));
});

test('changes in three states can be simulated, and published ones that are not in force', async () => {
  for (const state of ['draft', 'validated', 'in_review']) {
    assert.is((await start(await changeOf(weakGatewaysNoLonger(), state), everybody())).status, 202, state);
  }
  for (const state of ['suspended', 'rejected', 'withdrawn']) {
    const refused = await start(await changeOf(weakGatewaysNoLonger(), state), everybody());
    assert.equal(issueOf(refused), [409, 'state'], state);
  }
  const empty = await storedChange(shell, [], { state: 'draft' });
  assert.equal(issueOf(await start(empty, everybody())), [409, 'empty_change']);
});

test('texts that the engine cannot work with are refused', async () => {
  const document = weakGatewaysNoLonger();
  const foreignWord = edited('bnd/bnd', (draft) => {
    draft.rules[0].event.params.outcome = 'dreadful';
    draft.outcomes.order.push('dreadful');
  });
  const collecting = edited('cis/cis', (draft) => {
    draft.meta.hitPolicy = 'collect';
  });
  const changes = [
    await changeOf(collecting, 'draft'),
    await changeOf(document, 'draft', '{'),
    await changeOf(document, 'draft', '{"meta":{}}'),
    await changeOf(foreignWord, 'draft'),
    await changeOf(document, 'draft', JSON.stringify(edited('bnd/bnd', () => {}))),
  ];
  for (const change of changes) assert.equal(issueOf(await start(change, everybody())), [409, 'not_usable']);
});

test('rules that change no stored result have nothing to simulate; constants must agree', async () => {
  const trend = bundle.documents.find(({ meta }) => meta.family === 'cbm') as RuleDocument;
  assert.equal(issueOf(await start(await changeOf(trend), everybody())), [409, 'nothing_to_simulate']);
  const values = (name: `${string}/${string}`) => edited(name, (draft) => setConstant(draft, 'DTH-MIN-01', 9));
  assert.equal(issueOf(await start(await changeOf(values('dth/dth')), everybody())), [409, 'not_usable']);
  const together = (['dth/dth', 'pac/pac', 'scoring/measurement'] as const).map(values);
  assert.is((await start(await storedChange(shell, together), everybody())).status, 202);
});

test('exactly one scope, and one that exists', async () => {
  const change = await changeOf(weakGatewaysNoLonger());
  const [schoolId = ''] = place.schools;
  const { organizationId } = place;
  const wrong = [{}, { organizationId, schoolId }, { classId: 0 }, { organizationId: 'x' }];
  for (const scope of wrong) assert.is((await start(change, { scope })).status, 422, JSON.stringify(scope));
  assert.is((await start(change, {})).status, 422);
  assert.is((await start(change, { ...everybody(), asOf: 'yesterday' })).status, 422);
  const unknown = [{ organizationId: newId() }, { schoolId: newId() }, { classId: 987_654_321 }];
  for (const scope of unknown) assert.is((await start(change, { scope })).status, 404, JSON.stringify(scope));
  const known = [{ schoolId }, { classId: place.classes[0]?.id }];
  for (const scope of known) assert.is((await start(change, { scope })).status, 202, JSON.stringify(scope));
});

test('an unknown or malformed change or job is not there', async () => {
  for (const id of [newId(), '%20']) assert.is((await start({ id }, everybody())).status, 404);
  for (const id of [newId(), 'nonsense', '%00']) {
    assert.is((await app.get(`/api/admin/impact/${id}`, { token })).status, 404, id);
    assert.is((await app.post(`/api/admin/impact/${id}/cancel`, {}, { token })).status, 404, id);
  }
});

test('called off once; an ended job stays as it is', async () => {
  const { jobId } = (await start(await changeOf(weakGatewaysNoLonger()), everybody())).body;
  const cancel = () => app.post<Report>(`/api/admin/impact/${jobId}/cancel`, {}, { token });
  const first = await cancel();
  assert.equal([first.status, first.body.state], [200, 'cancelled']);
  assert.equal(issueOf(await cancel()), [409, 'ended']);
  await workOn(shell, jobId);
  assert.is((await app.get<Report>(`/api/admin/impact/${jobId}`, { token })).body.state, 'cancelled');
});

test('organization staff have no part in it', async () => {
  const change = await changeOf(weakGatewaysNoLonger());
  const { jobId } = (await start(change, everybody())).body;
  for (const persona of ['ADMIN', 'TEACHER', 'STUDENT'] as const) {
    const own = await signIn(app, await buildUser(owner, persona, { organizationId: place.organizationId }));
    assert.is((await start(change, everybody(), own)).status, 403, persona);
    assert.is((await app.get(`/api/admin/impact/${jobId}`, { token: own })).status, 403, persona);
    assert.is((await app.post(`/api/admin/impact/${jobId}/cancel`, {}, { token: own })).status, 403, persona);
  }
});

test.run();
