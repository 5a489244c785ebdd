// Failed reactions: retried with growing waits, and parked with an alert after the last attempt.

import type { Logger } from 'pino';
import { outboxParked } from '#backoffice/operations/index.ts';
import { openAlert } from '#core/module/alerts.ts';
import { OutboxEvent, type StoredEvent } from '#core/module/events.ts';
import type { Reaction, Schedule } from '#core/module/jobs.ts';
import type { Services } from '#core/module/services.ts';
import type { Clock } from '#core/platform/clock.ts';
import { inContext, type Trx } from '#core/platform/db.ts';
import { errorName } from '#core/platform/failures.ts';
import { lockRows } from '#core/platform/locks.ts';
import { modelOf } from '#core/platform/model.ts';
import { storedOrganization } from '#core/platform/pure/platform-organization.ts';
import type { Queues } from '#core/platform/queue/queue.ts';
import { reactionRetries } from '#core/platform/retries.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { attempt, type OpenReaction } from './reactions.ts';

const everyMs = 5_000;
const atOnce = 100;

interface Retry {
  readonly organizationId: string;
  readonly eventId: number;
  readonly reaction: string;
  readonly attempts: number;
}

const OutboxRetry = modelOf<
  Retry & { readonly nextAt: string; readonly lastError: string | null; readonly parkedAt: string | null }
>('outbox_retry', { id: ['organizationId', 'eventId', 'reaction'] });

interface Failed {
  readonly event: Pick<StoredEvent, 'id' | 'organizationId' | 'topic'>;
  readonly reaction: Pick<Reaction, 'name'>;
  readonly error: unknown;
  /** Attempts before this one. */
  readonly attempts: number;
}

/** Stores the retries, in the transaction of the reactions that succeeded. */
export async function storeRetries(
  trx: Trx,
  { metrics }: Services,
  open: readonly OpenReaction[],
  now: Date,
  log: Logger,
): Promise<void> {
  for (const { event, reaction, error } of open) {
    const { organizationId, id: eventId } = event;
    const row = { organizationId, eventId, reaction: reaction.name, attempts: 0, nextAt: now.toISOString() };
    await OutboxRetry.query(trx).insert(row).onConflict().ignore();
    if (error !== undefined) await noteFailure(trx, { event, reaction, error, attempts: 0 }, now, log, metrics);
  }
}

async function noteFailure(trx: Trx, failed: Failed, now: Date, log: Logger, metrics: Services['metrics']) {
  const { event, reaction, error } = failed;
  const { organizationId, id: eventId, topic } = event;
  const attempts = failed.attempts + 1;
  const parked = attempts >= reactionRetries.attempts;
  const nextAt = new Date(now.getTime() + reactionRetries.firstWaitMs * 2 ** (attempts - 1)).toISOString();
  await OutboxRetry.query(trx)
    .where({ organizationId, eventId, reaction: reaction.name })
    .update({ attempts, nextAt, lastError: errorName(error), parkedAt: parked ? now.toISOString() : null });
  metrics.countFailure('reaction', reaction.name);
  const ids = { err: error, eventId, topic, organizationId, reaction: reaction.name, attempts };
  log.error(ids, parked ? 'event parked' : 'reaction failed; it will be tried again');
  if (parked) await raiseParked(trx, failed, now);
}

async function raiseParked(trx: Trx, { event, reaction }: Failed, now: Date): Promise<void> {
  const { organizationId, id: eventId, topic } = event;
  await openAlert(trx, outboxParked, {
    organizationId,
    subjectId: eventId,
    details: { eventId, topic, reaction: reaction.name },
    at: now,
  });
}

export function retrySchedule(reactions: readonly Reaction[], log: Logger): Schedule {
  return {
    name: 'outbox-retries',
    everyMs,
    run: (services, queues) => retryDue(services, queues, reactions, log),
  };
}

/** Retries each reaction that is due in a transaction of its own. */
export async function retryDue(
  services: Services,
  queues: Queues,
  reactions: readonly Reaction[],
  log: Logger,
): Promise<void> {
  const now = services.clock.now();
  const due = await inContext(services.db, 'SUPER', (trx) => dueRetries(trx, now));
  for (const one of due) {
    try {
      await queues.add(await inContext(services.db, 'SUPER', (trx) => retry(trx, services, reactions, one, now, log)));
    } catch (error) {
      log.error({ err: error, ...one }, 'event could not be tried again');
    }
  }
}

/** Returns the retries that are due. One far in the future shows that the Clock was set back. */
async function dueRetries(trx: Trx, now: Date): Promise<Retry[]> {
  const rows = await rowsOf<Retry>(
    trx,
    `select organization_id, event_id, reaction, attempts from outbox_retry
     where parked_at is null and (next_at <= :now or next_at > :now::timestamptz + interval '10 minutes')
     order by attempts, next_at limit :limit`,
    { now: now.toISOString(), limit: atOnce },
  );
  return rows.map((row) => ({ ...row, organizationId: storedOrganization(row.organizationId) }));
}

async function retry(
  trx: Trx,
  services: Services,
  reactions: readonly Reaction[],
  { organizationId, eventId, reaction: name, attempts }: Retry,
  now: Date,
  log: Logger,
) {
  const own = OutboxRetry.query(trx).where({ organizationId, eventId, reaction: name });
  const open = own.clone().where({ attempts }).whereNull('parkedAt');
  const held = await lockRows('outboxRetry', 'change', open).skipLocked().select('eventId').first();
  if (!held) return [];
  const stored: Omit<StoredEvent, 'organizationId'> | undefined = await OutboxEvent.query(trx)
    .where({ organizationId, id: eventId })
    .select('id', 'topic', 'payload', 'createdAt')
    .first();
  const event = stored && { ...stored, organizationId };
  const outcome = event ? await attemptNamed(trx, reactions, name, event, services.clock) : { jobs: [] };
  if ('jobs' in outcome) await own.delete();
  else if (event) {
    const failed = { event, reaction: { name }, error: outcome.error, attempts };
    await noteFailure(trx, failed, now, log, services.metrics);
  }
  return 'jobs' in outcome ? outcome.jobs : [];
}

/** A reaction that this version does not know fails like any other, so that it is parked and not lost. */
function attemptNamed(trx: Trx, reactions: readonly Reaction[], name: string, event: StoredEvent, clock: Clock) {
  const reaction = reactions.find((one) => one.name === name);
  return reaction ? attempt(trx, reaction, [event], clock) : { error: new Error('unknown reaction') };
}
