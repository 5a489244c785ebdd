// An index that is made while its table is written to. It belongs in a migration of its own, with
// `export const config = { transaction: false }`.
import type { Knex } from 'knex';

export interface ConcurrentIndex {
  readonly name: string;
  readonly table: string;
  /** What follows the table: `(organization_id, room) where room is not null`. */
  readonly on: string;
  readonly unique?: boolean;
}

/** Can be repeated after it broke off: an index that was left half made is dropped first. */
export async function concurrentIndex(knex: Knex, index: ConcurrentIndex): Promise<void> {
  const parts = await partsOf(knex, index);
  if (parts === undefined) return madeOnce(knex, index);
  // PostgreSQL makes none concurrently on a table of parts: one on each of them, and a frame that is valid with the last.
  const { name, table, on, unique } = index;
  await knex.raw(`create ${unique ? 'unique ' : ''}index if not exists ${name} on only ${table} ${on}`);
  for (const part of parts) {
    const own = `${part.slice(0, 40)}_${name}`.slice(0, 63);
    await madeOnce(knex, { ...index, name: own, table: part });
    await knex.raw(`alter index ${name} attach partition ${own}`);
  }
}

/** Those without the index, or undefined for a table that has no parts. A part that is new has it from the frame. */
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
