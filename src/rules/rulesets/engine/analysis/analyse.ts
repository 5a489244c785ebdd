// All checks of a table before it may be published.
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

/** Returns the analysis of one table. Pipeline closure needs the whole set of tables: see `pipelineFindings`. */
export function analyseTable(table: Table, cases: readonly AnyCase[]): Analysis {
  const layers = layersOf(table.document);
  const cells = analyseByBoxes(layers);
  const failed = goldenFindings(table, cases);
  const mutation = mutationReport(table, holdingCases(table, cases));
  const all = [...tableFindings(layers, cells), ...failed, ...mutationFindings(mutation)];
  const findings = [...all.filter(({ level }) => level === 'error'), ...all.filter(({ level }) => level !== 'error')];
  return { findings, cells, mutation };
}

/** Cases that the table itself fails are left out, since they would appear to kill every mutant. */
const holdingCases = (table: Table, cases: readonly AnyCase[]): readonly GoldenCase[] =>
  cases.filter(isTableCase).filter((golden) => goldenFindings(table, [golden]).length === 0);
