// The analysis that stands before a publication, on tables as they lie on disk.
import { interventionWires } from '../../src/interventions/rules/wires.ts';
import { type Analysis, analyseTable } from '../../src/rulesets/engine/analysis/analyse.ts';
import { analyseByCells, maxCells } from '../../src/rulesets/engine/analysis/coverage/by-cells.ts';
import { pipelineFindings } from '../../src/rulesets/engine/analysis/pipeline/pipeline.ts';
import { cellCount } from '../../src/rulesets/engine/boundaries/cells.ts';
import { compileTable, type Table } from '../../src/rulesets/engine/compile.ts';
import { documentName } from '../../src/rulesets/engine/document/document.ts';
import { isError } from '../../src/rulesets/engine/document/findings.ts';
import { skillStatusWires } from '../../src/skill-status/engine/wires.ts';
import { findTables, type LoadedTable, newestTables } from './documents.ts';
import { type Output, percent } from './terminal.ts';

interface Result extends Analysis {
  readonly id: string;
  readonly rules: number;
  /** Null when nobody asked, or the space is too large to walk. */
  readonly isSameByCells: boolean | null;
}

/** The pipeline is that of the named tables among the newest versions of all others. */
export async function analyse(args: readonly string[], out: Output): Promise<boolean> {
  const isTwice = args.includes('--twice');
  const tables = await findTables(args.filter((argument) => argument !== '--twice'));
  const results = tables.map((loaded) => resultOf(loaded, isTwice));
  const named = new Map([...(await newestTables()), ...tables.map(({ document }) => document)].map(withName));
  const pipeline = pipelineFindings([...named.values()], [...skillStatusWires, ...interventionWires]);
  out.table([head, ...results.map(row)]);
  for (const { id, findings } of results) out.report(id, findings);
  out.report('pipeline', pipeline);
  out.json({ tables: results, pipeline });
  const isSame = results.every(({ isSameByCells }) => isSameByCells !== false);
  if (!isSame) console.error('boxes and cells disagree: the analysis itself is wrong');
  return isSame && ![...results.flatMap(({ findings }) => findings), ...pipeline].some(isError);
}

const withName = (document: LoadedTable['document']) => [documentName(document), document] as const;

function resultOf({ id, document, cases }: LoadedTable, isTwice: boolean): Result {
  const table = compileTable(document);
  const analysis = analyseTable(table, cases);
  return {
    id,
    rules: document.rules.length,
    ...analysis,
    isSameByCells: isTwice ? sameByCells(table, analysis) : null,
  };
}

function sameByCells(table: Table, { cells }: Analysis): boolean | null {
  if (cellCount(table) > maxCells) return null;
  return JSON.stringify(analyseByCells(table.document)) === JSON.stringify(cells);
}

const head = ['table', 'rules', 'cells', 'errors', 'warnings', 'mutants', 'equivalent', 'score', 'by cells'];

function row({ id, rules, findings, cells, mutation, isSameByCells }: Result): readonly string[] {
  const errors = findings.filter(isError).length;
  return [
    id,
    String(rules),
    String(cells.possibleCells),
    String(errors),
    String(findings.length - errors),
    String(mutation.total),
    String(mutation.equivalent),
    percent(mutation.score),
    isSameByCells === null ? '–' : isSameByCells ? 'same' : 'DIFFERS',
  ];
}
