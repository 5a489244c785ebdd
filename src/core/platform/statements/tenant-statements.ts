// Every statement that the query builder makes on rows of an organization names the organization of its transaction, for each
// of its tables and in the statements inside it: the policy would hold without, but an index, a partition or another server
// is found by what the statement says.
import type { Knex } from 'knex';
import type { Trx } from '../trx.ts';
import {
  type Builder,
  conditionsOf,
  type Join,
  joinsOf,
  methodOf,
  tableOf,
  targetOf,
  visitInner,
} from './builder-parts.ts';

interface Scope {
  organizationId: string | null;
  readonly tables: ReadonlySet<string>;
}

const named: ReadonlySet<string> = new Set(['select', 'first', 'pluck', 'update', 'del']);
const scopes = new WeakMap<object, Scope>();
const tablesOfDatabase = new WeakMap<object, Promise<ReadonlySet<string>>>();
const done = new WeakSet<object>();
const columnName = /(?:^|\.)organization_?id$/i;

/** From here on, until the transaction ends or is given another; null: those of all organizations are meant. */
export async function nameOrganization(trx: Trx, organizationId: string | null): Promise<void> {
  const scope = scopes.get(trx.client);
  if (scope) {
    scope.organizationId = organizationId;
    return;
  }
  const entered: Scope = { organizationId, tables: await tenantTables(trx) };
  scopes.set(trx.client, entered);
  trx.client.on('start', (builder: Knex.QueryBuilder & Builder) => addOrganization(builder, entered));
}

/** Whether the transaction is in the context of one organization, with the role that sees its rows alone. */
export const namesOne = (trx: Trx): boolean => (scopes.get(trx.client)?.organizationId ?? null) !== null;

/** Builders of savepoints come here too: first to their own scope, where they have one. */
function addOrganization(builder: Knex.QueryBuilder & Builder, scope: Scope): void {
  if (done.has(builder)) return;
  done.add(builder);
  const { organizationId, tables } = scope;
  if (organizationId === null) return;
  const [table, alias] = targetOf(builder);
  if (named.has(methodOf(builder))) {
    const isNamed = conditionsOf(builder).some((column) => isOf(column, alias));
    if (table !== undefined && tables.has(table) && !isNamed) builder.where(`${alias}.organizationId`, organizationId);
    for (const join of joinsOf(builder)) addToJoin(join, organizationId, tables);
  }
  visitInner(builder, (inner) => addOrganization(inner as Knex.QueryBuilder & Builder, scope));
}

function addToJoin(join: Join, organizationId: string, tables: Scope['tables']): void {
  const [table, alias] = tableOf(join.table);
  if (table === undefined || !tables.has(table) || done.has(join)) return;
  done.add(join);
  if (!join.clauses.some(({ column, value }) => isOf(column, alias) || isOf(value, alias))) {
    join.onVal(`${alias}.organizationId`, organizationId);
  }
}

/** `organizationId`, or the one of `alias`. */
const isOf = (column: unknown, alias: string): boolean =>
  typeof column === 'string' && columnName.test(column) && (!column.includes('.') || column.startsWith(`${alias}.`));

/** Asked once of each database: the tables do not change while a process runs. */
function tenantTables(trx: Trx): Promise<ReadonlySet<string>> {
  const known = tablesOfDatabase.get(trx.client.config);
  if (known) return known;
  const asked = readTenantTables(trx);
  tablesOfDatabase.set(trx.client.config, asked);
  asked.catch(() => tablesOfDatabase.delete(trx.client.config));
  return asked;
}

async function readTenantTables(trx: Trx): Promise<ReadonlySet<string>> {
  const { rows } = await trx.raw<{ rows: { name: string }[] }>(`
    select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'organization_id'
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v') and not c.relispartition`);
  return new Set(rows.map(({ name }) => name));
}
