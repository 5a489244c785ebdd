// Rows that sign-ins leave are deleted once they no longer matter, and not before.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Queues } from '#core/platform/queue/queue.ts';
import { identityJobs } from '#identity/people/sign-in/jobs.ts';
import { useApp } from '../../harness/http.ts';
import { buildTenant } from '../../harness/world.ts';
import { noGeneralLimits } from '../support.ts';

const app = useApp(test, { settings: noGeneralLimits });
const { owner } = app.database;
const tables = ['google_state', 'handoff_code', 'quick_code', 'attempt_window'] as const;
const noQueues = {} as Queues;

async function counts(): Promise<Record<string, number>> {
  const rows: Record<string, number> = {};
  for (const table of tables) rows[table] = (await owner(table).select('*')).length;
  return rows;
}

async function purge(): Promise<void> {
  for (const { run } of identityJobs.schedules ?? []) await run(app.services, noQueues);
}

test('the hourly purge keeps rows that still count and deletes the others', async () => {
  const { organizationId, people } = await buildTenant(app);
  const soon = new Date(app.clock.now().getTime() + 30_000);
  const secret = { nonce: 'n', encryptedVerifier: 'v', cookieHash: 'c' };
  const state = { ...secret, stateHash: 's', redirectUri: 'http://x', expiresAt: soon };
  await owner('google_state').insert(state);
  await owner('handoff_code').insert({ codeHash: 'c', organizationId, userId: people.TEACHER.id, expiresAt: soon });
  await app.post(`/api/students/${people.STUDENT.id}/quick-code`, undefined, { token: people.ADMIN.token });
  await app.post('/api/auth/quickcode', { quickCode: '22222222' });
  await purge();
  // A wrong code counts in two windows: that of the device and that of the address.
  assert.equal(Object.values(await counts()), [1, 1, 1, 2]);
  app.clock.advance(31 * 86_400_000);
  await purge();
  assert.equal(Object.values(await counts()), [0, 0, 0, 0]);
});

test.run();
