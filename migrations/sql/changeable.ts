// Which columns of a table the run-time roles may update. Columns that identify the owner and the origin of a row are
// immutable.
import type { Knex } from 'knex';
import { platformRole, runtimeRole } from '#core/platform/db.ts';

const bothRoles = [runtimeRole, platformRole];

/** Only these columns may change. */
export async function onlyChanges(
  knex: Knex,
  table: string,
  columns: readonly string[],
  roles: readonly string[] = bothRoles,
): Promise<void> {
  await knex.raw(`
    revoke update on ${table} from ${roles.join(', ')};
    grant update (${columns.join(', ')}) on ${table} to ${roles.join(', ')};
  `);
}

/** All present columns of the table except these may change. */
export async function neverChanges(
  knex: Knex,
  table: string,
  fixed: readonly string[],
  roles: readonly string[] = bothRoles,
): Promise<void> {
  const { rows } = await knex.raw(
    `select column_name as name from information_schema.columns
     where table_schema = 'public' and table_name = ? and is_generated = 'NEVER' order by ordinal_position`,
    [table],
  );
  const names = rows.map(({ name }: { name: string }) => name).filter((name: string) => !fixed.includes(name));
  await onlyChanges(knex, table, names, roles);
}
