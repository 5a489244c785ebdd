// Mutation score: how many mutants the golden cases of a table detect.

import { sample } from '../../boundaries/regions.ts';
import { type Box, boxesOf, subtractAll } from '../../boxes.ts';
import { compileTable, type Table } from '../../compile.ts';
import type { TableDocument } from '../../document/document.ts';
import { errorFinding, type Finding } from '../../document/findings.ts';
import { answer, type GoldenCase, goldenFindings } from '../../golden.ts';
import { partitionFacts } from '../../partition.ts';
import { changedByConditions } from '../coverage/by-boxes.ts';
import { common, type Layers, layersOf } from '../layers.ts';
import { type Mutant, type MutantKind, mutantsOf } from './mutants.ts';

export interface MutationReport {
  readonly total: number;
  readonly killed: number;
  /** Mutants with provably equal answers (by regions). No case can detect them, so they do not count. */
  readonly equivalent: number;
  /** Share of detectable mutants that were killed, 0 to 1; 1 when there are none. */
  readonly score: number;
  readonly survivors: readonly Survivor[];
}

/** A mutant that no case detects, with a case that would. */
export interface Survivor {
  readonly kind: MutantKind;
  readonly ruleIds: readonly string[];
  readonly description: string;
  readonly proposedCase: GoldenCase;
}

/** Minimum score for publishing a version. */
export const minMutationScore = 0.95;

/** Runs every mutant against the cases, for first-hit and collect tables alike. */
export function mutationReport(table: Table, cases: readonly GoldenCase[]): MutationReport {
  const mutants = mutantsOf(table.document);
  const byRule = casesByRule(cases);
  const unnoticed = mutants.filter((mutant) => !isNoticed(mutant, cases, byRule));
  const layers = layersOf(table.document, jointPartition(table.document, unnoticed));
  const survivors = unnoticed.flatMap((mutant) => survivor(table, layers, mutant) ?? []);
  const killed = mutants.length - unnoticed.length;
  const noticeable = killed + survivors.length;
  return {
    total: mutants.length,
    killed,
    equivalent: mutants.length - noticeable,
    score: noticeable === 0 ? 1 : killed / noticeable,
    survivors,
  };
}

/** Returns whether a case detects the mutant. Cases that expect one of the changed rules run first. */
function isNoticed({ document, ruleIds }: Mutant, cases: readonly GoldenCase[], byRule: CasesByRule): boolean {
  const table = compileTable(document);
  const first = ruleIds.flatMap((ruleId) => byRule.get(ruleId) ?? []);
  return [...first, ...cases].some((golden) => goldenFindings(table, [golden]).length > 0);
}

type CasesByRule = ReadonlyMap<string, readonly GoldenCase[]>;

function casesByRule(cases: readonly GoldenCase[]): CasesByRule {
  const byRule = new Map<string, GoldenCase[]>();
  for (const golden of cases) {
    for (const { ruleId } of [golden.expected].flat()) byRule.set(ruleId, [...(byRule.get(ruleId) ?? []), golden]);
  }
  return byRule;
}

/** A MUTATION_SCORE_LOW finding when the score is below 0.95. */
export function mutationFindings({ score, survivors }: MutationReport): readonly Finding[] {
  if (score >= minMutationScore) return [];
  const percent = Number((100 * score).toFixed(1));
  const examples = survivors.slice(0, 3).map((one) => `${one.ruleIds.join(', ')} ${one.description}`);
  const args = { percent, examples: examples.join('; ') };
  const ruleIds = new Set(survivors.flatMap((one) => one.ruleIds));
  return [errorFinding('MUTATION_SCORE_LOW', 'too_few_noticed', args, ...ruleIds)];
}

/** Returns a partition that is fine enough for the table and all mutants. */
function jointPartition(document: TableDocument, mutants: readonly Mutant[]) {
  const rules = mutants.flatMap((mutant) => mutant.document.rules.slice(mutant.row, mutant.row + 1));
  return partitionFacts({ ...document, rules: [...document.rules, ...rules] });
}

function survivor(table: Table, layers: Layers, mutant: Mutant): Survivor | undefined {
  const [box] = changedBy(layers, mutant);
  if (!box) return undefined;
  const { kind, ruleIds, description } = mutant;
  const facts = sample(layers, box);
  const proposedCase = { name: `${ruleIds.join(', ')}: not ${description}`, facts, expected: answer(table, facts) };
  return { kind, ruleIds, description, proposedCase };
}

/** Returns where the mutant decides differently, except in gaps, for which no case can state an answer. */
function changedBy(layers: Layers, { kind, row, conditions }: Mutant): readonly Box[] {
  const decided = layers.deciding[row] ?? [];
  if (kind === 'drop_rule') return decided;
  if (!conditions) return common(decided, layers.holding[row + 1] ?? []);
  const changed = changedByConditions(layers, row, boxesOf(conditions, layers.partition));
  return layers.document.meta.hitPolicy === 'first' ? subtractAll(changed, layers.left) : changed;
}
