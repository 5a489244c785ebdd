// What every table of one kind gets, so that no migration can forget a wall.
import type { Knex } from 'knex';
import { runtimeRole } from '../../src/platform/db.ts';

export type Privilege = 'select' | 'insert' | 'update' | 'delete';

const readWrite: readonly Privilege[] = ['select', 'insert', 'update', 'delete'];

/** Rows of one organization are visible and writable only in its context, or in the SUPER context. */
export async function tenantTable(
  knex: Knex,
  table: string,
  privileges: readonly Privilege[] = readWrite,
  column = 'organization_id',
): Promise<void> {
  const mine = `(${column} = nullif(current_setting('app.organization_id', true), '')
    or current_setting('app.scope', true) = 'SUPER')`;
  await knex.raw(`
    alter table ${table} enable row level security;
    alter table ${table} force row level security;
    create policy tenant on ${table} using ${mine} with check ${mine};
    grant ${privileges.join(', ')} on ${table} to ${runtimeRole};
  `);
}

/** A table without tenant rows (rules, catalogues). Backoffice writes are guarded by permissions and by grants. */
export async function platformTable(knex: Knex, table: string, privileges: readonly Privilege[]): Promise<void> {
  await knex.raw(`grant ${privileges.join(', ')} on ${table} to ${runtimeRole}`);
}

/** Rows are never changed or removed, not even by the owner's hand. */
export async function appendOnly(knex: Knex, table: string): Promise<void> {
  await knex.raw(`
    create trigger ${table}_append_only before update or delete on ${table}
      for each row execute function refuse_change();
    create trigger ${table}_no_truncate before truncate on ${table}
      for each statement execute function refuse_change();
  `);
}
