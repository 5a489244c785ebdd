// Findings about cases come with the cases that would settle them; a person reads and blesses them.
import {
  type AnalysisFinding,
  type AnyCase,
  answer,
  FactError,
  type GoldenCase,
  goldenFindings,
  isTableCase,
  type MutationReport,
  NoDecisionError,
  type Table,
} from '../../../rulesets/index.ts';

export interface DraftFinding extends AnalysisFinding {
  /** For MUTATION_SCORE_LOW: a case for each mistake that nobody would notice. For CASE_FAILED: what is said now. */
  readonly proposedCases?: readonly GoldenCase[];
}

const shownProposals = 50;

export function withProposals(
  findings: readonly AnalysisFinding[],
  table: Table,
  cases: readonly AnyCase[],
  { survivors }: MutationReport,
): readonly DraftFinding[] {
  const failed = cases.filter(isTableCase).filter((golden) => goldenFindings(table, [golden]).length > 0);
  return findings.map((finding) => {
    if (finding.code === 'MUTATION_SCORE_LOW') {
      const proposed = survivors.slice(0, shownProposals).map(({ proposedCase }) => proposedCase);
      return { ...finding, proposedCases: withNewNames(proposed, cases) };
    }
    const golden = finding.code === 'CASE_FAILED' ? failed.find(({ name }) => isAbout(finding, name)) : undefined;
    const proposed = golden && answeredNow(table, golden);
    return proposed ? { ...finding, proposedCases: [proposed] } : finding;
  });
}

/** Names tell cases apart: one that is taken gets a number behind it. */
function withNewNames(proposed: readonly GoldenCase[], cases: readonly AnyCase[]): readonly GoldenCase[] {
  const taken = new Set(cases.map(({ name }) => name));
  return proposed.map((golden) => {
    let { name } = golden;
    for (let count = 2; taken.has(name); count += 1) name = `${golden.name} (${count})`;
    taken.add(name);
    return { ...golden, name };
  });
}

const isAbout = ({ message }: AnalysisFinding, name: string): boolean => message.startsWith(`${name}: expected`);

/** Undefined where the table cannot be asked any more: a fact was added, or taken away. */
function answeredNow(table: Table, { name, facts }: GoldenCase): GoldenCase | undefined {
  try {
    return { name, facts, expected: answer(table, facts) };
  } catch (error) {
    if (error instanceof FactError || error instanceof NoDecisionError) return undefined;
    throw error;
  }
}
