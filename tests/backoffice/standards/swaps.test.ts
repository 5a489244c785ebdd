// Who hears of a benchmark that was swapped: every administrator of the organizations that it serves, once, and no one else.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { standardsCapability } from '#backoffice/standards/index.ts';
import { deliverWaiting } from '#messaging/notifications/dispatch/deliver.ts';
import { relayAll } from '../../../workers/relay.ts';
import { buildOrganization, buildUser } from '../../harness/factories.ts';
import { useApp } from '../../harness/http.ts';
import { capturedLog, noQueues } from '../../workers/support.ts';
import { type Backoffice, buildBackoffice } from '../workbench/backoffice.ts';

const test = suite('benchmarks that were swapped are reported');
const app = useApp(test, { rules: true });
const { owner } = app.database;
let office: Backoffice;
const admins: Record<string, { readonly id: number; readonly organizationId: string }> = {};

test.before(async () => {
  office = await buildBackoffice(app);
  const country = { inside: 'SA', elsewhere: 'JO' };
  for (const [name, code] of Object.entries(country)) {
    const { id: organizationId } = await buildOrganization(owner, { country: code });
    const { id } = await buildUser(owner, 'ADMIN', { organizationId });
    await buildUser(owner, 'TEACHER', { organizationId });
    admins[name] = { id, organizationId };
  }
});

async function swap(country: string | null): Promise<void> {
  const path = '/api/admin/benchmark-profiles';
  const cell = { country, grade: 2, measureCode: 'ORF_WCPM', season: null };
  const values = { cuts: null, source: 'A norm of a country.', titleAr: 'معيار الطلاقة' };
  const { status, body } = await office.author.post(path, { ...cell, ...values });
  assert.is(status, 201, JSON.stringify(body));
  assert.is((await office.author.post(`${path}/${body.id}/publish`, {})).status, 200);
  assert.is((await office.approver.post(`${path}/${body.id}/activate`, {})).status, 200);
  const { log } = capturedLog();
  for (const _ of ['once', 'again']) await relayAll(app.services, noQueues, standardsCapability.reactions ?? [], log);
  for (const { organizationId } of Object.values(admins)) await deliverWaiting(app.services, organizationId);
}

/** By the names above; an account without a name here must not be notified. */
async function reported(key: string): Promise<unknown[]> {
  const rows: { recipientUserId: number; payload: unknown }[] = await owner('notification')
    .where({ kind: 'benchmark_profile_swap', sourceId: key })
    .select('recipientUserId', 'payload');
  for (const { payload } of rows) assert.equal(payload, { benchmarkProfileKey: key, fromVersion: null, toVersion: 1 });
  const nameOf = (id: number) => Object.entries(admins).find(([, admin]) => admin.id === id)?.[0] ?? id;
  return rows.map(({ recipientUserId }) => nameOf(recipientUserId)).sort();
}

test('of a country: those of the country', async () => {
  await swap('SA');
  assert.equal(await reported('orf-wcpm-sa-g2-any'), ['inside']);
});

test('of every country: all', async () => {
  await swap(null);
  assert.equal(await reported('orf-wcpm-global-g2-any'), ['elsewhere', 'inside']);
});

test.run();
