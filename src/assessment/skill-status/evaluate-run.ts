// Evaluates one student's run: evidence cut to the window, evaluation, and the hashes that detect changes.

import { sha256Hex } from '#core/platform/pure/canonical-json.ts';
import type { SchoolYear } from '#rules/catalogue/index.ts';
import type { Versions } from '#rules/rulesets/index.ts';
import type { EvidenceResponse, StudentSession } from '../measurement/index.ts';
import { evaluateStudent, type Pipeline, type StudentEvaluation } from './engine/evaluate.ts';
import { selectWindow } from './engine/evidence/window.ts';
import { goldenOutputText } from './engine/golden-text.ts';
import type { RunInput } from './results/tables.ts';

/** Values common to all runs of one transaction. */
export interface RunFrame {
  readonly organizationId: string;
  readonly asOf: string;
  readonly bundleId: string;
  readonly ruleVersions: Versions;
  readonly pipeline: Pipeline;
}

export interface Situation {
  readonly studentId: number;
  readonly schoolYear: SchoolYear;
  readonly grade: number;
  readonly contextReview: boolean;
  /** ISO 8601, the window's end. */
  readonly asOf: string;
}

/** The selected evidence of one student, and the sub-skills that rely on provisionally calibrated items. */
export interface SelectedEvidence {
  readonly input: RunInput;
  readonly provisionalSubSkills: ReadonlySet<string>;
}

export function selectEvidence(
  sessions: readonly StudentSession[],
  situation: Pick<Situation, 'schoolYear' | 'asOf'>,
  pipeline: Pipeline,
): SelectedEvidence {
  const input = selectInput(sessions, situation, pipeline);
  return { input, provisionalSubSkills: provisionalIn(input, sessions) };
}

/** Returns the selected evidence without the calibration data. */
export function selectInput(
  sessions: readonly StudentSession[],
  { schoolYear, asOf }: Pick<Situation, 'schoolYear' | 'asOf'>,
  pipeline: Pipeline,
): RunInput {
  const everything = {
    sessions: sessions.map(({ session }) => session),
    responses: ([] as EvidenceResponse[]).concat(...sessions.map(({ responses }) => responses)),
  };
  return selectWindow(everything, { from: schoolYear.from, to: asOf }, pipeline);
}

function provisionalIn(input: RunInput, sessions: readonly StudentSession[]): Set<string> {
  const provisional = new Map(
    sessions.map(({ session, provisionalSubSkills }) => [session.sessionId, new Set(provisionalSubSkills)]),
  );
  const found = new Set<string>();
  for (const { sessionId, subSkillCode } of input.responses) {
    if (provisional.get(sessionId)?.has(subSkillCode)) found.add(subSkillCode);
  }
  return found;
}

/** Returns the evaluation, which depends on input and rules only; `asOf` is passed through and decides nothing. */
export const evaluateRun = (
  input: RunInput,
  { grade, contextReview, asOf }: Pick<Situation, 'grade' | 'contextReview' | 'asOf'>,
  pipeline: Pipeline,
): StudentEvaluation => evaluateStudent({ ...input, grade, asOf, contextReviewActive: contextReview }, pipeline);

/** Returns the hash of the canonical text of an evaluation; the run's id replaces the name of the golden case. */
export const resultHash = (runId: string, evaluation: StudentEvaluation): string =>
  sha256Hex(goldenOutputText(runId, evaluation));
