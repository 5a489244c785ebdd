// Returns the last audit result at once; one that is old leads to a request for another audit.
import type { Services } from '#core/module/services.ts';
import { inContext, type Trx } from '#core/platform/db.ts';
import { minuteMs } from '#core/platform/pure/dates/durations.ts';
import { checksAt } from '../checks/in-force.ts';
import { auditState, requestAudits } from './store.ts';

const freshMs = 5 * minuteMs;

/** Requests an audit unless the last result is fresh, in a transaction of its own, because that of a read writes nothing. */
export async function askForAudit({ db, clock }: Services, organizationId: string | null): Promise<void> {
  const now = clock.now();
  const before = new Date(now.getTime() - freshMs);
  const context = organizationId === null ? ('SUPER' as const) : { organizationId };
  await inContext(db, context, (trx) => requestAudits(trx, organizationId, { now, before }));
}

/** With `organizationId` null it returns the sums of all organizations and the platform. Throws ENGINE_UNAVAILABLE. */
export async function auditSummary(services: Services, trx: Trx, organizationId: string | null, now: Date) {
  const { ruleVersion, items } = await checksAt(services, trx, now);
  const { asOf, pending, violations } = await auditState(trx, organizationId);
  const checks = items.flatMap(({ qaCheckId, severity, kind, enabled }) =>
    kind === 'audit' && enabled ? [{ qaCheckId, severity, violations: violations.get(qaCheckId) ?? null }] : [],
  );
  return { asOf, pending, ruleVersion, checks };
}
