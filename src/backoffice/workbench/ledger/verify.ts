// Verifies the chains against the data, row by row in constant memory, and returns the first row that does not match.
import { type Db, inReadOnlyContext, type Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { type AttestedHead, type Attester, attestedHeads } from './attest.ts';
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

export interface Broken {
  readonly table: string;
  /** The number of the row in its table. */
  readonly key: number;
  readonly problem: 'changed' | 'missing' | 'not sealed' | 'chain broken' | 'not as attested' | 'bad signature';
}

export interface ChainProof {
  /** An organization's id; empty for the platform. */
  readonly chain: string;
  readonly segments: number;
  readonly rows: number;
  /** The head, to be compared with the one in the log. */
  readonly head: string;
  readonly attested: number;
  /** Null when everything matches. */
  readonly broken: Broken | null;
}

const digestLength = 64;

/** Includes organizations that have been erased, since their sealed rows and attestations are kept. */
export const chainsOf = async (db: Db): Promise<string[]> =>
  inReadOnlyContext(db, 'SUPER', async (trx) => {
    const chains = await rowsOf<{ chain: string }>(
      trx,
      `select id as chain from organization union select chain from ledger_segment
       union select payload::jsonb -> 'ledger' ->> 'chain' from rule_attestation
         where payload::jsonb -> 'ledger' ->> 'chain' is not null
       union select '' order by chain`,
      {},
    );
    return chains.map(({ chain }) => chain);
  });

/** Reads each segment in a transaction of its own, and calls `onSegment` with the progress after each. */
export async function verifyChain(
  db: Db,
  chain: string,
  attester: Attester,
  onSegment: (soFar: Readonly<Pick<ChainProof, 'segments' | 'rows'>>) => void = () => {},
): Promise<ChainProof> {
  const reading = <T>(work: (trx: Trx) => Promise<T>) => inReadOnlyContext(db, 'SUPER', work);
  const { ledgers, heads, marks } = await reading(async (trx) => ({
    ledgers: new Map((await listLedgerTables(trx)).map((ledger) => [ledger.table, ledger])),
    heads: await attestedHeads(trx, chain, attester),
    marks: (await LedgerMark.query(trx)) as { tableName: string; sealed: number }[],
  }));
  const forged = heads.find(({ isSigned }) => !isSigned);
  const proof = { chain, segments: 0, rows: 0, head: '', attested: heads.length };
  if (forged) return { ...proof, broken: { table: 'rule_attestation', key: forged.id, problem: 'bad signature' } };
  const recorded = byCount(heads);
  const through = new Map<string, number>();
  for (;;) {
    const seq = proof.segments + 1;
    const segment = await reading((trx) => segmentAt(trx, chain, seq));
    if (!segment) break;
    const broken =
      brokenLink(segment, proof.head) ??
      (await reading((trx) => brokenRow(trx, segment, ledgers.get(segment.tableName), through))) ??
      null;
    if (broken) return { ...proof, broken };
    proof.segments = seq;
    proof.rows += segment.keys.length;
    proof.head = segment.hash;
    const other = (recorded.get(seq) ?? []).find(({ head }) => head !== segment.hash);
    if (other) return { ...proof, broken: notAsAttested(other.id) };
    onSegment(proof);
  }
  const cut = heads.find(({ count }) => count > proof.segments);
  if (cut) return { ...proof, broken: notAsAttested(cut.id) };
  return { ...proof, broken: await reading((trx) => unsealedRow(trx, chain, ledgers, marks, through)) };
}

function byCount(heads: readonly AttestedHead[]): Map<number, AttestedHead[]> {
  const found = new Map<number, AttestedHead[]>();
  for (const head of heads) found.set(head.count, [...(found.get(head.count) ?? []), head]);
  return found;
}

const notAsAttested = (key: number): Broken => ({ table: 'rule_attestation', key, problem: 'not as attested' });

const segmentAt = (trx: Trx, chain: string, seq: number): Promise<Segment | undefined> =>
  LedgerSegment.query(trx).where({ chain, seq }).first().execute();

function brokenLink(segment: Segment, head: string): Broken | undefined {
  const holds = segment.previousHash === head && segment.hash === segmentHash(segment);
  return holds ? undefined : { table: 'ledger_segment', key: segment.seq, problem: 'chain broken' };
}

/** The rows between the last sealed one of the table and the last one of this segment must be those of the segment. */
async function brokenRow(
  trx: Trx,
  { chain, tableName: table, columns, keys, digests }: Segment,
  ledger: LedgerTable | undefined,
  through: Map<string, number>,
): Promise<Broken | undefined> {
  const last = keys.at(-1) ?? 0;
  const range = { after: through.get(table) ?? 0, through: last, limit: keys.length + 1, chain };
  const rows = ledger ? await ledgerRows(trx, { ...ledger, columns: [...columns] }, range) : [];
  through.set(table, last);
  return keys
    .map((key, at) => problemAt(table, rows, at, key, digests.slice(at * digestLength, (at + 1) * digestLength)))
    .find((problem) => problem !== undefined);
}

function problemAt(table: string, rows: readonly LedgerRow[], at: number, key: number, digest: string) {
  const row = rows[at];
  if (row?.key === key) return row.digest === digest ? undefined : { table, key, problem: 'changed' as const };
  return row && row.key < key
    ? { table, key: row.key, problem: 'not sealed' as const }
    : { table, key, problem: 'missing' as const };
}

async function unsealedRow(
  trx: Trx,
  chain: string,
  ledgers: ReadonlyMap<string, LedgerTable>,
  marks: readonly { readonly tableName: string; readonly sealed: number }[],
  through: ReadonlyMap<string, number>,
): Promise<Broken | null> {
  for (const { tableName: table, sealed } of marks) {
    const ledger = ledgers.get(table);
    if (!ledger || (chain !== '' && !ledger.columns.includes('organization_id'))) continue;
    const range = { after: through.get(table) ?? 0, through: sealed, limit: 1, chain };
    const [row] = await ledgerRows(trx, ledger, range);
    if (row) return { table, key: row.key, problem: 'not sealed' };
  }
  return null;
}
