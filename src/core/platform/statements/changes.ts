// What the query builder's statements change in chosen tables, as rows before and after: for whoever keeps a record of
// changes. The statement itself answers both, so that no use case can forget to tell and none asks for a row twice.
import type { Knex } from 'knex';
import { snakeCaseMappers } from 'objection';
import type { Trx } from '../db.ts';
import { rowsOf } from '../sql.ts';
import { tableOf } from './builder-table.ts';

/** A row as JSON, by the names of its columns. */
export type Image = Readonly<Record<string, unknown>>;

/** `before` is null for a row that was added, `after` for one that was removed. */
export interface Change {
  readonly table: string;
  readonly before: Image | null;
  readonly after: Image | null;
}

/** Told after each statement, within it: where this rejects, the statement has failed. */
export type Listener = (changes: readonly Change[]) => Promise<void>;

/** What is read of knex's builder and of what it compiles; `output` is how a dialect makes a statement's answer. */
interface Builder {
  readonly _method?: string;
  readonly _single?: { readonly table?: unknown; readonly merge?: unknown };
  readonly client: { processResponse(compiled: Compiled, runner: unknown): unknown };
  toSQL(): Knex.Sql;
}

interface Compiled extends Knex.Sql {
  returning?: unknown;
  response?: Response;
  output?: (this: unknown, response: Response) => Promise<unknown>;
}

interface Response {
  rows: Record<string, unknown>[];
}

interface Watched {
  listener: Listener;
  readonly keys: ReadonlyMap<string, readonly string[]>;
}

const writes: ReadonlySet<string> = new Set(['insert', 'update', 'del']);
const watched = new WeakMap<object, Watched>();
const done = new WeakSet<object>();
const { format: storedNames } = snakeCaseMappers();

/**
 * From here on, until the transaction ends: changes of `tables` by statements of the builder, those of savepoints too.
 * `before` is the row as the statement found it, so that whoever changes a row locks it first.
 */
export async function tellChanges(trx: Trx, tables: readonly string[], listener: Listener): Promise<void> {
  const known = watched.get(trx.client);
  if (known) {
    known.listener = listener;
    return;
  }
  const entered: Watched = { listener, keys: await keysOf(trx, tables) };
  watched.set(trx.client, entered);
  trx.client.on('start', (builder: Builder) => watch(builder, entered));
}

/** Builders of savepoints come here too. */
function watch(builder: Builder, watching: Watched): void {
  const { _method: method = '' } = builder;
  const [table, alias] = tableOf(builder._single?.table);
  const key = table === undefined ? undefined : watching.keys.get(table);
  if (!writes.has(method) || table === undefined || key === undefined || done.has(builder)) return;
  done.add(builder);
  const { toSQL } = builder;
  builder.toSQL = () => {
    const compiled: Compiled = toSQL.call(builder);
    return compiled.sql === '' ? compiled : telling(compiled, { builder, method, table, alias, key, watching });
  };
}

interface Statement {
  readonly builder: Builder;
  readonly method: string;
  readonly table: string;
  readonly alias: string;
  readonly key: readonly string[];
  readonly watching: Watched;
}

const [beforeColumn, afterColumn] = ['row_before', 'row_after'];

/** The statement, which also answers each row as it was and as it is. */
function telling(compiled: Compiled, statement: Statement): Compiled {
  const { builder, table, watching } = statement;
  return {
    ...compiled,
    sql: `${compiled.sql}${compiled.returning ? ',' : ' returning'} ${imagesOf(statement)}`,
    async output(response) {
      const changes = response.rows.map(({ [beforeColumn]: before, [afterColumn]: after }) => ({
        table,
        before,
        after,
      }));
      if (changes.length > 0) await watching.listener(changes as Change[]);
      response.rows = compiled.returning ? response.rows.map(withoutImages) : [];
      const { output: _ours, ...plain } = compiled;
      return builder.client.processResponse({ ...plain, response }, this);
    },
  };
}

/** A copy: an object that has lost a member takes several times as much memory. */
const withoutImages = ({ [beforeColumn]: _before, [afterColumn]: _after, ...asked }: Record<string, unknown>) => asked;

/**
 * A subquery sees the row as it was before the statement: nothing where the statement adds it, and an insert that does nothing
 * on a conflict answers what it has added alone.
 */
function imagesOf({ builder, method, table, alias, key }: Statement): string {
  const written = Object.keys(storedNames({ [alias]: 0 }))[0];
  const row = `to_jsonb("${written}".*)`;
  if (method === 'del') return `${row} as ${beforeColumn}, null as ${afterColumn}`;
  if (method === 'insert' && !builder._single?.merge) return `null as ${beforeColumn}, ${row} as ${afterColumn}`;
  const same = key.map((column) => `was.${column} = "${written}".${column}`).join(' and ');
  const before = `(select to_jsonb(was.*) from "${table}" as was where ${same})`;
  return `${before} as ${beforeColumn}, ${row} as ${afterColumn}`;
}

const keysOfDatabase = new WeakMap<object, Promise<ReadonlyMap<string, readonly string[]>>>();

/** Columns of the primary keys. Asked once of each database: the tables do not change while a process runs. */
function keysOf(trx: Trx, tables: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
  const known = keysOfDatabase.get(trx.client.config);
  if (known) return known;
  const asked = readKeys(trx, tables);
  keysOfDatabase.set(trx.client.config, asked);
  asked.catch(() => keysOfDatabase.delete(trx.client.config));
  return asked;
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
