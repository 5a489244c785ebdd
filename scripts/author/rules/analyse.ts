// `rules analyse`: the analysis that precedes a publication, for tables on disk.

import { skillStatusContracts } from '#assessment/skill-status/engine/value-contracts.ts';
import { type Analysis, analyseTable } from '#rules/rulesets/engine/analysis/analyse.ts';
import { pipelineFindings } from '#rules/rulesets/engine/analysis/pipeline/pipeline.ts';
import { compileTable } from '#rules/rulesets/engine/compile.ts';
import { documentName } from '#rules/rulesets/engine/document/document.ts';
import { isError } from '#rules/rulesets/engine/document/findings.ts';
import { interventionContracts } from '#support/interventions/rules/value-contracts.ts';
import { findTables, type LoadedTable, newestTables } from './documents.ts';
import { type Output, percent } from './terminal.ts';

interface Result extends Analysis {
  readonly id: string;
  readonly rules: number;
}

/** Analyses the named tables, and the pipeline with the newest versions of all others. */
export async function analyse(args: readonly string[], out: Output): Promise<boolean> {
  const tables = await findTables(args);
  const results = tables.map(resultOf);
  const named = new Map([...(await newestTables()), ...tables.map(({ document }) => document)].map(withName));
  const pipeline = pipelineFindings([...named.values()], [...skillStatusContracts, ...interventionContracts]);
  out.table([head, ...results.map(row)]);
  for (const { id, findings } of results) out.report(id, findings);
  out.report('pipeline', pipeline);
  out.json({ tables: results, pipeline });
  return ![...results.flatMap(({ findings }) => findings), ...pipeline].some(isError);
}

const withName = (document: LoadedTable['document']) => [documentName(document), document] as const;

function resultOf({ id, document, cases }: LoadedTable): Result {
  return { id, rules: document.rules.length, ...analyseTable(compileTable(document), cases) };
}

const head = ['table', 'rules', 'cells', 'errors', 'warnings', 'mutants', 'equivalent', 'score'];

function row({ id, rules, findings, cells, mutation }: Result): readonly string[] {
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
  ];
}
