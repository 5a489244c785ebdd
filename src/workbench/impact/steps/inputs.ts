// What runs are evaluated from: what they were made from, or their evidence gathered anew where the draft changes that.

import type { Services } from '../../../kernel/services.ts';
import { inReadOnlyContext } from '../../../platform/db.ts';
import { conflict } from '../../../platform/errors.ts';
import { rehearsal } from '../../../skill-status/index.ts';
import type { PlacedJob } from '../input.ts';
import type { Trial } from '../trial.ts';

type Run = rehearsal.RehearsedRun;

export interface Inputs {
  /** Under the rules of today. */
  readonly before: Run['input'];
  /** Under the draft. */
  readonly after: Run['input'];
  readonly isSame: boolean;
}

export type InputsOf = (run: Run) => Inputs;

export async function inputsOf(
  services: Services,
  { organizationId, input: { asOf } }: PlacedJob,
  { alike, before, after }: Trial,
  runs: readonly Run[],
): Promise<InputsOf> {
  if (alike) return ({ input }) => ({ before: input, after: input, isSame: true });
  const gathered = async ({ pipeline }: rehearsal.Rehearsal) => {
    const found = await inReadOnlyContext(services.db, { organizationId }, (trx) =>
      rehearsal.readEvidence(trx, services, runs, pipeline, asOf),
    );
    return rehearsal.gatherEvidence(runs, found, pipeline, asOf);
  };
  const now = await gathered(before);
  const then = await gathered(after).catch(refuseUnfit);
  return ({ id, input }) => {
    const [one, other] = [now.get(id), then.get(id)];
    return {
      before: one?.input ?? input,
      after: other?.input ?? input,
      isSame: one?.inputHash === other?.inputHash,
    };
  };
}

/** Throws CONFLICT `not_usable` where the draft fails on evidence that is there: trying again would not help. */
export function refusingUnfit<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    return refuseUnfit(error);
  }
}

function refuseUnfit(error: unknown): never {
  if (!rehearsal.isUnfit(error)) throw error;
  throw conflict('not_usable', 'The draft does not decide all of the stored evidence.', 'draftId');
}
