// A recorded run: its input, the rules that it was pinned to, and everything that the engine of its day returned.

import { toGoldenOutput } from '#assessment/skill-status/engine/golden.ts';
import { evaluateRun, resultHash } from '#assessment/skill-status/evaluate-run.ts';
import { codeColumns, domainContents, runTilesOf, skillContents } from '#assessment/skill-status/results/rows.ts';
import type { RunInput } from '#assessment/skill-status/results/tables.ts';
import { engineVersions, pipelineOf } from '#assessment/skill-status/rules/pipelines.ts';
import type { RuleBundle } from '#rules/rulesets/index.ts';

export interface RecordedCase {
  readonly id: string;
  readonly grade: number;
  readonly contextReview: boolean;
  readonly asOf: string;
  readonly input: RunInput;
}

/** Returns everything that a run stores, in stored form. */
export function recordOf({ id, input, ...situation }: RecordedCase, bundle: RuleBundle) {
  const evaluation = evaluateRun(input, situation, pipelineOf(bundle));
  const stamp = {
    ...{ id, organizationId: 'organization', studentId: 1, schoolYear: '2025-2026', asOf: situation.asOf },
    ...{ ruleVersions: engineVersions(bundle.versions), bundleId: 'bundle' },
  };
  return {
    resultHash: resultHash(id, evaluation),
    result: toGoldenOutput(id, evaluation),
    codes: codeColumns(evaluation),
    skills: skillContents(stamp, evaluation, new Set()),
    domains: domainContents(stamp, evaluation),
    tiles: runTilesOf(evaluation),
  };
}

export type Recorded = RecordedCase & { readonly left: ReturnType<typeof recordOf> };

export interface Recording {
  readonly recordedOn: string;
  readonly ruleVersions: Readonly<Record<string, number>>;
  readonly runs: readonly Recorded[];
}
