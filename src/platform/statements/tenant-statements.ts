// Every statement that the query builder makes on rows of an organization names the organization of its transaction: the
// policy would hold without, but an index, a partition or another server is found by what the statement says.
import type { Knex } from 'knex';
import type { Trx } from '../db.ts';
import { tableOf } from './builder-table.ts';

/** What is read of knex's builder. */
interface Builder {
  readonly _method?: string;
  readonly _single?: { readonly table?: unknown };
  readonly _statements?: readonly { readonly grouping?: string; readonly column?: unknown }[];
}

interface Scope {
  organizationId: string | null;
  readonly tables: ReadonlySet<string>;
}

const named: ReadonlySet<string> = new Set(['select', 'first', 'pluck', 'update', 'del']);
const scopes = new WeakMap<object, Scope>();
const tablesOfDatabase = new WeakMap<object, Promise<ReadonlySet<string>>>();
const done = new WeakSet<object>();

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
function addOrganization(builder: Knex.QueryBuilder & Builder, { organizationId, tables }: Scope): void {
  if (!named.has(builder._method ?? '') || done.has(builder)) return;
  done.add(builder);
  const [table, alias] = tableOf(builder._single?.table);
  if (organizationId === null || table === undefined || !tables.has(table)) return;
  if (!builder._statements?.some(namesOrganization)) builder.where(`${alias}.organizationId`, organizationId);
}

const namesOrganization = ({ grouping, column }: { grouping?: string; column?: unknown }) =>
  grouping === 'where' && typeof column === 'string' && /organization_?id$/i.test(column);

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
