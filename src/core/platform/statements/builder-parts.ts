// Reads private parts of knex's builders: the table of a statement, the tables that it joins, and the statements inside it.
import type { Knex } from 'knex';
import { snakeCaseMappers } from 'objection';

const { format: storedNames } = snakeCaseMappers();

export interface Builder {
  readonly _method?: string;
  readonly _single?: { readonly table?: unknown; readonly insert?: unknown; readonly merge?: unknown };
  readonly _statements?: readonly Part[];
}

interface Part {
  readonly grouping?: string;
  readonly joinType?: string;
  readonly column?: unknown;
  readonly table?: unknown;
  value?: unknown;
}

export interface Join extends Knex.JoinClause {
  readonly table?: unknown;
  readonly clauses: readonly { readonly column?: unknown; readonly value?: unknown }[];
}

type Visit = (inner: Builder) => void;

/** Returns `select`, `first`, `pluck`, `insert`, `update` or `del`, and an empty text for other builders. */
export const methodOf = (builder: Builder): string => builder._method ?? '';

/** Returns the table that the statement is about. */
export const targetOf = (builder: Builder) => tableOf(builder._single?.table);

/** Returns whether an insert changes rows that exist already. */
export const isMerge = (builder: Builder): boolean => Boolean(builder._single?.merge);

const isBuilder = (value: unknown): value is Builder =>
  typeof value === 'object' && value !== null && '_method' in value && '_statements' in value;

const partsOf = (builder: Builder): readonly Part[] => builder._statements ?? [];

/** Returns the joins, except those written as SQL. */
export const joinsOf = (builder: Builder): readonly Join[] =>
  partsOf(builder).filter(
    ({ grouping, joinType }) => grouping === 'join' && joinType !== undefined && joinType !== 'raw',
  ) as unknown as readonly Join[];

/** Returns the columns in the conditions of `builder` itself. */
export const conditionsOf = (builder: Builder): readonly unknown[] =>
  partsOf(builder).flatMap(({ grouping, column }) => (grouping === 'where' ? [column] : []));

/** Calls `visit` with each statement inside `builder`, and with a statement that a function builds once it is built. */
export function visitInner(builder: Builder, visit: Visit): void {
  const { table, insert } = builder._single ?? {};
  for (const value of [builder, table, insert]) visitValue(value, builder, visit);
  for (const part of partsOf(builder)) {
    for (const value of [part.table, part.value].flat()) visitValue(value, builder, visit);
    if (typeof part.value === 'function') part.value = visited(part.value as Visit, visit);
  }
}

/** Visits a builder, or the builders among the bindings of a written text. */
function visitValue(value: unknown, outer: Builder, visit: Visit): void {
  if (isBuilder(value)) {
    if (value !== outer) visit(value);
  } else if (typeof value === 'object' && value !== null && 'bindings' in value) {
    const { bindings } = value;
    for (const bound of Array.isArray(bindings) ? bindings : []) if (isBuilder(bound)) visit(bound);
  }
}

function visited(write: Visit, visit: Visit): Visit {
  return function written(this: Builder, builder) {
    write.call(this, builder);
    visit(builder);
  };
}

/** Returns, for `enrollment as e`, the name of the table in the database and its name in the statement. */
export function tableOf(written: unknown): readonly [table: string | undefined, alias: string] {
  if (typeof written !== 'string') return [undefined, ''];
  const [name = '', alias = name] = written.split(/ as /i);
  return [Object.keys(storedNames({ [name]: 0 }))[0], alias];
}
