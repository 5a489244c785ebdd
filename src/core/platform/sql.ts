// Statements on many rows at once, with the service's names: camelCase in code, snake_case in the database.
import { snakeCaseMappers } from 'objection';
import type { Db, Trx } from './db.ts';
import { withoutPlatform } from './pure/platform-organization.ts';
import type { keptPlan } from './statements/kept-plans.ts';

type Binding = string | number | boolean | null | readonly (string | null)[] | readonly number[];
/** Values of `:name` in a statement. */
export type Bindings = Readonly<Record<string, Binding>>;

const names = snakeCaseMappers();

/**
 * Rows of a statement written out, their columns in camelCase. Each is a copy of one shape: an object that grows by more than
 * sixteen members becomes a dictionary, which takes six times as long to make and three times as long to read.
 */
export async function rowsOf<T>(
  trx: Trx | Db,
  statement: string,
  bindings: Bindings,
  options: typeof keptPlan | undefined = undefined,
): Promise<T[]> {
  const answer = await trx.raw<Answer>(statement, bindings).options({ ...asLists, ...options });
  const properties = answer.fields.map(({ name }) => propertyName(name));
  const shape = { ...Object.fromEntries(properties.map((name) => [name, null])) };
  const rows = answer.rows.map((values) => {
    const named: Record<string, unknown> = { ...shape };
    for (let at = 0; at < properties.length; at++) named[properties[at] as string] = values[at];
    return named as T;
  });
  return properties.includes('organizationId') ? rows.map(withoutPlatform) : rows;
}

/** An object with the names of the database would only be made to be thrown away. */
const asLists = { rowMode: 'array' };

interface Answer {
  readonly fields: readonly { readonly name: string }[];
  readonly rows: readonly (readonly unknown[])[];
}

/** Of the columns of written statements, which are not many. */
const propertyNames = new Map<string, string>();

function propertyName(column: string): string {
  const known = propertyNames.get(column);
  if (known !== undefined) return known;
  const name = Object.keys(names.parse({ [column]: null }) as object)[0] ?? column;
  propertyNames.set(column, name);
  return name;
}

/**
 * The organization of a statement that looks up rows of single students. While statistics do not know an organization,
 * PostgreSQL expects no rows of it, so that every index that begins with the organization seems as good as the student's, and
 * it walks the whole organization for each student. What a subquery will answer it cannot look up: it expects an average one.
 */
export const anyOrganization = '(select :organizationId::text)';

/**
 * Until the transaction ends, statements are planned for any values, those of foreign keys too. For an organization that came
 * after the newest statistics the planner expects one row, and would walk all that it has for each row that is written.
 */
export async function planForAnyValues(trx: Trx): Promise<void> {
  await trx.raw('set local plan_cache_mode = force_generic_plan');
}

/**
 * The same where many rows are about to be written. What the session has planned before is planned anew when it is next needed:
 * a foreign key whose plan was made while its table was small reads all of the table for each row that is written.
 */
export async function planAnewForAnyValues(trx: Trx): Promise<void> {
  await planForAnyValues(trx);
  await trx.raw('discard plans');
}

/**
 * Statements of `work` join whole sets by hash. Of rows that were just written the planner knows no numbers: it expects one,
 * and reads all of them again for each row that it joins.
 */
export async function joinedByHash<T>(trx: Trx, work: () => Promise<T>): Promise<T> {
  await trx.raw('set local enable_nestloop = off');
  const result = await work();
  await trx.raw('set local enable_nestloop = on');
  return result;
}

/** By the names of the database, each with its members in the same order. */
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
 * Inserts rows of one shape as one parameter, so that their number is not bound by the protocol's 65,535. Answers the
 * `returning` columns of each, in order.
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
