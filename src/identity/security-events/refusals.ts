// Records refused requests with their caller: every refused approval, and of other refusals the first per caller and
// operation within 15 minutes, so that a broken client cannot fill the table.
import type { Refused } from '#core/http/guards.ts';
import { AppError } from '#core/platform/errors.ts';
import { minuteMs } from '#core/platform/pure/dates/durations.ts';
import type { SecurityEvents } from './recorder.ts';

const windowMs = 15 * minuteMs;
const approvals: readonly string[] = [
  'approveRuleChange',
  'approveNarrative',
  'approveBlueprintImport',
  'activateBenchmarkProfile',
  'approveDecisionPacket',
];

/** The window is kept per process, so each process may record the first refusal. */
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

/** Maximum number of tracked subjects; beyond it the oldest are dropped and count as new. */
const maxSubjects = 10_000;

/** Returns true for the first call with a subject, and again when `windowMs` have passed since that call. */
function firstOfWindow(windowMs: number): (subject: string, now: Date) => boolean {
  const openedAt = new Map<string, number>();
  return (subject, now) => {
    const opened = openedAt.get(subject);
    if (opened !== undefined && now.getTime() - opened < windowMs) return false;
    openedAt.delete(subject);
    openedAt.set(subject, now.getTime());
    const oldest = openedAt.size > maxSubjects ? openedAt.keys().next().value : undefined;
    if (oldest !== undefined) openedAt.delete(oldest);
    return true;
  };
}
