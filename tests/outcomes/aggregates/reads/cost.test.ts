// What an answer about many children costs: at most two statements, none of which knows of a child.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { inContext } from '#core/platform/db.ts';
import { rebuildOrganization } from '#outcomes/aggregates/rollups/rebuild.ts';
import { buildStudent } from '../../../harness/factories.ts';
import { newestRun, type Readers, useCountReads } from './readers.ts';

const reads = useCountReads(test);
const { app, services, read } = reads;

interface Sent {
  readonly sql: string;
  readonly bindings: readonly unknown[];
}

/** Where no child has a row. */
const withoutChildren = [
  ...['school', 'organization', 'class', 'org_rollup', 'org_daily_class', 'org_daily_rollup'],
  ...['aggregate_release', 'aggregate_cell'],
];
/** What is asked of them. */
const ofCounts = /org_rollup|aggregate_release/;
const parts = ['comparisons?metric=support_share&tileCode=WRITING', 'comparisons?metric=measured_share', 'trends'];

let organizationId: string;
let schoolId: string;
let by: Readers;

test.before(async () => {
  const room = await reads.room();
  organizationId = room.organizationId;
  schoolId = room.classRow.schoolId;
  await buildStudent(app.database.owner, room.classRow);
  await rebuildOrganization(services, organizationId);
  by = await reads.readers({ id: schoolId, organizationId });
  const release = { schoolYear: '2025-2026', season: 'BOY', releasedAt: newestRun } as const;
  await reads.publish({ organizationId, ...release, cells: [] });
});

async function sentBy(path: string, token: string): Promise<Sent[]> {
  const sent: Sent[] = [];
  const note = ({ sql, bindings }: Sent) => sent.push({ sql, bindings });
  app.database.app.on('query', note);
  const { status } = await read(path, token).finally(() => app.database.app.removeListener('query', note));
  assert.is(status, 200, path);
  return sent.filter(({ sql }) => !/rule_activation|rate_limit/.test(sql));
}

/** What the page of a school says of its school year. */
const ofSchoolYear = /school_roll_over|academic_year <>|time_zone/;
/** Without one of its counts: who asks, and for what. */
const ofScope = async (path: string) =>
  (await sentBy(path, by.admin)).filter(({ sql }) => !ofSchoolYear.test(sql)).length;

const answers = (): [path: string, token: string, scope: string][] => [
  ...['overview', 'overview?squares=true', 'heatmap'].flatMap((part) =>
    [by.principal, by.manager].map((token): [string, string, string] => [
      ...([`/api/principal/schools/${schoolId}/${part}`, token] as const),
      `/api/schools/${schoolId}`,
    ]),
  ),
  ...['overview', 'overview?squares=true', ...parts].map((part): [string, string, string] => [
    ...([`/api/orgs/${organizationId}/${part}`, by.manager] as const),
    `/api/organizations/${organizationId}`,
  ]),
];

test('a response takes at most two statements beside those of authentication and scope', async () => {
  for (const [path, token, scope] of answers()) {
    await read(path, token);
    const sent = await sentBy(path, token);
    const own = sent.filter(({ sql }) => ofCounts.test(sql));
    assert.ok(own.length >= 1 && own.length <= 2, `${path}: ${own.length}`);
    assert.is(sent.length - own.length, await ofScope(scope), path);
  }
});

/** Tables of a plan with all its parts. */
function tablesOf(plan: unknown): string[] {
  if (Array.isArray(plan)) return plan.flatMap(tablesOf);
  if (plan === null || typeof plan !== 'object') return [];
  return Object.entries(plan).flatMap(([name, value]) =>
    name === 'Relation Name' ? [String(value)] : tablesOf(value),
  );
}

test('no statement of an answer looks at a row of a child', async () => {
  for (const [path, token] of answers()) {
    const own = (await sentBy(path, token)).filter(({ sql }) => ofCounts.test(sql));
    for (const { sql, bindings } of own) {
      const { rows } = await inContext(services.db, { organizationId }, (trx) =>
        trx.raw(`explain (format json) ${sql.replaceAll(/\$\d+/g, '?')}`, [...bindings] as never),
      );
      const tables = tablesOf(rows).map((table) => table.replace(/_(\d{4}_\d{4}|default|rest)$/, ''));
      assert.ok(tables.length > 0, path);
      assert.equal(
        tables.filter((table) => !withoutChildren.includes(table)),
        [],
        path,
      );
    }
  }
});

test.run();
