// Many stored runs: copies of real ones that can be replayed as well.

import { evaluateRun, resultHash } from '../../src/assessment/skill-status/evaluate-run.ts';
import { readRun, type StoredRun } from '../../src/assessment/skill-status/results/stored-input.ts';
import type { RunRow } from '../../src/assessment/skill-status/results/tables.ts';
import { pipelineOf } from '../../src/assessment/skill-status/rules/pipelines.ts';
import { inContext, type Trx } from '../../src/core/platform/db.ts';
import { newId } from '../../src/core/platform/ids.ts';
import { rowsOf } from '../../src/core/platform/sql.ts';
import type { School } from '../harness/school.ts';
import type { Service } from '../harness/service.ts';

const childTables = ['sse_skill_snapshot', 'sse_domain_snapshot'];

/**
 * Appends copies until the organization has `count` runs, rotating the students, so that neighbours are of different ones. A
 * copy has its original's student, window and rows; the hash of its result includes its own id.
 */
export async function copyRuns({ owner, services }: Service, { organizationId }: School, count: number): Promise<void> {
  await inContext(owner, 'SUPER', async (trx) => {
    const have = await runsOf(trx, organizationId);
    const students = new Set(have.map(({ studentId }) => studentId)).size;
    const originals = have.slice(0, students);
    const { rules } = await services.rules.at(trx, services.clock.now());
    const pipeline = pipelineOf(rules);
    const evaluated = originals.map((run) => evaluateRun(run.input, run, pipeline));
    const copies = Array.from({ length: count - have.length }, (_, at) => {
      const [from, to] = [originals[at % students], newId()];
      const evaluation = evaluated[at % students];
      if (!from || !evaluation) throw new Error('there is no run to copy');
      return { from: from.id, to, resultHash: resultHash(to, evaluation) };
    });
    await copyRows(trx, 'sse_run', 'id', { id: 'c.to_id', result_hash: 'c.result_hash' }, copies);
    for (const table of childTables) await copyRows(trx, table, 'run_id', { run_id: 'c.to_id' }, copies);
  });
  await owner.raw('analyze');
}

async function runsOf(trx: Trx, organizationId: string): Promise<RunRow[]> {
  const all = 'select * from sse_run where organization_id = :organizationId order by seq';
  return (await rowsOf<StoredRun>(trx, all, { organizationId })).map(readRun);
}

interface Copy {
  readonly from: string;
  readonly to: string;
  readonly resultHash: string;
}

/** Returns all columns except the numbers that the database generates; `replaced` has expressions for some of them. */
async function copyRows(
  trx: Trx,
  table: string,
  key: string,
  replaced: Readonly<Record<string, string>>,
  copies: readonly Copy[],
): Promise<void> {
  const columns = await rowsOf<{ name: string }>(
    trx,
    `select column_name as name from information_schema.columns
     where table_schema = 'public' and table_name = :table and is_identity = 'NO' order by ordinal_position`,
    { table },
  );
  const names = columns.map(({ name }) => name);
  const values = names.map((name) => replaced[name] ?? `r.${name}`);
  await trx.raw(
    `insert into ${table} (${names.join(', ')}) select ${values.join(', ')}
     from unnest(:from::text[], :to::text[], :hashes::text[]) with ordinality as c (from_id, to_id, result_hash, position)
     join ${table} r on r.${key} = c.from_id order by c.position`,
    {
      from: copies.map(({ from }) => from),
      to: copies.map(({ to }) => to),
      hashes: copies.map((one) => one.resultHash),
    },
  );
}
