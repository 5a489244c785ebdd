// Dry run: gathers and evaluates a student's evidence of any window without writing.
import { spanOf } from '#core/http/instants.ts';
import type { Services } from '#core/module/services.ts';
import { enterContext, type Trx } from '#core/platform/db.ts';
import { invalid } from '#core/platform/errors.ts';
import { dayMs } from '#core/platform/pure/dates/durations.ts';
import { findStudent, lastGrade, type StudentInScope } from '#identity/people/index.ts';
import { schoolYearOf } from '#rules/catalogue/index.ts';
import type { RuleBundle } from '#rules/rulesets/index.ts';
import { loadEvidence, underContextReview } from '../../measurement/index.ts';
import type { Pipeline, StudentEvaluation } from '../engine/evaluate.ts';
import { evaluateRun, selectEvidence } from '../evaluate-run.ts';
import { withEngineOrFallback } from '../reference-engine/fallback.ts';
import { engineVersions, pipelineOf } from '../rules/pipelines.ts';
import { presentDryRun } from './present.ts';
import { type Proposed, toProposalError, withProposed } from './proposed-rules.ts';
import { type StoredResults, storedStateAt } from './stored-state.ts';

export interface DryRunInput {
  readonly studentId: number;
  readonly evidenceWindow: { readonly from: string; readonly to: string };
  readonly proposedVersions?: Proposed['versions'];
  /** The id of a change. */
  readonly proposedChange?: string;
}

const longestMs = 366 * dayMs;

/** Throws NOT_FOUND for an unknown student, VALIDATION_ERROR for an unusable window or unusable proposed rules. */
export async function dryRun(services: Services, trx: Trx, input: DryRunInput, now: Date) {
  const { row: student } = await findStudent(trx, input.studentId);
  await enterContext(trx, { organizationId: student.organizationId });
  const window = windowOf(input);
  const stored = await storedStateAt(services, trx, student, window.to);
  const base = stored
    ? await services.rules.pinned(trx, stored.run.ruleVersions)
    : (await services.rules.at(trx, now)).rules;
  const { proposedVersions: versions = {}, proposedChange: changeId } = input;
  const rules = await withProposed(trx, base, { versions, changeId });
  const evaluated = await withEngineOrFallback(trx, rules, (pipeline) =>
    evaluateWindow(services, trx, { student, window, stored, pipeline, rules }),
  ).catch((error: unknown) => {
    throw rules === base ? error : toProposalError(error);
  });
  const { catalogue } = pipelineOf(rules);
  return {
    studentId: student.id,
    asOf: window.to,
    evidenceWindow: window,
    storedRunId: stored?.run.id ?? null,
    versionsUsed: engineVersions(rules.versions),
    ...presentDryRun(evaluated, { student, ruleVersions: rules.versions, catalogue, stored }),
    rowsWritten: 0 as const,
  };
}

function windowOf({ evidenceWindow }: DryRunInput) {
  const window = spanOf(evidenceWindow, 'evidenceWindow');
  if (Date.parse(window.to) - Date.parse(window.from) <= longestMs) return window;
  throw invalid('evidenceWindow', 'must not be longer than 366 days');
}

interface Case {
  readonly student: StudentInScope;
  readonly window: { readonly from: string; readonly to: string };
  readonly stored: StoredResults | undefined;
  readonly pipeline: Pipeline;
  readonly rules: RuleBundle;
}

/** A grade without sub-skills. */
const unknownGrade = 0;

async function evaluateWindow(
  services: Services,
  trx: Trx,
  { student, window, stored, pipeline, rules }: Case,
): Promise<StudentEvaluation> {
  const { id: studentId, organizationId } = student;
  const own = { studentId, ...window };
  const wanted = { organizationId, students: [own] };
  const sessions = (await loadEvidence(trx, services, wanted))(own, pipeline);
  const asOf = window.to;
  const { input } = selectEvidence(sessions, { schoolYear: { name: '', from: window.from }, asOf }, pipeline);
  const { name: yearThen } = schoolYearOf(asOf, student.timeZone, pipeline.catalogue.schoolYearStart);
  const grade = stored?.run.grade ?? lastGrade(student, yearThen) ?? unknownGrade;
  const contextReview =
    stored?.run.contextReview ?? (await underContextReview(trx, services, wanted, rules)).has(studentId);
  return evaluateRun(input, { grade, contextReview, asOf }, pipeline);
}
