// Starts the replay of a range of stored runs.

import { newestRunSeq } from '#assessment/skill-status/index.ts';
import { spanOf } from '#core/http/instants.ts';
import { admitOrder, orderJobs } from '#core/long-jobs/index.ts';
import { enterContext, type Trx } from '#core/platform/db.ts';
import { organizationOfScope } from '../impact/students.ts';
import type { ReplayScope, RequestedReplay } from './input.ts';

export interface ReplayRange {
  readonly scope: ReplayScope;
  readonly from: string;
  readonly to: string;
}

/** Returns the job's id. Throws VALIDATION_ERROR when `to` is not after `from`, NOT_FOUND for an unknown scope. */
export async function startReplay(trx: Trx, range: ReplayRange, requestedBy: number, now: Date): Promise<string> {
  const span = spanOf(range);
  const organizationId = await organizationOfScope(trx, range.scope);
  await admitOrder(trx);
  if (organizationId !== null) await enterContext(trx, { organizationId });
  const through = await newestRunSeq(trx, organizationId);
  const input: RequestedReplay = { trigger: 'request', scope: range.scope, ...span, through };
  const [replayId = ''] = await orderJobs(trx, now, [
    { kind: 'replay', organizationId, subject: input.trigger, input, requestedBy },
  ]);
  return replayId;
}
