// Findings about cases come with proposals of cases that would resolve them, which a person reads and accepts.
import {
  type AnalysisFinding,
  type AnyCase,
  answer,
  FactError,
  failedCases,
  type GoldenCase,
  type MutationReport,
  NoDecisionError,
  type Table,
} from '#rules/rulesets/engine/index.ts';

export interface TextFinding extends AnalysisFinding {
  /** For MUTATION_SCORE_LOW a case for each mutant that no case detects, for CASE_FAILED the present outcome of each case. */
  readonly proposedCases?: readonly GoldenCase[];
}

const shownProposals = 50;

export function withProposals(
  findings: readonly AnalysisFinding[],
  table: Table,
  cases: readonly AnyCase[],
  { survivors }: MutationReport,
): readonly TextFinding[] {
  const failed = failedCases(table, cases);
  return findings.map((finding) => {
    if (finding.code === 'MUTATION_SCORE_LOW') {
      const proposed = survivors.slice(0, shownProposals).map(({ proposedCase }) => proposedCase);
      return { ...finding, proposedCases: withNewNames(proposed, cases) };
    }
    if (finding.code !== 'CASE_FAILED') return finding;
    const of = failed.find((one) => one.finding.message === finding.message)?.cases ?? [];
    const proposed = of.slice(0, shownProposals).flatMap((golden) => answeredNow(table, golden) ?? []);
    return proposed.length === 0 ? finding : { ...finding, proposedCases: proposed };
  });
}

/** Names of cases are unique: a name that is taken gets a number appended. */
function withNewNames(proposed: readonly GoldenCase[], cases: readonly AnyCase[]): readonly GoldenCase[] {
  const taken = new Set(cases.map(({ name }) => name));
  return proposed.map((golden) => {
    let { name } = golden;
    for (let count = 2; taken.has(name); count += 1) name = `${golden.name} (${count})`;
    taken.add(name);
    return { ...golden, name };
  });
}

/** Returns undefined when the table cannot be evaluated any more, since a fact was added or removed. */
function answeredNow(table: Table, { name, facts }: GoldenCase): GoldenCase | undefined {
  try {
    return { name, facts, expected: answer(table, facts) };
  } catch (error) {
    if (error instanceof FactError || error instanceof NoDecisionError) return undefined;
    throw error;
  }
}
