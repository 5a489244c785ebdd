// Announces an alert once its transaction has ended: a log line for pagers, and a call of the operator's address. A check of
// low severity gets the log line alone.
import type { Services } from '#core/module/services.ts';
import { inContext, type Trx } from '#core/platform/db.ts';
import { isFree, leaseEnd, longLeaseSeconds } from '#core/platform/leases.ts';
import { lockingRows } from '#core/platform/locks.ts';
import { storedOrganization } from '#core/platform/pure/platform-organization.ts';
import { announcementRetries } from '#core/platform/retries.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { requireNoTransaction } from '#core/platform/transactions/outside.ts';

const atOnce = 50;
const callMs = 5_000;

interface Announcement {
  readonly organizationId: string | null;
  readonly id: number;
  readonly code: string;
  readonly severity: string;
  readonly alertId: number | null;
  readonly subjectType: string;
  readonly subjectId: string;
  /** Attempts, this one included. */
  readonly attempts: number;
}

/** Announces all waiting alerts independently. Those claimed by a killed process are announced again. */
export async function announceAlerts(services: Services): Promise<void> {
  for (let taken = atOnce; taken === atOnce; ) {
    const due = await inContext(services.db, 'SUPER', (trx) => claim(trx, services));
    taken = due.length;
    const done = await Promise.all(due.map((one) => announce(services, one)));
    const ended = due.filter((_, at) => done[at]);
    if (ended.length > 0) await inContext(services.db, 'SUPER', (trx) => forget(trx, ended));
  }
}

/**
 * Writes the log line before the claim is committed, so that a process that dies in between leads to a second line, not to
 * none.
 */
async function claim(trx: Trx, { log }: Pick<Services, 'log'>): Promise<Announcement[]> {
  const due = await rowsOf<Announcement>(
    trx,
    `with due as (
       select organization_id, id from alert_announcement
       where ${isFree()}
       order by held_until nulls first, id limit :atOnce ${lockingRows('announcement', 'change')} skip locked)
     update alert_announcement a
     set attempts = a.attempts + 1, held_until = ${leaseEnd(longLeaseSeconds)}
     from due where a.organization_id = due.organization_id and a.id = due.id
     returning a.organization_id, a.id, a.code, a.severity, a.alert_id, a.subject_type, a.subject_id, a.attempts`,
    { atOnce },
  );
  for (const { code: checkId, alertId, attempts } of due) {
    if (alertId === null || attempts > 1) continue;
    log.error({ qa: { ping: true, checkId, alertId } }, 'a check has found something');
  }
  return due;
}

/** Returns true when nothing is left to be done. */
async function announce({ config, log }: Services, one: Announcement): Promise<boolean> {
  const { code: checkId, alertId, severity, attempts, organizationId: orgId } = one;
  if (alertId === null) {
    const subject = { type: one.subjectType, id: one.subjectId };
    log.info({ qa: { ping: false, checkId, severity, subject }, orgId }, 'a check has found something');
    return true;
  }
  if (config.qaWebhookUrl === undefined) return true;
  try {
    await call(config.qaWebhookUrl, { checkId, alertId });
    return true;
  } catch (error) {
    log.warn({ err: error, checkId, alertId, attempts }, 'an alert could not be announced');
    return attempts >= announcementRetries.attempts;
  }
}

async function call(url: string, ids: { readonly checkId: string; readonly alertId: number }): Promise<void> {
  requireNoTransaction('announcing an alert');
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(ids),
    redirect: 'error',
    signal: AbortSignal.timeout(callMs),
  });
  await answer.body?.cancel();
  if (!answer.ok) throw new Error(`status ${answer.status}`);
}

const forget = (trx: Trx, ended: readonly Announcement[]) =>
  trx.raw(
    `delete from alert_announcement a using unnest(:organizations::text[], :ids::bigint[]) as t (organization_id, id)
     where a.organization_id = t.organization_id and a.id = t.id`,
    {
      organizations: ended.map(({ organizationId }) => storedOrganization(organizationId)),
      ids: ended.map(({ id }) => id),
    },
  );
