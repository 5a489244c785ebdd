// The sources of growth by the event that tells of them: what one tells that is on new ground is recorded.
import { bundleCompleted, scaffoldStepUp, stepGoalMet } from '../../../interventions/index.ts';
import type { EventKind } from '../../../kernel/events.ts';
import { cbmTrendChanged, orfScored } from '../../../measurement/index.ts';
import type { Trx } from '../../../platform/db.ts';
import { skillStateUp } from '../../../rti/index.ts';
import type { ActiveRules } from '../../../rulesets/index.ts';
import { macroUpdated } from '../../../skill-status/index.ts';
import { type Growth, recordMastery } from '../../ledger/record.ts';
import type { Candidate } from '../candidates.ts';
import { isNewGround } from './ground.ts';
import type { Judge, Judging } from './judging.ts';
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

/** Under the lock of the student's row, and not while the student is halted. */
export async function judgeCandidate(
  trx: Trx,
  services: { readonly rules: ActiveRules },
  judging: Judging & { readonly now: Date },
  candidate: Candidate,
): Promise<void> {
  const judge = judges.find(([kind]) => kind.topic === candidate.topic)?.[1];
  const fresh: Growth[] = [];
  for (const growth of (await judge?.(trx, judging, candidate)) ?? []) {
    if (await isNewGround(trx, judging, growth)) fresh.push(growth);
  }
  await recordMastery(trx, services, judging, fresh);
}
