// The checks before a publication: the duration of each, on a generated table and on shipped ones.

import { skillStatusContracts } from '../../src/assessment/skill-status/engine/value-contracts.ts';
import { pipelineFindings } from '../../src/rules/rulesets/engine/analysis/pipeline/pipeline.ts';
import { boundaryCases } from '../../src/rules/rulesets/engine/boundaries/boundary-cases.ts';
import { compileTable, documentName, isTable, isTableCase, loadRules } from '../../src/rules/rulesets/index.ts';
import { sideBySide } from '../harness/measure.ts';
import { duration, type Row, type Section } from '../harness/report.ts';
import { generatedTable } from './generated-table.ts';
import { rounds, type Subject, subjectRows } from './table-analysis.ts';

/** With 40 rules and 12 facts this seed gives a table all of whose rules are reachable. */
const seed = 7;
const shipped = ['pac/pac', 'ssr/ssr', 'rbm/rbm'];

export async function benchAnalysis(rules = 40, facts = 12): Promise<Section> {
  const subjects = [generated(rules, facts), ...(await shippedSubjects())];
  const rows: Row[] = [];
  for (const subject of subjects) rows.push(...(await subjectRows(subject)));
  rows.push(await closureRow());
  return {
    title: 'Analysis of a table',
    note: `One thread, median of ${rounds} rounds; cells are walked once. The generated table comes from a seed, its cases from the workbench’s own generator. Asserted: boxes and cells find the same, and the cases notice at least 0.95 of the mutants. Shares are of the whole, which is what the gate asks: read and compile, examine, findings, mutation report, and the difference to a version with one constant changed.`,
    rows,
  };
}

function generated(rules: number, facts: number): Subject {
  const document = generatedTable(rules, facts, seed);
  const cases = boundaryCases(compileTable(document));
  return { name: `generated, ${rules} × ${facts}`, document, cases, aim: '≤ 2 s' };
}

async function shippedSubjects(): Promise<Subject[]> {
  const loaded = await loadRules('rules');
  return loaded.flatMap(({ id, document, cases }) =>
    isTable(document) && shipped.includes(documentName(document))
      ? [{ name: id, document, cases: cases.filter(isTableCase) }]
      : [],
  );
}

async function closureRow(): Promise<Row> {
  const documents = (await loadRules('rules')).map(({ document }) => document).filter(isTable);
  const name = `pipeline closure of the ${documents.length} shipped tables`;
  const run = () => pipelineFindings(documents, skillStatusContracts);
  const timings = await sideBySide([{ name, operations: 1, run }], rounds);
  return { contender: name, result: duration(timings.get(name) ?? Number.NaN) };
}
