// Which columns of a table the run-time role may change: what says whose a row is and what it was made with stays.
import type { Knex } from 'knex';
import { runtimeRole } from '../../src/platform/db.ts';

/** Only these columns change from now on. */
export async function onlyChanges(knex: Knex, table: string, columns: readonly string[]): Promise<void> {
  await knex.raw(`
    revoke update on ${table} from ${runtimeRole};
    grant update (${columns.join(', ')}) on ${table} to ${runtimeRole};
  `);
}

/** All columns but these may change, of those that the table has by now. */
export async function neverChanges(knex: Knex, table: string, fixed: readonly string[]): Promise<void> {
  const { rows } = await knex.raw(
    `select column_name as name from information_schema.columns
     where table_schema = 'public' and table_name = ? and is_generated = 'NEVER' order by ordinal_position`,
    [table],
  );
  const names = rows.map(({ name }: { name: string }) => name).filter((name: string) => !fixed.includes(name));
  await onlyChanges(knex, table, names);
}
