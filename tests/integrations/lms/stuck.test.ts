// A connection that has not been synchronized for two days is reported, and none of which no sync is expected.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { inContext } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { lmsProbes } from '#integrations/lms/qa.ts';
import { buildClass } from '../../harness/factories.ts';
import { useApp } from '../../harness/http.ts';
import { buildTenant } from '../../harness/world.ts';
import { buildConnection } from './rows.ts';

const app = useApp(test);
const { owner } = app.database;
const now = new Date('2026-09-10T06:00:00.000Z');
const hoursAgo = (hours: number) => new Date(now.getTime() - hours * 3_600_000);
const statement = String(
  lmsProbes.flatMap((one) => (one.check === 'LMS_RUN_STUCK' && 'findings' in one ? [one.findings] : []))[0],
);

interface Reported {
  readonly created: number;
  readonly synced: number | null;
  readonly mapped: number | null;
  readonly byItself?: boolean;
}

async function isReported({ created, synced, mapped, byItself = true }: Reported): Promise<boolean> {
  const { organizationId, school } = await buildTenant(app);
  const { id: classId } = await buildClass(owner, { organizationId, schoolId: school.id, grade: 3 });
  const { id } = await buildConnection(owner, { organizationId });
  await owner('lms_connection')
    .where({ organizationId, id })
    .update({
      ...{ createdAt: hoursAgo(created), lastSyncAt: synced === null ? null : hoursAgo(synced) },
      ...{ kind: byItself ? 'rest' : 'csv', nextRunAt: byItself ? now : null },
    });
  if (mapped !== null) {
    await owner('lms_mapping').insert({
      ...{ organizationId, provider: 'oneroster', courseExternalId: 'class-1', classId, mappedAt: hoursAgo(mapped) },
    });
  }
  const found = await inContext(owner, 'SUPER', (trx) =>
    rowsOf<{ id: string }>(trx, statement, { now: now.toISOString(), threshold: 1_800 }),
  );
  return found.some((one) => one.id === id);
}

const cases: readonly (readonly [string, Reported, boolean])[] = [
  ['its last sync was 49 hours ago', { created: 500, synced: 49, mapped: 400 }, true],
  ['its last sync was 47 hours ago', { created: 500, synced: 47, mapped: 400 }, false],
  ['it was never synchronized, for 49 hours', { created: 49, synced: null, mapped: 49 }, true],
  ['its first course was mapped 47 hours ago', { created: 500, synced: null, mapped: 47 }, false],
  ['no course of it is mapped', { created: 500, synced: null, mapped: null }, false],
  ['it is a set of files', { created: 500, synced: 300, mapped: 400, byItself: false }, false],
];

for (const [name, connection, expected] of cases) {
  test(`${name}: ${expected ? 'reported' : 'not reported'}`, async () => {
    assert.is(await isReported(connection), expected);
  });
}

test.run();
