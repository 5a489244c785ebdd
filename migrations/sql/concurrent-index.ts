// Creates an index while its table is written to. It belongs in a migration of its own with `export const config = {
// transaction: false }`.
import type { Knex } from 'knex';

export interface ConcurrentIndex {
  readonly name: string;
  readonly table: string;
  /** The part after the table: `(organization_id, room) where room is not null`. */
  readonly on: string;
  readonly unique?: boolean;
}

/** Can be repeated after a failure: a half-created index is dropped first. */
export async function concurrentIndex(knex: Knex, index: ConcurrentIndex): Promise<void> {
  const parts = await partsOf(knex, index);
  if (parts === undefined) return madeOnce(knex, index);
  // PostgreSQL cannot create an index concurrently on a partitioned table. It is created on each partition and on the
  // parent, which becomes valid with the last one.
  const { name, table, on, unique } = index;
  await knex.raw(`create ${unique ? 'unique ' : ''}index if not exists ${name} on only ${table} ${on}`);
  for (const part of parts) {
    const own = `${part.slice(0, 40)}_${name}`.slice(0, 63);
    await madeOnce(knex, { ...index, name: own, table: part });
    await knex.raw(`alter index ${name} attach partition ${own}`);
  }
}

/**
 * Returns the partitions without the index, or undefined for a table without partitions. A new partition inherits it
 * from the parent.
 */
async function partsOf(knex: Knex, { table, name }: ConcurrentIndex): Promise<string[] | undefined> {
  const { rows } = await knex.raw(
    `select c.relkind = 'p' as has_parts, array(select i.inhrelid::regclass::text from pg_inherits i
       where i.inhparent = c.oid and not exists (select from pg_inherits own join pg_index x on x.indexrelid = own.inhrelid
         where own.inhparent = to_regclass(:name) and x.indrelid = i.inhrelid) order by 1) as parts
     from pg_class c where c.oid = (:table)::regclass`,
    { table, name },
  );
  return rows[0]?.has_parts ? rows[0].parts : undefined;
}

async function madeOnce(knex: Knex, { name, table, on, unique }: ConcurrentIndex): Promise<void> {
  const { rows } = await knex.raw('select indisvalid as valid from pg_index where indexrelid = to_regclass(?)', [name]);
  if (rows[0]?.valid === false) await knex.raw(`drop index concurrently ${name}`);
  await knex.raw(`create ${unique ? 'unique ' : ''}index concurrently if not exists ${name} on ${table} ${on}`);
}
