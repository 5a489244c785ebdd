// The source of growth for each event topic, and the evaluation of candidates by them.

import { cbmTrendChanged, orfScored } from '#assessment/measurement/index.ts';
import { macroUpdated } from '#assessment/skill-status/index.ts';
import type { EventKind } from '#core/module/events.ts';
import type { Trx } from '#core/platform/db.ts';
import type { ActiveRules } from '#rules/rulesets/index.ts';
import { bundleCompleted, scaffoldStepUp, stepGoalMet } from '#support/interventions/index.ts';
import { skillStateUp } from '#support/rti/index.ts';
import { type PossibleGrowth, recordMastery, type StudentGrowth } from '../../ledger/record.ts';
import type { Candidate } from '../candidates.ts';
import { growthOfCompletion, growthOfScaffold, growthOfStep } from './assignments.ts';
import type { EvaluationContext, GrowthOf, GrowthSource } from './growth-source.ts';
import { growthOfReading, growthOfTrend } from './readings.ts';
import { withoutRegained } from './regained.ts';
import { growthOfRun } from './runs.ts';
import { growthOfState } from './states.ts';

const growthSources: readonly (readonly [EventKind, GrowthSource])[] = [
  [macroUpdated, growthOfRun],
  [skillStateUp, growthOfState],
  [orfScored, growthOfReading],
  [cbmTrendChanged, growthOfTrend],
  [stepGoalMet, growthOfStep],
  [scaffoldStepUp, growthOfScaffold],
  [bundleCompleted, growthOfCompletion],
];

/**
 * Evaluates candidates in their order and records growth that was not reached before. The caller holds the locks of the
 * students' rows and leaves out halted students.
 */
export async function evaluateCandidates(
  trx: Trx,
  services: { readonly rules: ActiveRules },
  context: EvaluationContext & { readonly now: Date },
  candidates: readonly Candidate[],
): Promise<void> {
  const growths = await growthsOf(trx, context, candidates);
  if (growths.length === 0) return;
  await recordMastery(trx, services, context, await withoutRegained(trx, context, growths));
}

/** Returns the growth of each student who has grown. */
async function growthsOf(
  trx: Trx,
  context: EvaluationContext,
  candidates: readonly Candidate[],
): Promise<StudentGrowth[]> {
  const growthOf = new Map<string, GrowthOf>();
  for (const [{ topic }, source] of growthSources) {
    const own = candidates.filter((candidate) => candidate.topic === topic);
    if (own.length > 0) growthOf.set(topic, await source(trx, context, own));
  }
  const grown = new Map<number, PossibleGrowth[]>();
  for (const candidate of candidates) {
    const growths = growthOf.get(candidate.topic)?.(candidate) ?? [];
    if (growths.length > 0) grown.set(candidate.studentId, [...(grown.get(candidate.studentId) ?? []), ...growths]);
  }
  return [...grown].map(([studentId, growths]) => ({ studentId, growths }));
}
