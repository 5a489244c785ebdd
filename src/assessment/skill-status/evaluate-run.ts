// One student's run as a value: evidence cut to the window, evaluated, with the hashes that tell whether anything is new.

import { sha256Hex } from '#core/platform/pure/canonical-json.ts';
import type { SchoolYear } from '#rules/catalogue/index.ts';
import type { Versions } from '#rules/rulesets/index.ts';
import type { EvidenceResponse, StudentSession } from '../measurement/index.ts';
import { evaluateStudent, type Pipeline, type StudentEvaluation } from './engine/evaluate.ts';
import { selectWindow } from './engine/evidence/window.ts';
import { goldenText } from './engine/golden-text.ts';
import type { RunInput } from './results/tables.ts';

/** What all runs of one transaction share. */
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

/** The evidence of one student that counts today, and which of it rests on thinly calibrated items. */
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

/** The evidence alone. */
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

/** The same input and rules give the same evaluation for ever; `asOf` is carried along, and decides nothing here. */
export const evaluate = (
  input: RunInput,
  { grade, contextReview, asOf }: Pick<Situation, 'grade' | 'contextReview' | 'asOf'>,
  pipeline: Pipeline,
): StudentEvaluation => evaluateStudent({ ...input, grade, asOf, contextReviewActive: contextReview }, pipeline);

/** Of the canonical text of all that an evaluation decided; the run's id stands where a golden case has its name. */
export const resultHash = (runId: string, evaluation: StudentEvaluation): string =>
  sha256Hex(goldenText(runId, evaluation));
