// The ledgers: every table whose rows never change. They are found by the trigger that refuses changes, so that a new ledger is
// included automatically.

import type { Trx } from '#core/platform/db.ts';
import { modelOf } from '#core/platform/model.ts';
import { canonicalJson, sha256Hex } from '#core/platform/pure/canonical-json.ts';
import { platformOrganizationId } from '#core/platform/pure/platform-organization.ts';
import { rowsOf } from '#core/platform/sql.ts';

export interface LedgerTable {
  readonly table: string;
  /** The column that numbers its rows in the order of writing. */
  readonly key: string;
  readonly columns: string[];
}

export interface LedgerRow {
  readonly chain: string;
  readonly key: number;
  /** SHA-256 of the row's text. */
  readonly digest: string;
}

/** The chain's own table is left out, because its digests would have to include themselves. */
const chainTable = 'ledger_segment';

export const listLedgerTables = (trx: Trx): Promise<LedgerTable[]> =>
  rowsOf(
    trx,
    `select c.relname as "table",
       max(a.attname) filter (where a.attidentity <> '') as key,
       array_agg(a.attname::text order by a.attname) as columns
     from pg_trigger t join pg_class c on c.oid = t.tgrelid
     join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where t.tgname = c.relname || '_append_only' and c.relname <> :chainTable
     group by c.relname order by c.relname`,
    { chainTable },
  );

export interface RowRange {
  readonly after: number;
  readonly through: number;
  readonly limit: number;
  /** Restricts the rows to one chain. */
  readonly chain?: string;
}

/**
 * The text of a row is its columns as JSON in PostgreSQL's order, with instants in UTC. It is hashed in the database, because the
 * inputs of runs are large.
 */
export async function ledgerRows(
  trx: Trx,
  { table, key, columns }: LedgerTable,
  range: RowRange,
): Promise<LedgerRow[]> {
  await trx.raw("set local timezone = 'UTC'");
  return rowsOf(
    trx,
    `with numbered as (
       select r.${key} as key, ${chainOf(columns)} as chain, to_jsonb(r) as value
       from ${table} r where r.${key} > :after and r.${key} <= :through
         ${range.chain === undefined ? '' : `and ${chainOf(columns)} = :chain`})
     select key, chain, encode(sha256(convert_to((select jsonb_object_agg(k, v) from jsonb_each(value) as e (k, v)
       where k = any(:columns::text[]))::text, 'UTF8')), 'hex') as digest
     from numbered order by key limit :limit`,
    { after: range.after, through: range.through, limit: range.limit, columns, chain: range.chain ?? null },
  );
}

/** Rows of the platform's own organization are in the chain of those that have none. */
const chainOf = (columns: readonly string[]) =>
  columns.includes('organization_id') ? `coalesce(nullif(r.organization_id, '${platformOrganizationId}'), '')` : "''";

export interface Segment {
  readonly chain: string;
  readonly seq: number;
  readonly tableName: string;
  readonly columns: readonly string[];
  readonly keys: readonly number[];
  /** Concatenated digests of 64 hexadecimal digits each. */
  readonly digests: string;
  readonly previousHash: string;
  readonly hash: string;
}

export const LedgerSegment = modelOf<Segment & { readonly id: number; readonly at: string }>('ledger_segment');

interface MarkRow {
  readonly tableName: string;
  /** The number of the last sealed row. */
  readonly sealed: number;
  readonly pending: number | null;
  readonly horizon: string | null;
}

export const LedgerMark = modelOf<MarkRow>('ledger_mark', { id: 'tableName' });

export function segmentHash({ chain, seq, tableName, columns, keys, digests, previousHash }: Omit<Segment, 'hash'>) {
  return sha256Hex(previousHash + canonicalJson({ chain, seq, tableName, columns, keys, digests }));
}
