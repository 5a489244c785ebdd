// The beginning that every read of current results shares, and what stands where a status is missing.

import type { Catalogue } from '#rules/catalogue/index.ts';
import type { Versions } from '#rules/rulesets/index.ts';
import type { CurrentRun, JudgedUnder } from '../../results/queries.ts';
import type { SkillRow } from '../../results/tables.ts';

/** What a presenter of results needs besides rows. */
export interface ResultFrame {
  readonly studentId: number;
  readonly pending: boolean;
  /** Null for a student who never was judged. */
  readonly judgedUnder: JudgedUnder | null;
  readonly catalogue: Catalogue;
  readonly ruleVersions: Versions;
  /** Null before the first run of the school year. */
  readonly run: CurrentRun | null;
  /** Of the run, else of the class today; null for a student without a class. */
  readonly grade: number | null;
}

/** What every read of current results begins with. */
export function presentFrame({ studentId, pending, judgedUnder, run, ruleVersions }: ResultFrame) {
  const nextAction = run ? run.nextDataAction : 'run_diagnostic';
  return {
    studentId,
    runId: run?.id ?? null,
    asOf: run?.asOf ?? null,
    pending,
    judgedUnder: judgedUnder && { bundleId: judgedUnder.bundleId, at: judgedUnder.at },
    outcome: run?.outcome ?? 'do_not_decide_yet',
    halted: run?.halted ?? false,
    ...(nextAction !== null && { nextRecommendedDataAction: nextAction }),
    ruleVersions: { ...ruleVersions },
  };
}

/** Stands where a status would be. */
export const presentHalt = ({
  outcome,
  nextDataAction,
}: Pick<SkillRow, 'nextDataAction'> & { readonly outcome: string }) =>
  outcome === 'do_not_decide_yet' && nextDataAction !== null
    ? { code: 'DO_NOT_DECIDE_YET' as const, nextRecommendedDataAction: nextDataAction }
    : {};
