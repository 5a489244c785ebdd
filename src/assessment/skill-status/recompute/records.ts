// Builds the rows that runs append: the run itself, and the results that differ from the rows before.
import type { Trx } from '#core/platform/db.ts';
import { grouped } from '#core/platform/pure/lists/grouped.ts';
import type { StudentEvaluation } from '../engine/evaluate.ts';
import { type RunFrame, resultHash, type SelectedEvidence, type Situation } from '../evaluate-run.ts';
import { newDomains, newSkills } from '../results/changes.ts';
import { newestDomainMarks, newestSkillMarks } from '../results/previous.ts';
import { codeColumns, domainContents, isEvaluated, type RunStamp, runTilesOf, skillContents } from '../results/rows.ts';
import type { OpenRecompute } from './requests.ts';
import type { NewRun, RunRecord } from './store.ts';

/** A run that differs from the one before. */
export interface FreshRun extends Situation, SelectedEvidence {
  readonly runId: string;
  readonly request: OpenRecompute;
  readonly inputText: string;
  readonly inputHash: string;
  readonly evaluation: StudentEvaluation;
  /** Whether the student already has a run in this school year; rows exist only with runs. */
  readonly hasEarlierRun: boolean;
}

export async function recordsOf(trx: Trx, frame: RunFrame, runs: readonly FreshRun[]): Promise<RunRecord[]> {
  if (runs.length === 0) return [];
  const earlier = runs.filter(({ hasEarlierRun }) => hasEarlierRun);
  const years = earlier.map(({ studentId, schoolYear }) => ({ studentId, schoolYear: schoolYear.name }));
  const skillsBefore = grouped(
    years.length > 0 ? await newestSkillMarks(trx, frame.organizationId, years) : [],
    studentOf,
  );
  const domainsBefore = grouped(
    years.length > 0 ? await newestDomainMarks(trx, frame.organizationId, years) : [],
    studentOf,
  );
  return runs.map((fresh) => {
    const { studentId, evaluation, provisionalSubSkills } = fresh;
    const run = runRow(frame, fresh);
    const contents = skillContents(run, evaluation, provisionalSubSkills);
    const skills = newSkills(contents, skillsBefore.get(studentId) ?? []);
    const touched = domainsOf(
      skills.map(({ subSkillCode }) => subSkillCode),
      frame,
    );
    const domains = newDomains(domainContents(run, evaluation), domainsBefore.get(studentId) ?? [], touched);
    return { run, skills, domains };
  });
}

const stampOf = (
  { organizationId, asOf, ruleVersions, bundleId }: RunFrame,
  { runId, studentId, schoolYear }: FreshRun,
): RunStamp => ({
  id: runId,
  organizationId,
  studentId,
  schoolYear: schoolYear.name,
  asOf,
  ruleVersions,
  bundleId,
});

function runRow(frame: RunFrame, fresh: FreshRun): NewRun {
  const { request, schoolYear, grade, contextReview, inputText, inputHash, evaluation } = fresh;
  return {
    ...stampOf(frame, fresh),
    trigger: request.trigger,
    triggerRef: request.triggerRef,
    windowFrom: schoolYear.from,
    windowTo: frame.asOf,
    grade,
    contextReview,
    outcome: evaluation.outcome,
    halted: evaluation.halted,
    nextDataAction: evaluation.nextRecommendedDataAction,
    evaluatedSubSkills: evaluation.subSkills.filter(isEvaluated).map(({ subSkill }) => subSkill.code),
    input: inputText,
    inputHash,
    resultHash: resultHash(fresh.runId, evaluation),
    ...codeColumns(evaluation),
    tiles: runTilesOf(evaluation),
    createdAt: frame.asOf,
  };
}

const domainsOf = (subSkills: readonly string[], { pipeline }: RunFrame): Set<string> =>
  new Set(subSkills.flatMap((code) => pipeline.catalogue.byCode.get(code)?.domain ?? []));

const studentOf = ({ studentId }: { readonly studentId: number }): number => studentId;
