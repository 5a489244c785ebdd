// Captures what statements of the query builder change in audited tables, as rows before and after. The statement itself returns
// both, so that no use case can forget to record a change and none reads a row twice.
import type { Knex } from 'knex';
import { snakeCaseMappers } from 'objection';
import { rowsOf } from '../sql.ts';
import type { Trx } from '../trx.ts';
import { type Builder, isMerge, methodOf, targetOf } from './builder-parts.ts';

/** A row as JSON, by column name. */
export type Image = Readonly<Record<string, unknown>>;

/** `before` is null for an inserted row, `after` for a deleted one. */
export interface RowChange {
  readonly table: string;
  readonly before: Image | null;
  readonly after: Image | null;
}

/** Called after each statement, as part of it: if it rejects, the statement fails. */
export type ChangeListener = (changes: readonly RowChange[]) => Promise<void>;

/** A builder with the private parts that are replaced or called here. */
interface CompilingBuilder extends Builder {
  readonly client: { processResponse(compiled: Compiled, runner: unknown): unknown };
  toSQL(): Knex.Sql;
}

/** A compiled statement. A dialect calls `output` to make the result of the statement. */
interface Compiled extends Knex.Sql {
  returning?: unknown;
  response?: Response;
  output?: (this: unknown, response: Response) => Promise<unknown>;
}

interface Response {
  rows: Record<string, unknown>[];
}

interface Capture {
  listener: ChangeListener;
  readonly keys: ReadonlyMap<string, readonly string[]>;
}

const writes: ReadonlySet<string> = new Set(['insert', 'update', 'del']);
const captures = new WeakMap<object, Capture>();
const extendedBuilders = new WeakSet<object>();
const { format: storedNames } = snakeCaseMappers();

/**
 * Passes changes of `tables` by statements of the builder to `listener` until the transaction ends, those of savepoints included.
 * A later call replaces the listener. `before` is the row as the statement found it: callers lock a row before they change it.
 */
export async function captureChanges(trx: Trx, tables: readonly string[], listener: ChangeListener): Promise<void> {
  const present = captures.get(trx.client);
  if (present) {
    present.listener = listener;
    return;
  }
  const capture: Capture = { listener, keys: await keysOf(trx, tables) };
  captures.set(trx.client, capture);
  trx.client.on('start', (builder: CompilingBuilder) => extendBuilder(builder, capture));
}

/** Also called with builders of savepoints. */
function extendBuilder(builder: CompilingBuilder, capture: Capture): void {
  const method = methodOf(builder);
  const [table, alias] = targetOf(builder);
  const key = table === undefined ? undefined : capture.keys.get(table);
  if (!writes.has(method) || table === undefined || key === undefined || extendedBuilders.has(builder)) return;
  extendedBuilders.add(builder);
  const { toSQL } = builder;
  builder.toSQL = () => {
    const compiled: Compiled = toSQL.call(builder);
    return compiled.sql === '' ? compiled : withImages(compiled, { builder, method, table, alias, key, capture });
  };
}

interface Statement {
  readonly builder: CompilingBuilder;
  readonly method: string;
  readonly table: string;
  readonly alias: string;
  readonly key: readonly string[];
  readonly capture: Capture;
}

const [beforeColumn, afterColumn] = ['row_before', 'row_after'];

/** Returns the statement, extended so that it also returns each row before and after the change. */
function withImages(compiled: Compiled, statement: Statement): Compiled {
  const { builder, table, capture } = statement;
  return {
    ...compiled,
    sql: `${compiled.sql}${compiled.returning ? ',' : ' returning'} ${imagesOf(statement)}`,
    async output(response) {
      const changes = response.rows.map(({ [beforeColumn]: before, [afterColumn]: after }) => ({
        table,
        before,
        after,
      }));
      if (changes.length > 0) await capture.listener(changes as RowChange[]);
      response.rows = compiled.returning ? response.rows.map(withoutImages) : [];
      const { output: _ours, ...plain } = compiled;
      return builder.client.processResponse({ ...plain, response }, this);
    },
  };
}

/** Copies the row: an object with a deleted member takes several times as much memory. */
const withoutImages = ({ [beforeColumn]: _before, [afterColumn]: _after, ...row }: Record<string, unknown>) => row;

/**
 * Returns the two columns. A subquery sees the row as it was before the statement: none if the statement inserts it. An insert
 * that does nothing on a conflict returns only the rows that it has added.
 */
function imagesOf({ builder, method, table, alias, key }: Statement): string {
  const written = Object.keys(storedNames({ [alias]: 0 }))[0];
  const row = `to_jsonb("${written}".*)`;
  if (method === 'del') return `${row} as ${beforeColumn}, null as ${afterColumn}`;
  if (method === 'insert' && !isMerge(builder)) return `null as ${beforeColumn}, ${row} as ${afterColumn}`;
  const same = key.map((column) => `was.${column} = "${written}".${column}`).join(' and ');
  const before = `(select to_jsonb(was.*) from "${table}" as was where ${same})`;
  return `${before} as ${beforeColumn}, ${row} as ${afterColumn}`;
}

const keysOfDatabase = new WeakMap<object, Promise<ReadonlyMap<string, readonly string[]>>>();

/** Returns the columns of the primary keys. They are read once per database: tables do not change while a process runs. */
function keysOf(trx: Trx, tables: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
  const known = keysOfDatabase.get(trx.client.config);
  if (known) return known;
  const reading = readKeys(trx, tables);
  keysOfDatabase.set(trx.client.config, reading);
  reading.catch(() => keysOfDatabase.delete(trx.client.config));
  return reading;
}

async function readKeys(trx: Trx, tables: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await rowsOf<{ name: string; columns: string[] }>(
    trx,
    `select c.relname::text as name, array_agg(a.attname::text) as columns
     from pg_constraint k join pg_class c on c.oid = k.conrelid
     join pg_attribute a on a.attrelid = c.oid and a.attnum = any (k.conkey)
     where k.contype = 'p' and c.relnamespace = 'public'::regnamespace and c.relname = any (:tables)
     group by c.relname`,
    { tables },
  );
  const keys = new Map(rows.map(({ name, columns }) => [name, columns]));
  const missing = tables.find((table) => !keys.has(table));
  if (missing !== undefined) throw new Error(`table ${missing} is not there, or has no primary key`);
  return keys;
}
