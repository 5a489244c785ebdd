// What every table of one kind gets, so that no migration can forget its row-level security.
import type { Knex } from 'knex';
import { platformRole, runtimeRole } from '#core/platform/db.ts';

export type Privilege = 'select' | 'insert' | 'update' | 'delete';

const readWrite: readonly Privilege[] = ['select', 'insert', 'update', 'delete'];

/**
 * The run-time role sees and writes the rows of one organization, which an index can find: the policy has no other way
 * in. The platform's role sees those of all.
 */
export async function tenantTable(
  knex: Knex,
  table: string,
  privileges: readonly Privilege[] = readWrite,
): Promise<void> {
  await securedTable(knex, table, { privileges, mine: `organization_id = ${await inSight(knex)}`, all: 'true' });
}

/** A function since 20261128_70, asked once a statement. */
async function inSight(knex: Knex): Promise<string> {
  const { rows } = await knex.raw(`select to_regprocedure('public.tenant_in_sight()') is not null as proven`);
  return rows[0].proven ? '(select tenant_in_sight())' : "current_setting('app.organization_id', true)";
}

export interface Securing {
  readonly privileges: readonly Privilege[];
  /** What the run-time role may see and write. */
  readonly mine: string;
  /** What the platform's role may. */
  readonly all: string;
}

export async function securedTable(knex: Knex, table: string, { privileges, mine, all }: Securing): Promise<void> {
  await knex.raw(`
    alter table ${table} enable row level security;
    alter table ${table} force row level security;
    create policy tenant on ${table} to ${runtimeRole} using (${mine}) with check (${mine});
    create policy platform on ${table} to ${platformRole} using (${all}) with check (${all});
    grant ${privileges.join(', ')} on ${table} to ${runtimeRole}, ${platformRole};
  `);
}

/** A table without tenant rows (rules, catalogues). Backoffice writes are guarded by permissions and by grants. */
export async function platformTable(knex: Knex, table: string, privileges: readonly Privilege[]): Promise<void> {
  await knex.raw(`grant ${privileges.join(', ')} on ${table} to ${runtimeRole}, ${platformRole}`);
}

/** A table of the platform that the role of one organization has no business with. */
export async function backofficeTable(knex: Knex, table: string, privileges: readonly Privilege[]): Promise<void> {
  await knex.raw(`grant ${privileges.join(', ')} on ${table} to ${platformRole}`);
}

/**
 * Rows of an organization that are written once. Seals read them in the order of their numbers, in long ranges: blocks
 * that know their lowest and highest number are enough, and cost a thousandth of an entry a row.
 */
export async function ledgerTable(knex: Knex, table: string): Promise<void> {
  await tenantTable(knex, table, ['select', 'insert']);
  await appendOnly(knex, table);
  await knex.raw(`
    create index ${table}_numbers on ${table} using brin (${await numberOf(knex, table)})
      with (pages_per_range = 16, autosummarize = on)`);
}

/**
 * A ledger that is split by school year, so that a year can be put away whole. A year that has no part of its own yet is
 * in the default one.
 */
export async function yearlyLedger(knex: Knex, table: string): Promise<void> {
  await ledgerTable(knex, table);
  await knex.raw(`
    create table ${table}_default partition of ${table} default;
    select secure_ledger_part('${table}_default');
  `);
}

async function numberOf(knex: Knex, table: string): Promise<string> {
  const { rows } = await knex.raw(
    "select attname as name from pg_attribute where attrelid = ?::regclass and attidentity <> ''",
    [table],
  );
  return rows[0].name;
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

/** Rows may change, within what their own guard allows, and are never removed. */
export async function neverRemoved(knex: Knex, table: string): Promise<void> {
  await knex.raw(`
    create or replace function refuse_removal() returns trigger language plpgsql as $$
      begin
        raise exception '% keeps its rows', tg_table_name using errcode = 'restrict_violation';
      end $$;
    create trigger ${table}_stays before delete on ${table} for each row execute function refuse_removal();
    create trigger ${table}_no_truncate before truncate on ${table}
      for each statement execute function refuse_removal();
  `);
}
