// Statements that every table of one kind needs, so that no migration can forget its row-level security.
import type { Knex } from 'knex';
import { platformRole, runtimeRole } from '#core/platform/db.ts';

export type Privilege = 'select' | 'insert' | 'update' | 'delete';

const readWrite: readonly Privilege[] = ['select', 'insert', 'update', 'delete'];

/**
 * The run-time role reads and writes the rows of one organization, which an index can find. The platform's role reads
 * and writes those of all.
 */
export async function tenantTable(
  knex: Knex,
  table: string,
  privileges: readonly Privilege[] = readWrite,
): Promise<void> {
  await securedTable(knex, table, { privileges, mine: `organization_id = ${await inSight(knex)}`, all: 'true' });
}

/** A function since 20261128_70, called once for each statement. */
async function inSight(knex: Knex): Promise<string> {
  const { rows } = await knex.raw(`select to_regprocedure('public.tenant_in_sight()') is not null as proven`);
  return rows[0].proven ? '(select tenant_in_sight())' : "current_setting('app.organization_id', true)";
}

export interface Securing {
  readonly privileges: readonly Privilege[];
  /** Condition for the run-time role. */
  readonly mine: string;
  /** Condition for the platform's role. */
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

/** A table without tenant rows (rules, catalogues). Permissions and grants protect writes of the backoffice. */
export async function platformTable(knex: Knex, table: string, privileges: readonly Privilege[]): Promise<void> {
  await knex.raw(`grant ${privileges.join(', ')} on ${table} to ${runtimeRole}, ${platformRole}`);
}

/** A table of the platform that the role of an organization cannot access. */
export async function backofficeTable(knex: Knex, table: string, privileges: readonly Privilege[]): Promise<void> {
  await knex.raw(`grant ${privileges.join(', ')} on ${table} to ${platformRole}`);
}

/**
 * Rows of an organization that are written once. Seals read them in the order of their numbers, in long ranges: a block
 * range index suffices and takes a thousandth of the space for each row.
 */
export async function ledgerTable(knex: Knex, table: string): Promise<void> {
  await tenantTable(knex, table, ['select', 'insert']);
  await appendOnly(knex, table);
  await knex.raw(`
    create index ${table}_numbers on ${table} using brin (${await numberOf(knex, table)})
      with (pages_per_range = 16, autosummarize = on)`);
}

/**
 * A ledger that is partitioned by school year, so that a year can be archived as a whole. Rows of a year without a
 * partition are in the default one.
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

/** Rows are immutable and cannot be deleted, not even by the owner. */
export async function appendOnly(knex: Knex, table: string): Promise<void> {
  await knex.raw(`
    create trigger ${table}_append_only before update or delete on ${table}
      for each row execute function refuse_change();
    create trigger ${table}_no_truncate before truncate on ${table}
      for each statement execute function refuse_change();
  `);
}

/** Rows may be updated, within the limits of their own trigger, and are never deleted. */
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
