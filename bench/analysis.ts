// What the gate of publication asks of a table: how long each question takes, on a generated table of 40 rules and 12
// facts and on shipped ones, and what boxes save against walking every cell.
import { analyseTable } from '../src/rulesets/engine/analysis/analyse.ts';
import { examineByBoxes } from '../src/rulesets/engine/analysis/by-boxes.ts';
import { examineByCells, maxCells } from '../src/rulesets/engine/analysis/by-cells.ts';
import { diffDocuments } from '../src/rulesets/engine/analysis/diff.ts';
import { tableFindings } from '../src/rulesets/engine/analysis/findings.ts';
import { flipDistance } from '../src/rulesets/engine/analysis/flip.ts';
import { layersOf } from '../src/rulesets/engine/analysis/layers.ts';
import { mutationReport } from '../src/rulesets/engine/analysis/mutation.ts';
import { pipelineFindings } from '../src/rulesets/engine/analysis/pipeline.ts';
import { skillStatusWires } from '../src/rulesets/engine/analysis/wiring.ts';
import { cellCount, sampledCells } from '../src/rulesets/engine/cells.ts';
import { compileTable, type Table } from '../src/rulesets/engine/compile.ts';
import { witnessCases } from '../src/rulesets/engine/witness.ts';
import {
  decide,
  documentName,
  type GoldenCase,
  isTable,
  loadRules,
  parseTable,
  type TableDocument,
} from '../src/rulesets/index.ts';
import { generatedTable, withOneConstantChanged } from './generated-table.ts';
import { assertEqual, type Contender, sideBySide, type Timings } from './measure.ts';
import { duration, type Row, type Section, times } from './report.ts';

/** A seed whose table has no rule that is never reached. */
const seed = 7;
const aim = '≤ 2 s';
const shipped = ['pac/pac', 'ssr/ssr', 'rbm/rbm'];
const rounds = 5;
const flips = 50;

interface Subject {
  readonly name: string;
  readonly document: TableDocument;
  readonly cases: readonly GoldenCase[];
  /** Only of the generated table: what is asked in the gate has to end in time. */
  readonly aim?: string;
}

export async function benchAnalysis(rules = 40, facts = 12): Promise<Section> {
  const loaded = await loadRules('rules');
  const documents = loaded.map(({ document }) => document).filter(isTable);
  const drawn = generatedTable(rules, facts, seed);
  const name = `generated, ${rules} rules × ${facts} facts`;
  const subjects: Subject[] = [
    { name, document: drawn, cases: witnessCases(compileTable(drawn)), aim },
    ...loaded.flatMap(({ document, cases }) =>
      isTable(document) && shipped.includes(documentName(document))
        ? [{ name: documentName(document), document, cases }]
        : [],
    ),
  ];
  const rows: Row[] = [];
  for (const subject of subjects) rows.push(...(await rowsOf(subject)));
  const closure = await sideBySide([one('closure', () => pipelineFindings(documents, skillStatusWires))], rounds);
  rows.push(row(`pipeline closure of all ${documents.length} shipped tables`, closure.get('closure')));
  return {
    title: 'Analysis of a table',
    note: `Median of ${rounds} rounds in one thread. The generated table is drawn from a seed; its cases are those that the workbench generates. Asserted: boxes and cells find the same. The whole is read, compile, examine, findings, mutation and the difference to a version with one constant changed; shares are of it.`,
    rows,
  };
}

async function rowsOf(subject: Subject): Promise<Row[]> {
  const text = JSON.stringify(subject.document);
  const table = compileTable(parseTable(text));
  const parts = partsOf(subject, table, text);
  const timings = await sideBySide([...parts, ...asides(table)], rounds);
  const of = (name: string) => timings.get(name) ?? Number.NaN;
  const whole = parts.reduce((sum, { name }) => sum + of(name), 0);
  const share = (name: string) => `${duration(of(name))}, ${((100 * of(name)) / whole).toFixed(0)} %`;
  const { total, killed, equivalent } = mutationReport(table, subject.cases);
  const told: Readonly<Record<string, string>> = {
    mutation: `, ${total} mutants × ${subject.cases.length} cases: ${killed} killed, ${equivalent} equivalent`,
  };
  const space = `${table.document.rules.length} rules, ${cellCount(table).toLocaleString('en')} cells`;
  return [
    { ...row(`**${subject.name}**: whole (${space})`, whole), ...(subject.aim ? { aim: subject.aim } : {}) },
    ...parts.map(({ name }) => ({ contender: `· ${name}${told[name] ?? ''}`, result: share(name) })),
    ...cellRows(table, of('lay out and examine by boxes')),
    row('· flip distance, a call', of('flip')),
  ];
}
