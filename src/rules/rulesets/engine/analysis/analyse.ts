// Everything that is asked of a table before it may be published.
import type { Table } from '../compile.ts';
import { type AnyCase, type GoldenCase, goldenFindings, isTableCase } from '../golden.ts';
import type { CellAnalysis } from './cell-analysis.ts';
import { analyseByBoxes } from './coverage/by-boxes.ts';
import { type AnalysisFinding, tableFindings } from './coverage/findings.ts';
import { layersOf } from './layers.ts';
import { type MutationReport, mutationFindings, mutationReport } from './mutation/mutation.ts';

export interface Analysis {
  /** Errors first. */
  readonly findings: readonly AnalysisFinding[];
  readonly cells: CellAnalysis;
  readonly mutation: MutationReport;
}

/** Pipeline closure is asked of a whole set of tables: `pipelineFindings`. */
export function analyseTable(table: Table, cases: readonly AnyCase[]): Analysis {
  const layers = layersOf(table.document);
  const cells = analyseByBoxes(layers);
  const failed = goldenFindings(table, cases);
  const mutation = mutationReport(table, holdingCases(table, cases));
  const all = [...tableFindings(layers, cells), ...failed, ...mutationFindings(mutation)];
  const findings = [...all.filter(({ level }) => level === 'error'), ...all.filter(({ level }) => level !== 'error')];
  return { findings, cells, mutation };
}

/** A case that the table itself fails would seem to notice every mistake. */
const holdingCases = (table: Table, cases: readonly AnyCase[]): readonly GoldenCase[] =>
  cases.filter(isTableCase).filter((golden) => goldenFindings(table, [golden]).length === 0);
