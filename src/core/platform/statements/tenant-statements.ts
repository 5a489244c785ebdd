// Makes every statement of the query builder on rows of an organization name the organization of its transaction, for each of
// its tables and in inner statements. Row-level security would hold without it, but indexes, partitions and shards are chosen
// by the statement.
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

const scopedMethods: ReadonlySet<string> = new Set(['select', 'first', 'pluck', 'update', 'del']);
const scopes = new WeakMap<object, Scope>();
const tablesOfDatabase = new WeakMap<object, Promise<ReadonlySet<string>>>();
const visited = new WeakSet<object>();
const columnName = /(?:^|\.)organization_?id$/i;

/** Sets the organization of the transaction's statements until its end or the next call; null means all organizations. */
export async function setStatementOrganization(trx: Trx, organizationId: string | null): Promise<void> {
  const scope = scopes.get(trx.client);
  if (scope) {
    scope.organizationId = organizationId;
    return;
  }
  const entered: Scope = { organizationId, tables: await tenantTables(trx) };
  scopes.set(trx.client, entered);
  trx.client.on('start', (builder: Knex.QueryBuilder & Builder) => addOrganization(builder, entered));
}

/** Returns whether the transaction is in the context of one organization, with the role that sees its rows alone. */
export const isOfOneOrganization = (trx: Trx): boolean => (scopes.get(trx.client)?.organizationId ?? null) !== null;

/** Builders of savepoints are visited twice: for their own scope, if they have one, and for the outer one. */
function addOrganization(builder: Knex.QueryBuilder & Builder, scope: Scope): void {
  if (visited.has(builder)) return;
  visited.add(builder);
  const { organizationId, tables } = scope;
  if (organizationId === null) return;
  const [table, alias] = targetOf(builder);
  if (scopedMethods.has(methodOf(builder))) {
    const isNamed = conditionsOf(builder).some((column) => isOf(column, alias));
    if (table !== undefined && tables.has(table) && !isNamed) builder.where(`${alias}.organizationId`, organizationId);
    for (const join of joinsOf(builder)) addToJoin(join, organizationId, tables);
  }
  visitInner(builder, (inner) => addOrganization(inner as Knex.QueryBuilder & Builder, scope));
}

function addToJoin(join: Join, organizationId: string, tables: Scope['tables']): void {
  const [table, alias] = tableOf(join.table);
  if (table === undefined || !tables.has(table) || visited.has(join)) return;
  visited.add(join);
  if (!join.clauses.some(({ column, value }) => isOf(column, alias) || isOf(value, alias))) {
    join.onVal(`${alias}.organizationId`, organizationId);
  }
}

/** Returns whether a column is `organizationId`, or that of `alias`. */
const isOf = (column: unknown, alias: string): boolean =>
  typeof column === 'string' && columnName.test(column) && (!column.includes('.') || column.startsWith(`${alias}.`));

/** Queried once per database, since the tables do not change while a process runs. */
function tenantTables(trx: Trx): Promise<ReadonlySet<string>> {
  const known = tablesOfDatabase.get(trx.client.config);
  if (known) return known;
  const tables = readTenantTables(trx);
  tablesOfDatabase.set(trx.client.config, tables);
  tables.catch(() => tablesOfDatabase.delete(trx.client.config));
  return tables;
}

async function readTenantTables(trx: Trx): Promise<ReadonlySet<string>> {
  const { rows } = await trx.raw<{ rows: { name: string }[] }>(`
    select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'organization_id'
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v') and not c.relispartition`);
  return new Set(rows.map(({ name }) => name));
}
