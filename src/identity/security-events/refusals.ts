// Refusals that name the caller: who asked for what they may not have. Every refused approval, and of all other refusals
// the first of a caller at an operation within a while, so that a broken client cannot fill the table.
import type { Refused } from '#core/http/guards.ts';
import { AppError } from '#core/platform/errors.ts';
import { minuteMs } from '#core/platform/pure/dates/durations.ts';
import type { SecurityEvents } from './recorder.ts';
import { firstOfWindow } from './sample.ts';

const windowMs = 15 * minuteMs;
const approvals: readonly string[] = [
  ...['approveRuleDraft', 'approveNarrative', 'approveBlueprintImport', 'activateBenchmarkProfile'],
  'approveDecisionPacket',
];

/** In each process: several of them may each record the first. */
export function refusalRecorder(events: SecurityEvents, addressHash: (clientIp: string) => string) {
  const isFirst = firstOfWindow(windowMs);
  return ({ error, operation, caller, clientIp, now }: Refused): void => {
    if (!(error instanceof AppError) || error.code !== 'PERMISSION_DENIED') return;
    const approval = approvals.includes(operation);
    if (!approval && !isFirst(`${caller.userId} ${operation}`, now)) return;
    const kind = approval ? 'approval_refused' : 'permission_denied';
    const { userId, organizationId } = caller;
    const details = { operation };
    events.record({ kind, organizationId, userId, addressHash: addressHash(clientIp), details, at: now });
  };
}
