// timeout: 240s
// A report is asked for where there can be one: rules that no simulation speaks of are approved without.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { changesStatuses } from '#assessment/skill-status/index.ts';
import { needsReport } from '#backoffice/workbench/change-answers/reports.ts';
import { isSimulated } from '#backoffice/workbench/impact/simulated-documents.ts';

import { type DocumentName, documentName } from '#rules/rulesets/index.ts';
import { bundle } from '../../../assessment/skill-status/evidence.ts';
import { useApp } from '../../../harness/http.ts';
import { type Backoffice, buildBackoffice, type Json, nextVersion, takeChange } from '../backoffice.ts';

const app = useApp(test, { rules: true });
const { owner } = app.database;
let office: Backoffice;

test.before(async () => {
  office = await buildBackoffice(app);
});

const submitted = async (
  name: DocumentName,
  values: Readonly<Record<string, number>>,
  change = (document: Json) => document,
) => {
  const document = change(await nextVersion(owner, name, values));
  return takeChange(office, { [name]: document }, { upTo: 'submit' });
};

const renamed = (document: Json): Json => ({
  ...document,
  meta: { ...(document.meta as Json), title: { ar: 'رموز الحصص والأنشطة', en: 'Codes of sessions and tasks' } },
});

/** The entry of that code in a list of the document, with something else stated of it. */
const restated =
  (list: string, code: string, summary: Json) =>
  (document: Json): Json => ({
    ...document,
    [list]: (document[list] as Json[]).map((one) => (one.code === code ? { ...one, ...summary } : one)),
  });

const without = async (change: { address: string; sha256: string }) =>
  office.approver.post(`${change.address}/approve`, { sha256: change.sha256 });

test('codes of sessions and the track of plans change no stored verdict: nothing to simulate, approved without a report', async () => {
  for (const change of [
    await submitted('bundle/session-codes', {}, renamed),
    await submitted('bundle/track-status', { 'TRK-WKS-01': 4 }),
  ]) {
    const asked = await office.author.post(`${change.address}/impact`, { scope: { platform: true } });
    assert.equal([asked.status, asked.body.details?.[0]?.issue], [409, 'nothing_to_simulate']);
    const approved = await without(change);
    assert.is(approved.body.state, 'published', JSON.stringify(approved.body));
  }
});

test('what decides about students, or what is reported about them, is not approved without one', async () => {
  for (const [name, values, change] of [
    ['bundle/scaffold-tier', { 'SCF-IND-01': 0.6 }],
    ['fidelity/settings', { 'FID-CAP-01': 2 }],
    ['rti/alerts', { 'RAL-INT-01': 7 }],
    ['catalogue/subskills', {}, restated('subSkills', 'LK_SOUND', { gateway: false })],
    ['language/context-flags', {}, restated('flags', 'long_absence', { effect: 'none' })],
    ['notification/parent-tsp-activation', {}, (document: Json) => ({ ...document, retentionDays: 60 })],
  ] as const) {
    const answer = await without(await submitted(name, values, change));
    assert.equal([answer.status, answer.body.details?.[0]?.field], [422, 'reportHash'], name);
  }
});

test('whatever has students evaluated again when it comes into force is simulated, and not approved without a report', () => {
  const judging = bundle.documents.filter((document) => changesStatuses(documentName(document)));
  assert.ok(judging.length > 12, 'the engine, the catalogue and the dictionary of situations');
  const unread = judging.filter(
    (one) => !isSimulated(app.services, documentName(one)) || !needsReport(app.services, [one.meta]),
  );
  assert.equal(unread.map(documentName), []);
});

test.run();
