// The inputs that runs are evaluated from: the stored ones, or evidence that is read anew where the draft changes what counts.

import { simulation } from '#assessment/skill-status/index.ts';
import type { Services } from '#core/module/services.ts';
import { bulkReadingIn } from '#core/platform/db.ts';
import type { OrganizationJob } from '../input.ts';
import type { RulePair } from '../rule-pair.ts';

type Run = simulation.SimulatedRun;

export interface Inputs {
  /** Under the rules in force. */
  readonly before: Run['input'];
  /** Under the draft. */
  readonly after: Run['input'];
  isSame(): boolean;
}

export type InputsOf = (run: Run) => Inputs;

export async function inputsOf(
  services: Pick<Services, 'capabilities' | 'db' | 'itemBanks'>,
  { organizationId, input: { asOf } }: Pick<OrganizationJob, 'organizationId' | 'input'>,
  { alike, before, after }: RulePair,
  runs: readonly Run[],
): Promise<InputsOf> {
  if (alike) return ({ input }) => ({ before: input, after: input, isSame: () => true });
  const sessionsOf = await bulkReadingIn(services.db, { organizationId })((trx) =>
    simulation.readEvidence(trx, services, runs, asOf),
  );
  const isShared = simulation.factsAlike(before, after);
  return (run) => {
    const seen = sessionsOf(run, before.pipeline);
    const now = simulation.cutEvidence(run, seen, before.pipeline, asOf);
    const then = simulation.refusingUnfit(() => {
      const seenThen = isShared ? seen : sessionsOf(run, after.pipeline);
      return simulation.cutEvidence(run, seenThen, after.pipeline, asOf);
    });
    return { before: now, after: then, isSame: () => simulation.isSameInput(now, then) };
  };
}
