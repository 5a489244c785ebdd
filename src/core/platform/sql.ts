// Written SQL statements with the service's names: camelCase in code, snake_case in the database.
import { snakeCaseMappers } from 'objection';
import type { Db, Trx } from './db.ts';
import { withoutPlatform } from './pure/platform-organization.ts';
import type { keptPlan } from './statements/kept-plans.ts';

type Binding = string | number | boolean | null | readonly (string | null)[] | readonly number[];
/** Values of `:name` in a statement. */
export type Bindings = Readonly<Record<string, Binding>>;

const names = snakeCaseMappers();

/**
 * Returns the rows of a written statement, with columns in camelCase. Each row is a copy of one shape: an object that grows by
 * more than sixteen members becomes a dictionary, which takes six times as long to create and three times as long to read.
 */
export async function rowsOf<T>(
  trx: Trx | Db,
  statement: string,
  bindings: Bindings,
  options: typeof keptPlan | undefined = undefined,
): Promise<T[]> {
  const result = await trx.raw<ArrayResult>(statement, bindings).options({ ...asArrays, ...options });
  const properties = result.fields.map(({ name }) => propertyName(name));
  const shape = { ...Object.fromEntries(properties.map((name) => [name, null])) };
  const rows = result.rows.map((values) => {
    const named: Record<string, unknown> = { ...shape };
    for (let at = 0; at < properties.length; at++) named[properties[at] as string] = values[at];
    return named as T;
  });
  return properties.includes('organizationId') ? rows.map(withoutPlatform) : rows;
}

/** Rows arrive as arrays, since objects with the database's names would be discarded at once. */
const asArrays = { rowMode: 'array' };

interface ArrayResult {
  readonly fields: readonly { readonly name: string }[];
  readonly rows: readonly (readonly unknown[])[];
}

/** A cache of property names; the columns of written statements are few. */
const propertyNames = new Map<string, string>();

function propertyName(column: string): string {
  const known = propertyNames.get(column);
  if (known !== undefined) return known;
  const name = Object.keys(names.parse({ [column]: null }) as object)[0] ?? column;
  propertyNames.set(column, name);
  return name;
}

/**
 * The organization in a statement that looks up rows of single students. While statistics do not include an organization,
 * PostgreSQL estimates no rows for it, so that every index that begins with the organization seems as good as the student's,
 * and it scans the whole organization for each student. It cannot look up the value of a subquery and estimates an average one.
 */
export const anyOrganization = '(select :organizationId::text)';

/**
 * Makes PostgreSQL plan the statements of the transaction for any values, those of foreign keys too. For an organization that
 * is newer than the statistics the planner would estimate one row, and scan all of its rows for each row that is written.
 */
export async function planForAnyValues(trx: Trx): Promise<void> {
  await trx.raw('set local plan_cache_mode = force_generic_plan');
}

/**
 * As `planForAnyValues`, before many rows are written: plans of the session are discarded too. A foreign key whose plan was
 * made while its table was small reads all of the table for each row that is written.
 */
export async function planAnewForAnyValues(trx: Trx): Promise<void> {
  await planForAnyValues(trx);
  await trx.raw('discard plans');
}

/**
 * Makes the statements of `work` use hash joins. The planner has no statistics of rows that were just written: it estimates
 * one, and reads all of them again for each row that it joins.
 */
export async function joinedByHash<T>(trx: Trx, work: () => Promise<T>): Promise<T> {
  await trx.raw('set local enable_nestloop = off');
  const result = await work();
  await trx.raw('set local enable_nestloop = on');
  return result;
}

/** Converts rows to the names of the database, each with its members in the same order. */
function storedRows(rows: readonly Record<string, unknown>[], properties: readonly string[]): object[] {
  const columns = properties.map(
    (property) => Object.keys(names.format({ [property]: null }) as object)[0] ?? property,
  );
  const shape = Object.fromEntries(columns.map((column) => [column, null]));
  return rows.map((row) => {
    const stored: Record<string, unknown> = { ...shape };
    for (let at = 0; at < columns.length; at++) stored[columns[at] as string] = row[properties[at] as string];
    return stored;
  });
}

/**
 * Inserts rows of one shape as one parameter, so that the protocol's limit of 65,535 parameters does not apply. Returns the
 * `returning` columns of each row, in order.
 */
export async function insertRows<Returned = unknown>(
  trx: Trx,
  table: string,
  rows: readonly object[],
  returning: readonly string[] = [],
): Promise<Returned[]> {
  const [first] = rows;
  if (!first) return [];
  const columns = Object.keys(first);
  const stored = storedRows(rows as readonly Record<string, unknown>[], columns);
  const list = (of: readonly string[]) => of.map(() => '??').join(', ');
  const answer = returning.length === 0 ? '' : `returning ${list(returning)}`;
  const result = await trx.raw<{ rows: object[] }>(
    `insert into ?? (${list(columns)}) select ${list(columns)} from jsonb_populate_recordset(null::??, ?::jsonb) ${answer}`,
    [table, ...columns, ...columns, table, JSON.stringify(stored), ...returning],
  );
  return result.rows.map((row) => names.parse(row as never) as Returned);
}
