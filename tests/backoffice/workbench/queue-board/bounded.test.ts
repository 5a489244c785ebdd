// timeout: 120s
// The board, the list of jobs and the names read what they show: beside tens of thousands of other rows they read a few.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { workState } from '#backoffice/operations/index.ts';
import { listJobs } from '#backoffice/workbench/jobs/queries.ts';
import { lastNight } from '#backoffice/workbench/queue-board/night.ts';
import { inContext, type Trx } from '#core/platform/db.ts';
import { namesOf } from '#identity/people/names/queries.ts';
import { buildClass } from '../../../harness/factories.ts';
import { useApp } from '../../../harness/http.ts';

const app = useApp(test, { rules: true, ownStatements: true, ownEntries: true });
const { owner } = app.database;
const many = 20_000;
let school: { readonly organizationId: string; readonly schoolId: string; readonly id: number };

test.before(async () => {
  school = await buildClass(owner);
  const { organizationId } = school;
  const now = app.clock.now().toISOString();
  const insertMany = (into: string, values: string) =>
    owner.raw(`insert into ${into} select ${values} from generate_series(1, ${many}) n`, { organizationId, now });
  await insertMany(
    'app_user (organization_id, scope, primary_persona, full_name_ar, created_at)',
    ":organizationId, 'ORGANIZATION', 'STUDENT', 'طالبة ' || n, :now",
  );
  await owner.raw(
    `insert into sse_recompute_request (organization_id, student_id, requested_seq, processed_seq, trigger, requested_at)
     select organization_id, id, 1, 1, 'admin', :now from app_user where organization_id = :organizationId`,
    { organizationId, now },
  );
  const hourly = ":now::timestamptz - n * interval '1 hour'";
  await insertMany(
    'rule_job (id, organization_id, kind, subject, input, state, report, created_at, updated_at)',
    `'j' || n, :organizationId, 'replay', 'nightly', '{}', 'done',
     '{"counts": {"same": 1, "inputsDiffer": 0, "rulesDiffer": 0}}', ${hourly}, ${hourly}`,
  );
  await insertMany(
    'platform_alert (organization_id, kind, code, severity, dedupe_key, details, at)',
    ":organizationId, 'qa', 'X', 'high', 'k' || n, '{}', :now::timestamptz - interval '2 days'",
  );
  await insertMany(
    'outbox (organization_id, topic, payload, created_at, relayed_at)',
    ":organizationId, 'x', '{}', :now, :now",
  );
  await insertMany(
    'schedule_day (name, subject, day, held_until, done_at)',
    "'nightly-replay', 's' || n, (:now::timestamptz)::date - 1, :now, :now",
  );
  await owner.raw('analyze');
});

interface Node {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Node[];
}

const nodesOf = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** Returns how many rows of large tables each statement of `work` reads, including filtered ones. */
async function rowsReadBy(work: (trx: Trx) => Promise<unknown>): Promise<number[]> {
  return inContext(app.database.app, 'SUPER', async (trx) => {
    const sent: { sql: string; bindings: readonly unknown[] }[] = [];
    const note = (query: (typeof sent)[number]) => sent.push(query);
    trx.on('query', note);
    await work(trx);
    trx.removeListener('query', note);
    const counts: number[] = [];
    for (const { sql, bindings } of sent) {
      const { rows } = await trx.raw(`explain (analyze, format json) ${sql.replaceAll(/\$\d+/g, '?')}`, [
        ...bindings,
      ] as never);
      const read = nodesOf(rows[0]['QUERY PLAN'][0].Plan)
        .filter((node) => node['Relation Name'] !== undefined)
        .map((node) => (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']);
      counts.push(read.reduce((sum, count) => sum + count, 0));
    }
    return counts;
  });
}

const works: Readonly<Record<string, (trx: Trx) => Promise<unknown>>> = {
  'the state of background work': (trx) => workState(trx, app.services, app.clock.now()),
  'the last night': (trx) => lastNight(trx),
  'the first page of jobs': (trx) => listJobs(trx, {}),
  'failed jobs, of which there are none': (trx) => listJobs(trx, { state: 'failed' }),
  'a later page': async (trx) => {
    const { nextCursor } = await listJobs(trx, { limit: 100 });
    await listJobs(trx, { limit: 100, cursor: nextCursor ?? '' });
  },
  names: async (trx) => {
    const { organizationId, schoolId, id } = school;
    const users = Array.from({ length: 100 }, (_, at) => 100 * at + 1);
    await namesOf(trx, { users, schools: [schoolId], classes: [id], organizations: [organizationId] });
  },
};

for (const [what, work] of Object.entries(works)) {
  test(`${what}: every statement reads a few hundred rows at most`, async () => {
    const counts = await rowsReadBy(work);
    assert.ok(counts.length > 0);
    for (const count of counts) assert.ok(count < 600, `${counts.join(', ')} rows`);
  });
}

test.run();
