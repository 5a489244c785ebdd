// timeout: 240s
// A report is asked for where there can be one: rules that no simulation speaks of are approved without.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { useApp } from '../../support/http.ts';
import { type Backoffice, buildBackoffice, type Json, nextVersion, takeDraft } from '../backoffice.ts';

const app = useApp(test, { rules: true });
const { owner } = app.database;
let office: Backoffice;

test.before(async () => {
  office = await buildBackoffice(app);
});

const drafted = async (name: string, values: Readonly<Record<string, number>>, change = (document: Json) => document) =>
  takeDraft(office, name, change(await nextVersion(owner, name, values)), { baseVersion: 1, upTo: 'submit' });

const renamed = (document: Json): Json => ({
  ...document,
  meta: { ...(document.meta as Json), title: { ar: 'رموز الحصص والأنشطة', en: 'Codes of sessions and tasks' } },
});

const without = async (draft: { address: string; sha256: string }) =>
  office.approver.post(`${draft.address}/approve`, { sha256: draft.sha256 });

test('codes of sessions and the track of plans change no stored verdict: nothing to simulate, approved without a report', async () => {
  for (const draft of [
    await drafted('bundle/session-codes', {}, renamed),
    await drafted('bundle/track-status', { 'TRK-WKS-01': 4 }),
  ]) {
    const asked = await office.author.post(`${draft.address}/impact`, { scope: { platform: true } });
    assert.equal([asked.status, asked.body.details?.[0]?.issue], [409, 'nothing_to_rehearse']);
    const approved = await without(draft);
    assert.is(approved.body.state, 'published', JSON.stringify(approved.body));
  }
});

test('what decides about students, or what is told of them, is not approved without one', async () => {
  for (const [name, values, change] of [
    ['bundle/scaffold-tier', { 'SCF-IND-01': 0.6 }],
    ['fidelity/settings', { 'FID-CAP-01': 2 }],
    ['rti/alerts', { 'RAL-INT-01': 7 }],
    ['notification/parent-tsp-activation', {}, (document: Json) => ({ ...document, retentionDays: 60 })],
  ] as const) {
    const answer = await without(await drafted(name, values, change));
    assert.equal([answer.status, answer.body.details?.[0]?.field], [422, 'reportHash'], name);
  }
});

test.run();
