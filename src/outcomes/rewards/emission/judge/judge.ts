// The sources of growth by the event that tells of them: what one tells that is on new ground is recorded.

import { cbmTrendChanged, orfScored } from '#assessment/measurement/index.ts';
import { macroUpdated } from '#assessment/skill-status/index.ts';
import type { EventKind } from '#core/module/events.ts';
import type { Trx } from '#core/platform/db.ts';
import type { ActiveRules } from '#rules/rulesets/index.ts';
import { bundleCompleted, scaffoldStepUp, stepGoalMet } from '#support/interventions/index.ts';
import { skillStateUp } from '#support/rti/index.ts';
import { type Growth, recordMastery, type StudentGrowth } from '../../ledger/record.ts';
import type { Candidate } from '../candidates.ts';
import { onNewGround } from './ground.ts';
import type { GrowthOf, Judge, Judging } from './judging.ts';
import { growthOfCompletion, growthOfScaffold, growthOfStep } from './plans.ts';
import { growthOfReading, growthOfTrend } from './readings.ts';
import { growthOfRun } from './runs.ts';
import { growthOfState } from './states.ts';

const judges: readonly (readonly [EventKind, Judge])[] = [
  [macroUpdated, growthOfRun],
  [skillStateUp, growthOfState],
  [orfScored, growthOfReading],
  [cbmTrendChanged, growthOfTrend],
  [stepGoalMet, growthOfStep],
  [scaffoldStepUp, growthOfScaffold],
  [bundleCompleted, growthOfCompletion],
];

/** In their order. Under the locks of the students' rows, and not while one of them is halted. */
export async function judgeCandidates(
  trx: Trx,
  services: { readonly rules: ActiveRules },
  judging: Judging & { readonly now: Date },
  candidates: readonly Candidate[],
): Promise<void> {
  const told = await growthsOf(trx, judging, candidates);
  if (told.length === 0) return;
  await recordMastery(trx, services, judging, await onNewGround(trx, judging, told));
}

/** Of each student who has grown. */
async function growthsOf(trx: Trx, judging: Judging, candidates: readonly Candidate[]): Promise<StudentGrowth[]> {
  const growthOf = new Map<string, GrowthOf>();
  for (const [{ topic }, judge] of judges) {
    const own = candidates.filter((candidate) => candidate.topic === topic);
    if (own.length > 0) growthOf.set(topic, await judge(trx, judging, own));
  }
  const told = new Map<number, Growth[]>();
  for (const candidate of candidates) {
    const growths = growthOf.get(candidate.topic)?.(candidate) ?? [];
    if (growths.length > 0) told.set(candidate.studentId, [...(told.get(candidate.studentId) ?? []), ...growths]);
  }
  return [...told].map(([studentId, growths]) => ({ studentId, growths }));
}
