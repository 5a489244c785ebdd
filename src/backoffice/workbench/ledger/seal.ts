// The only writer of the chains. Rows are sealed some minutes after they were written, when no transaction can still add a row
// below them: a mark is set, then the open transactions are stored, and once all of them have ended the rows up to the mark are
// sealed. Writers of a ledger never wait for it.

import type { Services } from '#core/module/services.ts';
import { inContext, type Trx } from '#core/platform/db.ts';
import { acquireLock } from '#core/platform/locks.ts';
import { eachInTurn } from '#core/platform/pure/lists/each-in-turn.ts';
import { rowsOf } from '#core/platform/sql.ts';
import {
  LedgerMark,
  type LedgerRow,
  LedgerSegment,
  type LedgerTable,
  ledgerRows,
  listLedgerTables,
  type Segment,
  segmentHash,
} from './ledgers.ts';

const rowsAtOnce = 500;

interface Mark {
  readonly sealed: number;
  readonly pending: number | null;
  /** Whether the transactions that were open at that time are stored and have ended. */
  readonly isPassed: boolean | null;
}

/** Runs one step for every ledger; a row is sealed by the third step after it was written. A failure stops no other ledger. */
export async function sealLedgers({ db, clock, log }: Pick<Services, 'db' | 'clock' | 'log'>): Promise<void> {
  await eachInTurn(
    await inContext(db, 'SUPER', listLedgerTables),
    async (ledger) => {
      while (await inContext(db, 'SUPER', (trx) => sealStep(trx, ledger, clock.now())));
    },
    (error, { table }) => log.error({ err: error, table }, 'ledger is not sealed'),
  );
}

/** Returns true when there is more to seal at once. */
async function sealStep(trx: Trx, ledger: LedgerTable, now: Date): Promise<boolean> {
  await acquireLock(trx, 'ledgerSeal');
  const mark = await markOf(trx, ledger);
  const own = LedgerMark.query(trx).where({ tableName: ledger.table });
  if (mark.pending === null) {
    const newest = await newestAfter(trx, ledger, mark.sealed);
    if (newest > mark.sealed) await own.update({ pending: newest });
    return false;
  }
  if (mark.isPassed === null) await own.update({ horizon: trx.raw('pg_snapshot_xmax(pg_current_snapshot())') });
  if (mark.isPassed !== true) return false;
  const rows = await ledgerRows(trx, ledger, { after: mark.sealed, through: mark.pending, limit: rowsAtOnce });
  await appendSegments(trx, ledger, rows, now);
  const isLast = rows.length < rowsAtOnce;
  const sealed = rows.at(-1)?.key ?? mark.sealed;
  await own.update(isLast ? { sealed: mark.pending, pending: null, horizon: null } : { sealed });
  return !isLast;
}

/** Reads only blocks with higher numbers. */
async function newestAfter(trx: Trx, { table, key }: LedgerTable, sealed: number): Promise<number> {
  const row = await trx(table).where(key, '>', sealed).max({ newest: key }).first();
  return row?.newest ?? 0;
}

async function markOf(trx: Trx, { table }: LedgerTable): Promise<Mark> {
  await LedgerMark.query(trx).insert({ tableName: table, sealed: 0 }).onConflict().ignore();
  const [mark] = await rowsOf<Mark>(
    trx,
    `select sealed, pending, horizon <= pg_snapshot_xmin(pg_current_snapshot()) as is_passed
     from ledger_mark where table_name = :table`,
    { table },
  );
  return mark ?? { sealed: 0, pending: null, isPassed: null };
}

async function appendSegments(trx: Trx, ledger: LedgerTable, rows: readonly LedgerRow[], now: Date): Promise<void> {
  for (const chain of new Set(rows.map((row) => row.chain))) {
    const own = rows.filter((row) => row.chain === chain);
    const last: Segment | undefined = await LedgerSegment.query(trx).where({ chain }).orderBy('seq', 'desc').first();
    const segment = {
      ...{ chain, seq: (last?.seq ?? 0) + 1, tableName: ledger.table, columns: ledger.columns },
      keys: own.map(({ key }) => key),
      digests: own.map(({ digest }) => digest).join(''),
      previousHash: last?.hash ?? '',
    };
    await LedgerSegment.query(trx).insert({ ...segment, hash: segmentHash(segment), at: now.toISOString() });
  }
}
