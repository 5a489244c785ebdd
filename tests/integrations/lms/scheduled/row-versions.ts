// Every row of every table, distinguished by where it lies and which transaction wrote it: one that is written again is another.
import type { Db } from '#core/platform/db.ts';

/** By table, one text for all of its rows. Counts of earlier requests are reported to their table whenever that is due. */
export async function rowVersions(owner: Db): Promise<ReadonlyMap<string, string>> {
  const tables = await owner.raw<{ rows: { name: string }[] }>(
    `select c.oid::regclass::text as name from pg_class c
     where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and c.relname <> 'rate_limit'
     order by 1`,
  );
  const versions = tables.rows.map(
    ({ name }) =>
      `select '${name}' as name, string_agg(ctid::text || xmin::text, ' ' order by ctid) as rows from ${name}`,
  );
  const { rows } = await owner.raw<{ rows: { name: string; rows: string | null }[] }>(versions.join(' union all '));
  return new Map(rows.map((row) => [row.name, row.rows ?? '']));
}
