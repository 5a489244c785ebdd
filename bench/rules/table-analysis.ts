// Runs every check before a publication on one table, each timed by itself.

import { capabilities } from '../../src/app/capabilities.ts';
import { documentValidators } from '../../src/rules/rulesets/document-schemas.ts';
import { analyseByBoxes } from '../../src/rules/rulesets/engine/analysis/coverage/by-boxes.ts';
import { tableFindings } from '../../src/rules/rulesets/engine/analysis/coverage/findings.ts';
import { flipDistance } from '../../src/rules/rulesets/engine/analysis/explain/flip.ts';
import { minMutationScore } from '../../src/rules/rulesets/engine/analysis/mutation/mutation.ts';
import { sampledCells } from '../../src/rules/rulesets/engine/boundaries/cells.ts';
import {
  cellCount,
  compileTable,
  decide,
  diffDocuments,
  type GoldenCase,
  layersOf,
  mutationReport,
  parseTable,
  type Table,
  type TableDocument,
} from '../../src/rules/rulesets/index.ts';
import { analyseByCells, maxCells } from '../../tests/rules/rulesets/engine/analysis/by-cells.ts';
import { assertEqual, type Contender, sideBySide } from '../harness/measure.ts';
import { duration, type Row, times } from '../harness/report.ts';
import { withOneConstantChanged } from './generated-table.ts';

export const rounds = 5;
/** Calls in one timing, each with other facts. */
const flips = 50;
/** The seed of the facts for flip distances. */
const seed = 1;

export interface Subject {
  readonly name: string;
  readonly document: TableDocument;
  readonly cases: readonly GoldenCase[];
  readonly aim?: string;
}

export async function subjectRows({ name, document, cases, aim = '' }: Subject): Promise<Row[]> {
  const table = compileTable(document);
  const questions = questionsOf(table, cases);
  const flip = flipsOf(table);
  const timings = await sideBySide([...questions, ...flip], rounds);
  const of = (part: string) => timings.get(part) ?? Number.NaN;
  const whole = questions.reduce((sum, part) => sum + of(part.name), 0);
  const size = `${document.rules.length} rules, ${Object.keys(document.facts).length} facts, ${cellCount(table).toLocaleString('en')} cells`;
  const shares = questions.map((part): Row => {
    const percent = Math.round((100 * of(part.name)) / whole);
    return { contender: `· ${part.name}`, result: `${inWords(of(part.name))} (${percent} %)` };
  });
  const calls = flip.map((part): Row => ({ contender: part.name, result: duration(of(part.name)) }));
  return [
    { contender: `**${name}**: ${size}`, result: inWords(whole), aim },
    ...shares,
    ...cellRows(table, of(cells)),
    ...calls,
  ];
}

const cells = 'analysis by boxes';

/** The checks in their order; the mutation report includes its findings. */
function questionsOf(table: Table, cases: readonly GoldenCase[]): Contender[] {
  const { document } = table;
  const text = JSON.stringify(document);
  const layers = layersOf(document);
  const examined = analyseByBoxes(layers);
  const changed = withOneConstantChanged(document);
  const { total, killed, equivalent, score } = mutationReport(table, cases);
  assertEqual('the cases', score >= minMutationScore, true);
  const mutation = `mutation report: ${total} mutants, ${cases.length} cases, ${killed} killed, ${equivalent} equivalent`;
  return [
    once('read and compiled', () => compileTable(parseTable(text, documentValidators(capabilities)))),
    once(cells, () => analyseByBoxes(layersOf(document))),
    once('findings in words', () => tableFindings(layers, examined)),
    once(mutation, () => mutationReport(table, cases)),
    once('difference to one constant changed', () => diffDocuments(document, changed)),
  ];
}

const once = (name: string, run: () => unknown): Contender => ({ name, operations: 1, run });

/** The enumeration of all cells may take a minute. */
const inWords = (nanoseconds: number): string =>
  nanoseconds < 1e9 ? duration(nanoseconds) : `${(nanoseconds / 1e9).toPrecision(3)} s`;

/** Boxes are compared with the enumeration if that ends in time. */
function cellRows(table: Table, boxesTime: number): Row[] {
  if (cellCount(table) > maxCells) return [{ contender: '· analysis by cells', result: 'too many cells' }];
  const from = process.hrtime.bigint();
  const walked = analyseByCells(table.document);
  const time = Number(process.hrtime.bigint() - from);
  assertEqual('the walk of all cells', walked, analyseByBoxes(layersOf(table.document)));
  return [{ contender: '· analysis by cells', result: inWords(time), ratio: `${times(time, boxesTime)} the boxes` }];
}

/** For first-hit tables only: a collect table has no outcome to flip. */
function flipsOf(table: Table): Contender[] {
  if (!table.isFirstHit) return [];
  const layers = layersOf(table.document);
  const samples = [...sampledCells(table, flips, seed)].map((facts) => ({
    facts,
    outcome: decide(table, facts).outcome,
  }));
  const run = () => samples.map(({ facts, outcome }) => flipDistance(layers, facts, outcome));
  return [{ name: '· flip distance, a call', operations: flips, run }];
}
