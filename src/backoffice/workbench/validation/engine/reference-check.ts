// Compares the compiled table with the stock engine, cell by cell: the last check before a text is published.
import {
  askReferenceEngine,
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
} from '#rules/rulesets/engine/index.ts';

/** All cells of tables up to this size are compared; of larger tables this many cells are sampled. */
export interface ReferenceEffort {
  readonly wholeUpTo: number;
  readonly sample: number;
}

/** While a person waits for findings. */
export const whileEditing: ReferenceEffort = { wholeUpTo: 2_000, sample: 500 };
/** Once, before the text is frozen. */
export const beforePublishing: ReferenceEffort = { wholeUpTo: 100_000, sample: 5_000 };

const seed = 20;
const shownDifferences = 5;

/** Returns ORACLE_MISMATCH for the first cells on which the compiled table and the stock engine disagree. */
export async function referenceEngineFindings(
  table: Table,
  { wholeUpTo, sample }: ReferenceEffort,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  const cells = cellCount(table) <= wholeUpTo ? cellsOf(table) : sampledCells(table, sample, seed);
  for (const facts of cells) {
    const ours = spoken(table.isFirstHit ? [decide(table, facts)] : collect(table, facts));
    const hits = await askReferenceEngine(table.document, facts);
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
  errorFinding('ORACLE_MISMATCH', 'engines_differ', {
    facts: JSON.stringify(facts),
    compiled: ours || 'nothing',
    stock: theirs || 'nothing',
  });
