// The stock engine is asked what the table says, cell by cell: the last check before a text becomes a rule.
import {
  askOracle,
  cellCount,
  cellsOf,
  collect,
  type Decision,
  decide,
  errorFinding,
  type Facts,
  type Finding,
  sampledCells,
  type Table,
} from '../../../rulesets/index.ts';

/** Tables up to this size are put to the oracle whole; of larger ones as many cells are drawn. */
export interface OracleEffort {
  readonly wholeUpTo: number;
  readonly sample: number;
}

/** While a person waits for findings… */
export const whileEditing: OracleEffort = { wholeUpTo: 2_000, sample: 500 };
/** …and once, before the text is frozen. */
export const beforePublishing: OracleEffort = { wholeUpTo: 100_000, sample: 5_000 };

const seed = 20;
const shownDifferences = 5;

/** ORACLE_MISMATCH for the first cells on which the compiled table and the stock engine do not say the same. */
export async function oracleFindings(table: Table, { wholeUpTo, sample }: OracleEffort): Promise<Finding[]> {
  const findings: Finding[] = [];
  const cells = cellCount(table) <= wholeUpTo ? cellsOf(table) : sampledCells(table, sample, seed);
  for (const facts of cells) {
    const ours = spoken(table.isFirstHit ? [decide(table, facts)] : collect(table, facts));
    const hits = await askOracle(table.document, facts);
    const theirs = spoken(table.isFirstHit ? hits.slice(0, 1) : hits);
    if (ours === theirs) continue;
    findings.push(mismatch(facts, ours, theirs));
    if (findings.length === shownDifferences) break;
  }
  return findings;
}

const spoken = (hits: readonly Decision[]): string =>
  hits.map(({ ruleId, outcome }) => `${ruleId} ${outcome}`).join(', ');

const mismatch = (facts: Facts, ours: string, theirs: string): Finding =>
  errorFinding(
    'ORACLE_MISMATCH',
    `${JSON.stringify(facts)}: compiled ${ours || 'nothing'}, stock engine ${theirs || 'nothing'}`,
  );
