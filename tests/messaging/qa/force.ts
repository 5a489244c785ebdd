// Inserts rows that the database would refuse, after removing all constraints of the table in the test's own database.
import { snakeCaseMappers } from 'objection';
import type { Db } from '#core/platform/db.ts';

const { format } = snakeCaseMappers();

/** Inserts one row, however incomplete or wrong. */
export async function force(owner: Db, table: string, row: Readonly<Record<string, unknown>>): Promise<void> {
  await unguard(owner, table);
  await owner.transaction(async (trx) => {
    await trx.raw("set local session_replication_role = 'replica'");
    const columns = Object.entries(format(row as never) as object);
    const names = columns.map(() => '??').join(', ');
    const values = columns.map(() => '?').join(', ');
    await trx.raw(`insert into ?? (${names}) values (${values})`, [
      table,
      ...columns.map(([name]) => name),
      ...columns.map(([, value]) => value),
    ] as never);
  });
}

/** Removes checks, unique keys but the primary one, foreign keys and not-null constraints. */
async function unguard(owner: Db, table: string): Promise<void> {
  await owner.raw(`do $$
    declare found record;
    begin
      for found in select conname from pg_constraint
        where conrelid = '${table}'::regclass and contype in ('c', 'u', 'f') and coninhcount = 0
      loop execute format('alter table ${table} drop constraint if exists %I cascade', found.conname); end loop;
      for found in select i.indexrelid::regclass as name from pg_index i
        where i.indrelid = '${table}'::regclass and i.indisunique and not i.indisprimary
      loop execute format('drop index %s', found.name); end loop;
      for found in select a.attname from pg_attribute a where a.attrelid = '${table}'::regclass and a.attnum > 0
        and a.attnotnull and a.attidentity = '' and not exists (select from pg_index i
          where i.indrelid = a.attrelid and i.indisprimary and a.attnum = any(i.indkey))
      loop execute format('alter table ${table} alter column %I drop not null', found.attname); end loop;
    end $$`);
}
