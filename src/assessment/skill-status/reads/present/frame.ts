// The common fields of all reads of current results, and the fields of a missing status.

import type { Catalogue } from '#rules/catalogue/index.ts';
import type { Versions } from '#rules/rulesets/index.ts';
import type { CurrentRun, EvaluatedUnder } from '../../results/queries.ts';
import type { SkillRow } from '../../results/tables.ts';

/** The input of a presenter besides rows. */
export interface ResultFrame {
  readonly studentId: number;
  readonly pending: boolean;
  /** Null for a student who was never evaluated. */
  readonly evaluatedUnder: EvaluatedUnder | null;
  readonly catalogue: Catalogue;
  readonly ruleVersions: Versions;
  /** Null before the first run of the school year. */
  readonly run: CurrentRun | null;
  /** Grade of the run, else of the class today; null for a student without a class. */
  readonly grade: number | null;
}

/** Returns the first fields of every read of current results. */
export function presentFrame({ studentId, pending, evaluatedUnder, run, ruleVersions }: ResultFrame) {
  const nextAction = run ? run.nextDataAction : 'run_diagnostic';
  return {
    studentId,
    runId: run?.id ?? null,
    asOf: run?.asOf ?? null,
    pending,
    judgedUnder: evaluatedUnder && { bundleId: evaluatedUnder.bundleId, at: evaluatedUnder.at },
    outcome: run?.outcome ?? 'do_not_decide_yet',
    halted: run?.halted ?? false,
    ...(nextAction !== null && { nextRecommendedDataAction: nextAction }),
    ruleVersions: { ...ruleVersions },
  };
}

/** Returns the fields that replace a missing status. */
export const presentHalt = ({
  outcome,
  nextDataAction,
}: Pick<SkillRow, 'nextDataAction'> & { readonly outcome: string }) =>
  outcome === 'do_not_decide_yet' && nextDataAction !== null
    ? { code: 'DO_NOT_DECIDE_YET' as const, nextRecommendedDataAction: nextDataAction }
    : {};
